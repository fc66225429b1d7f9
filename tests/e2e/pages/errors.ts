/**
 * What a form says is wrong, as a person meets it: the summary's links lead to the fields, and each field repeats its line.
 * The page is looked at with it, so that no state with an error goes without (accessible.ts).
 */
import { expect, type Locator, type Page } from "playwright/test";
import { expectAccessible } from "./accessible.ts";

/**
 * Expects exactly these errors, in this order: every link of the summary takes the focus to its field, and the field is
 * described by the same words.
 * @param expected the field that each message belongs to, by the message
 */
export async function expectErrors(page: Page, expected: readonly (readonly [string, Locator])[]) {
  // While an answer is on its way the errors on the screen are those of the one before, and a click on them would end it.
  await expect(page.locator("button[aria-busy]")).toHaveCount(0);
  const summary = errorSummary(page);
  await expect(summary.getByRole("listitem")).toHaveText(expected.map(([message]) => message));
  for (const [message, field] of expected) {
    await summary.getByRole("link", { name: message, exact: true }).click();
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(new RegExp(literally(message)));
  }
  await expectAccessible(page);
}

/** Expects an error that belongs to no field. */
export async function expectFormError(page: Page, message: string | RegExp) {
  await expect(errorSummary(page)).toContainText(message);
  await expectAccessible(page);
}

export function errorSummary(page: Page): Locator {
  return page.getByRole("alert").filter({ hasText: "There is a problem" });
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Until the browser keeps the page that is shown when none can be fetched. */
export async function untilKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}
