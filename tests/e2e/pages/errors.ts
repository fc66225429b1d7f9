/**
 * A form's errors as a user sees them: the summary's links lead to the fields, and each field repeats its error. Also checks the
 * page's accessibility, so that every state with an error is covered (accessible.ts).
 */
import { expect, type Locator, type Page } from "playwright/test";
import { expectAccessible } from "./accessible.ts";

/**
 * Expects exactly these errors, in this order: every link of the summary moves the focus to its field, whose description contains
 * the message.
 * @param expected the field of each message, after the message
 */
export async function expectErrors(page: Page, expected: readonly (readonly [string, Locator])[]) {
  // While a response is pending the screen shows the previous errors, and a click on them would abort it.
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

/** Expects an error of the whole form. */
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

/** Waits until the browser has cached the offline page. */
export async function untilKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}
