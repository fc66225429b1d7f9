/** Where a reader stands once a page is there: what has the focus, and whether it can be seen. */
import { expect, type Page } from "playwright/test";

/**
 * What may come first: the page's heading, what went wrong, the payment provider's checkout, a dialog's first answer, or a wait,
 * which has the heading's focus until it moves on by itself to a page that the browser loads at its top.
 */
export type Arrived = "heading" | "problem" | "checkout" | "dialog" | "wait";

const whatHasFocus = {
  heading: "h1",
  problem: "main .error-summary",
  checkout: "iframe[title=Payment]",
  dialog: "dialog:modal *",
  wait: "h1",
} as const satisfies Record<Arrived, string>;

/** Expects the focus on it, its beginning on the screen, and the page at its top where it begins with its heading. */
export async function expectArrived(page: Page, at: Arrived): Promise<void> {
  const look = () =>
    page.evaluate(
      ([selector, mayBeOver]) => {
        const focused = document.activeElement;
        if (mayBeOver && location.pathname.endsWith("/order-processed") && focused === document.body) {
          return scrollY === 0 ? "in view" : `the page stands ${scrollY} px from its top`;
        }
        if (focused?.matches(selector) !== true) return `the focus is on ${focused?.outerHTML.slice(0, 80)}`;
        const { top } = focused.getBoundingClientRect();
        if (top < 0 || top > innerHeight - 120) return `it begins ${top} px below the top of the screen`;
        return selector === "h1" && scrollY !== 0 ? `the page stands ${scrollY} px from its top` : "in view";
      },
      [whatHasFocus[at], at === "wait"] as const,
    );
  // A page that is being replaced cannot be asked.
  await expect(async () =>
    expect(await look(), `arrived at the ${at} of ${page.url()}`).toBe("in view"),
  ).toPass();
}
