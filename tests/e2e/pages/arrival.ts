/** The state of a page on arrival: the focused element, and whether it is visible. */
import { expect, type Page } from "playwright/test";

/**
 * The first thing on a page: its heading, an error, the payment provider's checkout, a dialog's first choice, or a wait, whose
 * heading has the focus until the browser loads the next page at its top.
 */
export type Arrived = "heading" | "problem" | "checkout" | "dialog" | "wait";

const whatHasFocus = {
  heading: "h1",
  problem: "main .error-summary",
  checkout: "iframe[title=Payment]",
  dialog: "dialog:modal *",
  wait: "h1",
} as const satisfies Record<Arrived, string>;

/** Expects the focus on it, its beginning on the screen, and the page at its top if it begins with its heading. */
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
  // A page that is being replaced cannot be queried.
  await expect(async () =>
    expect(await look(), `arrived at the ${at} of ${page.url()}`).toBe("in view"),
  ).toPass();
}
