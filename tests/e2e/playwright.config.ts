/**
 * Browser tests: every one with scripts and without, against one stack that `global-setup.ts` starts. Those that break the
 * outside world for everyone have a stack of their own, and run one after the other.
 *
 * A test whose subject is the same in both runs in one of them, by a tag in its title: `@without-scripts` for what the
 * server alone decides (refusals, redirects, resume links), as the cheaper of the two; `@with-scripts` for what only scripts
 * do, and for a screen that axe is to look at, which needs them. The journeys tagged `@keyboard` run once more without a
 * pointer.
 *
 * `npm test` leaves to `npm run test:long` what is tagged `@long` and all journeys by keyboard, which have scripts. To `npm run
 * drill` it leaves the same journeys with scripts and a pointer, unless scripts are their subject or they are tagged `@quick`, and
 * those that `test:long` goes through without scripts alone, tagged `@long-without-scripts`.
 */
import { defineConfig } from "playwright/test";
import { chromiumArguments } from "./chromium-arguments.ts";
import type { Options } from "./fixtures.ts";

const outages = "**/outages.spec.ts";
const executablePath = process.env.CHROMIUM_PATH;

const parts = ["quick", "long", "drill"] as const;
/** `npm test`, `npm run test:long` and `npm run drill` run one each; whoever names files gets all. */
const part = parts.find((each) => each === process.env.E2E_PART);
const long = /@long(?!-)/;
const longWithoutScripts = /@long-without-scripts/;
const journeysWithScripts = /^(?!.*(?:@with-scripts|@quick)).*@keyboard/;

/** To Playwright an empty list is no filter. */
const orNone = (patterns: RegExp[]) => (patterns.length === 0 ? /^(?!)$/ : patterns);

/**
 * Of a project's tests, those of the part that is asked for.
 * @param of what is no test of the quick part: its part
 * @param others what runs in another project
 */
function partOf(of: { long?: RegExp[]; drill?: RegExp[] }, others: RegExp[] = []) {
  const { long = [], drill = [] } = of;
  switch (part) {
    case "quick":
      return { grepInvert: [...others, ...long, ...drill] };
    case "long":
      return { grep: orNone(long), grepInvert: [...others, ...drill] };
    case "drill":
      return { grep: orNone(drill), grepInvert: others };
    case undefined:
      return { grepInvert: others };
  }
}

export default defineConfig<Options>({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  globalSetup: "./global-setup.ts",
  outputDir: "../../test-results",
  // For two cores: a test waits for almost half of its time.
  workers: 3,
  fullyParallel: true,
  // A machine shared with other work may stall a browser for seconds; run.mjs names whatever needed its
  // second try, and an error a page reported stays a failure.
  retries: process.env.CI === undefined ? 0 : 1,
  forbidOnly: process.env.CI !== undefined,
  // Of a whole journey by keyboard on a machine that has other work too.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    trace: "off",
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: chromiumArguments },
  },
  projects: [
    { name: "outages", testMatch: outages, fullyParallel: false, ...partOf({ long: [long] }) },
    {
      name: "scripts-on",
      testIgnore: outages,
      ...partOf({ long: [long], drill: [journeysWithScripts, longWithoutScripts] }, [/@without-scripts/]),
      use: { javaScriptEnabled: true },
    },
    {
      name: "scripts-off",
      testIgnore: outages,
      ...partOf({ long: [long, longWithoutScripts] }, [/@with-scripts/]),
      use: { javaScriptEnabled: false },
    },
    {
      name: "keyboard",
      testIgnore: outages,
      ...partOf({ long: [/@keyboard/] }, [/^(?!.*@keyboard)/]),
      use: { javaScriptEnabled: true, keyboardOnly: true },
    },
  ],
});
