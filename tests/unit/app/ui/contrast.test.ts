/** Text and essential graphics of tokens.css have the contrast of WCAG 2.2 AA in the light and the dark scheme. */
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const tokens = textOf("app/styles/tokens.css");
const [light = "", dark = ""] = tokens.split("@media (prefers-color-scheme: dark)");

function coloursIn(css: string): Map<string, string> {
  return new Map(
    [...css.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}
const schemes = { light: coloursIn(light), dark: new Map([...coloursIn(light), ...coloursIn(dark)]) };

/** Relative luminance by WCAG 2.2: 0 (black) to 1 (white). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const grounds = ["--ground", "--surface", "--tint"];
const callouts = ["--error-ground", "--success-ground", "--accent-ground", "--brand-ground"];
/** Colours of text, each with its backgrounds. */
const text: [string, string[]][] = [
  ["--ink", [...grounds, ...callouts]],
  ["--soft", [...grounds, "--brand-ground"]],
  ["--brand", [...grounds, ...callouts]],
  ["--accent", ["--ground", "--surface", "--accent-ground"]],
  ["--error", ["--ground", "--surface", "--error-ground"]],
  ["--success", ["--ground", "--surface", "--success-ground", "--brand-ground"]],
  ["--brand-ink", ["--brand", "--brand-press"]],
  ["--deep-ink", ["--deep"]],
  ["--deep-soft", ["--deep"]],
  // The number of work items in Desk's side bar.
  ["--deep", ["--accent-mark"]],
  ["--paid-ink", ["--paid"]],
  ["--paid-soft", ["--paid"]],
  // The number or sign in the dot of a finished step.
  ["--surface", ["--success"]],
];
/** Colours of essential graphics: field borders, the focus ring, marks of steps. */
const parts: [string, string[]][] = [
  ["--edge", ["--ground", "--surface"]],
  ["--accent", [...grounds, ...callouts]],
  // A chosen card, a finished step, and the signs of notices.
  ["--brand", [...grounds, "--brand-ground"]],
  ["--success", ["--surface", "--success-ground"]],
  ["--error", ["--surface", "--error-ground"]],
  // The double rule under a total.
  ["--accent-mark", ["--deep"]],
];

const pairs = (Object.keys(schemes) as (keyof typeof schemes)[]).flatMap((scheme) => [
  ...text.flatMap(([colour, on]) => on.map((ground) => ({ scheme, colour, ground, least: 4.5 }))),
  ...parts.flatMap(([colour, on]) => on.map((ground) => ({ scheme, colour, ground, least: 3 }))),
]);

test.each(pairs)(
  "$scheme: gives $colour on $ground a contrast of $least or more",
  ({ scheme, colour, ground, least }) => {
    const [one, other] = [schemes[scheme].get(colour), schemes[scheme].get(ground)];
    if (one === undefined || other === undefined)
      throw new Error(`${colour} or ${ground} is not in tokens.css`);
    expect(contrast(one, other)).toBeGreaterThanOrEqual(least);
  },
);

test("defines every colour for the dark scheme too", () => {
  expect(coloursIn(light).size).toBeGreaterThan(10);
  expect([...coloursIn(dark).keys()]).toEqual([...coloursIn(light).keys()]);
});

test("measures contrast as WCAG does", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

const styleFiles = filesUnder("app/styles", /\.css$/).filter((file) => !/(tokens|print)\.css$/.test(file));

test("finds the style files", () => {
  expect(styleFiles).toContain("app/styles/price-summary.css");
});

test.each(styleFiles)("%s takes its colours from tokens.css", (file) => {
  expect(textOf(file).match(/#[0-9a-f]{3,8}\b|\brgb\(|\bhsl\(/gi)).toBeNull();
});
