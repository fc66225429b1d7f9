/**
 * The payment provider's checkout, played by the sandbox: with scripts a frame that checkout.js opens in the page, without
 * them a page of its own. What the buyer does there has the same names.
 */
import type { FrameLocator, Locator, Page } from "playwright/test";

/** Of the store's own button. "Pay another way" goes before it comes. */
export const payAmount = /^Pay .*\d/;

export class Checkout {
  readonly #page: Page;
  readonly #scriptsOff: boolean;
  constructor(page: Page, scriptsOff: boolean) {
    this.#page = page;
    this.#scriptsOff = scriptsOff;
  }

  /** Waits until the checkout is there; presses Pay in the store unless Place Order has opened it already. */
  async open(name: RegExp = payAmount): Promise<void> {
    const pay = this.#page.getByRole("main").getByRole("button", { name });
    if (!this.#scriptsOff) await untilHydrated(pay);
    if (this.#scriptsOff || !(await opensByItself(pay))) await pay.click();
    await this.payButton.waitFor();
  }

  get payButton(): Locator {
    return this.#surface.getByRole("button", { name: "Pay", exact: true });
  }

  get amount(): Locator {
    return this.#surface.locator(".amount");
  }

  async pay(): Promise<void> {
    await this.payButton.click();
    await this.#returnToStore();
  }

  /** The methods that can be chosen, in the provider's words. */
  async offered(): Promise<string[]> {
    const names = await this.#surface.locator("label.choice:has(input:enabled)").allTextContents();
    return names.map((name) => name.trim());
  }

  /** The bank says no, and the buyer goes back to the store. */
  async decline(): Promise<void> {
    await this.#surface.getByRole("button", { name: "Decline" }).click();
    if (this.#scriptsOff) return this.#returnToStore();
    await this.#surface.getByRole("link", { name: "Try again" }).click();
    await this.cancel();
  }

  async cancel(): Promise<void> {
    await this.#surface.getByRole("link", { name: "Cancel" }).click();
    // The store has heard of it once none of its buttons is busy any more.
    await this.#page.locator("main:not(:has(button[aria-busy])) button", { hasText: payAmount }).waitFor();
  }

  async #returnToStore(): Promise<void> {
    // The hosted page sends the result by itself where scripts run.
    if (this.#scriptsOff) await this.#page.getByRole("button", { name: "Return to store" }).click();
  }

  get #surface(): Page | FrameLocator {
    return this.#scriptsOff ? this.#page : this.#page.frameLocator("iframe[title='Payment']");
  }
}

/** The hosted page in a browser with scripts, for when checkout.js does not come. */
export class HostedCheckout {
  readonly payButton: Locator;
  constructor(readonly page: Page) {
    this.payButton = page.getByRole("button", { name: "Pay", exact: true });
  }

  async pay(): Promise<void> {
    await this.payButton.click();
  }
}

/** The button is busy while a checkout that opened by itself is open. */
async function opensByItself(pay: Locator): Promise<boolean> {
  for (let look = 0; look < 10; look++) {
    if ((await pay.getAttribute("aria-busy")) === "true") return true;
    await pay.page().waitForTimeout(50);
  }
  return false;
}

/** Until React has taken the button over, a press does what it does without scripts. */
export async function untilHydrated(element: Locator): Promise<void> {
  await element.evaluate(
    (node) =>
      new Promise<void>((resolve) => {
        const look = () =>
          Object.keys(node).some((key) => key.startsWith("__reactProps"))
            ? resolve()
            : requestAnimationFrame(look);
        look();
      }),
  );
}
