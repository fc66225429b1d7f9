/** Where a reader stands once a page is there: what has the focus, and whether it can be seen. */
import { expect, type Page } from "playwright/test";

/** What may come first: the page's heading, what went wrong, the payment provider's checkout, or a dialog's first answer. */
export type Arrived = "heading" | "problem" | "checkout" | "dialog";

const whatHasFocus = {
  heading: "h1",
  problem: "main .error-summary",
  checkout: "iframe[title=Payment]",
  dialog: "dialog:modal *",
} as const satisfies Record<Arrived, string>;

/** Expects the focus on it, its beginning on the screen, and the page at its top where it begins with its heading. */
export async function expectArrived(page: Page, at: Arrived): Promise<void> {
  const look = () =>
    page.evaluate((selector) => {
      const focused = document.activeElement;
      if (focused?.matches(selector) !== true) return `the focus is on ${focused?.outerHTML.slice(0, 80)}`;
      const { top } = focused.getBoundingClientRect();
      if (top < 0 || top > innerHeight - 120) return `it begins ${top} px below the top of the screen`;
      return selector === "h1" && scrollY !== 0 ? `the page stands ${scrollY} px from its top` : "in view";
    }, whatHasFocus[at]);
  await expect.poll(look, { message: `arrived at the ${at} of ${page.url()}` }).toBe("in view");
}
