/** Budgets of the benchmark: each at its limit and one above. */
import { describe, expect, test } from "vitest";
import {
  brokenByPaint,
  brokenByScores,
  brokenByTraffic,
  median,
  type Traffic,
} from "#tests/bench/budgets.ts";

const nothing = { document: 0, stylesheet: 0, script: 0, image: 0, font: 0, other: 0 };
const traffic = (bytes: Partial<Traffic["bytes"]>, more: Partial<Traffic> = {}): Traffic => ({
  requests: 1,
  bytes: { ...nothing, ...bytes },
  foreign: [],
  react: [],
  ...more,
});

describe("bytes", () => {
  test.each([
    ["HTML", { document: 14_000 }, false],
    ["CSS", { stylesheet: 12_000 }, false],
    ["script", { script: 6_000 }, false],
    ["script", { script: 96_200 }, true],
    ["fonts", { font: 0 }, false],
  ] as const)("%s: allows %o at most, hydrated: %s", (what, bytes, hydrated) => {
    expect(brokenByTraffic(traffic(bytes), { hydrated })).toEqual([]);
    const more = Object.fromEntries(Object.entries(bytes).map(([kind, most]) => [kind, most + 1]));
    const [complaint = "", ...others] = brokenByTraffic(traffic(more), { hydrated });
    expect(complaint).toContain(what);
    expect(others).toEqual([]);
  });

  test("refuses requests to other sites", () => {
    const foreign = ["https://elsewhere.example/font.woff2"];
    expect(brokenByTraffic(traffic({}, { foreign }), { hydrated: true })).toHaveLength(1);
  });

  test("allows React on hydrated pages only", () => {
    const react = ["/assets/framework.js"];
    expect(brokenByTraffic(traffic({}, { react }), { hydrated: true })).toEqual([]);
    expect(brokenByTraffic(traffic({}, { react }), { hydrated: false })).toHaveLength(1);
  });
});

describe("paints", () => {
  test.each([
    ["home in 0.9 s", 900, { isHome: true, hydrated: false }],
    ["a step in 1.3 s", 1_300, { isHome: false, hydrated: true }],
    ["any other page in 1.4 s", 1_400, { isHome: false, hydrated: false }],
  ])("%s: allows the limit without layout shifts", (_what, lcpMs, page) => {
    expect(brokenByPaint({ lcpMs, cls: 0.1 }, page)).toEqual([]);
    expect(brokenByPaint({ lcpMs: lcpMs + 1, cls: 0.11 }, page)).toHaveLength(2);
  });

  test("takes the middle value as the median", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(() => median([])).toThrow("No values");
  });
});

describe("Lighthouse", () => {
  const full = { performance: 100, accessibility: 100, "best-practices": 100, seo: 100 };
  const plain = { isHome: false, hydrated: false, indexed: true };

  test.each([
    ["home", { ...plain, isHome: true }, 100],
    ["a page without React", plain, 98],
    ["a page with React", { ...plain, hydrated: true }, 90],
  ] as const)("%s: demands its minimum performance", (_what, kind, least) => {
    expect(brokenByScores({ ...full, performance: least }, kind)).toEqual([]);
    expect(brokenByScores({ ...full, performance: least - 1 }, kind)).toHaveLength(1);
  });

  test.each(["accessibility", "best-practices", "seo"] as const)("demands the full score for %s", (name) => {
    expect(brokenByScores({ ...full, [name]: 99 }, plain)).toHaveLength(1);
  });

  test("allows a low SEO score for a page that is not indexed", () => {
    expect(brokenByScores({ ...full, seo: 58 }, { ...plain, indexed: false })).toEqual([]);
  });
});
