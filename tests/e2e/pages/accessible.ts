/** Whether a page is accessible: axe's findings, in light and dark, and whether everything fits. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import { expect, type Page, test } from "playwright/test";
import { misfits } from "./screen.ts";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** An annotation of tests whose pages are checked in another project: axe itself is a script. */
export const lookedAtElsewhere = "looked at where scripts run";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Expects that axe finds nothing on the current page, in light and dark, and that it fits every screen, with text of twice the
 * size too.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (test.info().annotations.some(({ type }) => type === lookedAtElsewhere)) return;
  const found = [...(await violations(page)), ...(await violationsInDark(page))];
  expect([...found, ...(await misfits(page))], `axe and fit of ${page.url()}`).toEqual([]);
}

/** Returns axe's findings on the current page. @param without rules to skip */
export async function violations(page: Page, without: readonly string[] = []): Promise<string[]> {
  // Reading its source takes as long as an analysis, so each page reads it once.
  for (const frame of page.frames()) await frame.evaluate(source);
  return analyse(page, {
    rules: {
      // A WCAG 2.2 rule, which axe leaves out by default.
      "target-size": { enabled: true },
      ...Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    },
  });
}

/** Returns the colours that axe rejects in dark, on a page into which `violations` has injected it. */
export async function violationsInDark(page: Page): Promise<string[]> {
  // During the transition colours would fit neither scheme.
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  const found = await analyse(page, { runOnly: ["color-contrast"] });
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return found;
}

function analyse(page: Page, options: axe.RunOptions): Promise<string[]> {
  return page.evaluate(
    async (given) =>
      (await window.axe.run(document, given)).violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
      ),
    // By default it also counts passes and builds a selector for each element: half of the time.
    { resultTypes: ["violations"], selectors: false, ...options } satisfies axe.RunOptions,
  );
}
