/** Whether a page is for everyone: what axe finds, in light and in dark, and whether everything fits. */
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "playwright/test";
import { misfits } from "./screen.ts";

/** An annotation of tests whose pages are looked at in another project: axe is a script itself. */
export const lookedAtElsewhere = "looked at where scripts run";

/**
 * Expects that axe finds nothing on the page as it is now, in light and in dark, and that it fits every screen, with text
 * twice the size too.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (test.info().annotations.some(({ type }) => type === lookedAtElsewhere)) return;
  // What it passes is counted as well unless told not to, and each element given a selector: half of the time.
  const axe = (axeSource = "") =>
    new AxeBuilder({ page, axeSource }).setLegacyMode().options({
      resultTypes: ["violations"],
      selectors: false,
      // Of WCAG 2.2, which axe leaves out unless asked.
      rules: { "target-size": { enabled: true } },
    });
  const light = await axe().analyze();
  // Halfway from one to the other, colours fit neither.
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  // It puts itself into the page for each analysis, which takes longer than the analysis: it is there from the first.
  const dark = await axe("/* there already */").withRules("color-contrast").analyze();
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  const found = [...light.violations, ...dark.violations].map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
  );
  expect([...found, ...(await misfits(page))], `axe and fit of ${page.url()}`).toEqual([]);
}
