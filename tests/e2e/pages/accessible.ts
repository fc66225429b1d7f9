/** Whether a page is for everyone: what axe finds, in light and in dark, and whether everything fits. */
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

/** An annotation of tests whose pages are looked at in another project: axe is a script itself. */
export const lookedAtElsewhere = "looked at where scripts run";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Expects that axe finds nothing on the page as it is now, in light and in dark, and that it fits every screen, with text
 * twice the size too.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (test.info().annotations.some(({ type }) => type === lookedAtElsewhere)) return;
  const found = [...(await violations(page)), ...(await violationsInDark(page))];
  expect([...found, ...(await misfits(page))], `axe and fit of ${page.url()}`).toEqual([]);
}

/** Returns what axe finds on the page as it is now. @param without rules that need not be asked */
export async function violations(page: Page, without: readonly string[] = []): Promise<string[]> {
  // To read its source takes as long as an analysis, so each page reads it once.
  for (const frame of page.frames()) await frame.evaluate(source);
  return analyse(page, {
    rules: {
      // Of WCAG 2.2, which axe leaves out unless asked.
      "target-size": { enabled: true },
      ...Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    },
  });
}

/** Returns which colours axe rejects in dark, on a page where `violations` has injected it. */
export async function violationsInDark(page: Page): Promise<string[]> {
  // Halfway from one to the other, colours fit neither.
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
    // What it passes is counted as well unless told not to, and each element given a selector: half of the time.
    { resultTypes: ["violations"], selectors: false, ...options } satisfies axe.RunOptions,
  );
}
