/**
 * `npm run screenshots`: the screens in docs/design.md, as compressed images in docs/images, and the README's image. `npm run
 * screenshots -- FOLDER [WORDS]`: every screen whose name matches these words, a regular expression, at three widths, light and
 * dark, in each language. Check each image before you finish a change of design.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright";
import { languageIds, languages } from "#server/foundation/languages/language.ts";
import { projectFolder } from "#server/operations/built-commands.mjs";
import { createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { chromiumArguments } from "#tests/e2e/chromium-arguments.ts";
import { provideChromium } from "#tests/support/chromium.mjs";
import { runInherited } from "#tests/support/run-inherited.ts";
import { startStack } from "#tests/support/stack.ts";
import { makePlaces, type Places } from "./places.ts";
import { type Screen, screens } from "./screens.ts";

/** Names of the screens in docs/design.md, by file name. */
const ofTheDesign: Readonly<Record<string, string>> = {
  home: "home",
  compare: "compare",
  "step-1": "1 Subscription Details, new",
  "step-2": "2 Create Account",
  review: "3 Place Order",
  closure: "5 Order Processed",
  subscriptions: "subscriptions",
};

const schemes = ["light", "dark"] as const;
/** Small for the repository, but sharp enough for details. */
const formats = {
  webp: { format: "webp", quality: 40 },
  png: { format: "png" },
} as const;
/** docs/design.md does not show the end of long pages. */
const mostHeight = 1_800;
/** The part of a screen that the README shows, at twice its size there. */
const readmeHeight = 1_280;

interface Look {
  width: number;
  colorScheme: (typeof schemes)[number];
  language: (typeof languageIds)[number];
}

const looks = (widths: readonly number[]): Look[] =>
  widths.flatMap((width) =>
    schemes.flatMap((colorScheme) => languageIds.map((language) => ({ width, colorScheme, language }))),
  );

const [folder, words = ""] = process.argv.slice(2);
const wanted =
  folder === undefined
    ? Object.entries(ofTheDesign).map(([file, name]) => ({ file, screen: named(name) }))
    : screens
        .filter(({ name }) => new RegExp(words, "i").test(name))
        .map((screen) => ({ file: screen.name.replaceAll(/[^A-Za-z0-9]+/g, "-"), screen }));
const widths = folder === undefined ? [360, 1280] : [360, 768, 1280];
const kind = folder === undefined ? "webp" : "png";
const limit = kind === "webp" ? mostHeight : Number.POSITIVE_INFINITY;
const target = path.resolve(folder ?? path.join(projectFolder, "docs/images"));

const chromiumFound = await provideChromium(runInherited, console.log, projectFolder);
if (chromiumFound.path === null) throw new Error(chromiumFound.said);
const stack = await startStack({ worker: false, env: { TRUSTED_PROXIES: "1" } });
const context = createContext(readEnv({ ...stack.env, LOG_LEVEL: "silent" }), "screenshots");
try {
  const places = await makePlaces(stack, context);
  const browser = await chromium.launch({ executablePath: chromiumFound.path, args: chromiumArguments });
  mkdirSync(target, { recursive: true });
  for (const { file, screen } of wanted) {
    for (const look of looks(widths)) await picture(browser, places, { file, screen, look });
    console.log(screen.name);
  }
  if (folder === undefined) await pictureOfReadme(browser, places);
  await browser.close();
} finally {
  await context.db.destroy();
  await stack.stop();
}

function named(name: string): Screen {
  const screen = screens.find((found) => found.name === name);
  if (screen === undefined) throw new Error(`tests/bench/screens.ts has no screen ${name}`);
  return screen;
}

async function picture(
  browser: Browser,
  places: Places,
  { file, screen, look }: { file: string; screen: Screen; look: Look },
): Promise<void> {
  const { width, colorScheme, language } = look;
  const data = await capture(browser, places, {
    screen,
    look,
    format: formats[kind],
    height: (whole) => Math.min(whole, limit),
  });
  writeFileSync(path.join(target, `${file}-${width}-${colorScheme}-${language}.${kind}`), data);
}

/** Home, review and Desk side by side, light above dark. */
async function pictureOfReadme(browser: Browser, places: Places): Promise<void> {
  const shots: string[] = [];
  for (const colorScheme of schemes)
    for (const name of ["home", "3 Place Order", "desk: order"]) {
      const look = { width: 1280, colorScheme, language: "en" } as const;
      const data = await capture(browser, places, {
        screen: named(name),
        look,
        format: formats.png,
        height: () => readmeHeight,
      });
      shots.push(`<img width="600" alt="" src="data:image/png;base64,${data.toString("base64")}">`);
    }
  const page = await browser.newPage({ viewport: { width: 1824, height: 1212 } });
  await page.setContent(
    `<style>body{margin:0;display:grid;grid-template-columns:repeat(3,600px);gap:12px;background:#0f4f55}</style>${shots.join("")}`,
  );
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", formats.webp);
  writeFileSync(path.join(projectFolder, "public/readme/store.webp"), Buffer.from(data, "base64"));
  await page.close();
}

async function capture(
  browser: Browser,
  places: Places,
  {
    screen,
    look: { width, colorScheme, language },
    format,
    height: heightFor,
  }: {
    screen: Screen;
    look: Look;
    format: (typeof formats)[keyof typeof formats];
    /** Returns the picture's height for that of the whole page. */
    height: (whole: number) => number;
  },
): Promise<Buffer> {
  const { path: place, browser: visitor } = await screen.at(places);
  const visit = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme,
    locale: languages[language].locale,
    timezoneId: "Asia/Kolkata",
    reducedMotion: "reduce",
  });
  const cookies = Object.entries(visitor.cookies()).filter(([name]) => !/language|flash/.test(name));
  await visit.addCookies(cookies.map(([name, value]) => ({ name, value, url: stack.url })));
  const page = await visit.newPage();
  await page.goto(`${stack.url}${place}`, { waitUntil: "networkidle" });
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const height = heightFor(whole);
  // Elements fixed to the bottom of the window are then at the end of the page.
  await page.setViewportSize({ width, height });
  const session = await visit.newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", format);
  await visit.close();
  return Buffer.from(data, "base64");
}
