/**
 * The payment provider's checkout, simulated by the sandbox: with scripts a frame that checkout.js opens in the page, without
 * them a separate page. The buyer's actions have the same names in both.
 */
import type { FrameLocator, Locator, Page } from "playwright/test";

/** Label of the store's own button. "Pay another way" precedes it. */
export const payAmount = /^Pay .*\d/;

export class Checkout {
  readonly #page: Page;
  readonly #scriptsOff: boolean;
  constructor(page: Page, scriptsOff: boolean) {
    this.#page = page;
    this.#scriptsOff = scriptsOff;
  }

  /** Waits for the checkout; presses Pay in the store unless Place Order has already opened it. */
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

  /** The selectable methods, by the provider's labels. */
  async offered(): Promise<string[]> {
    const names = await this.#surface.locator("label.choice:has(input:enabled)").allTextContents();
    return names.map((name) => name.trim());
  }

  /** Declines as the bank, and returns to the store. */
  async decline(): Promise<void> {
    await this.#surface.getByRole("button", { name: "Decline" }).click();
    if (this.#scriptsOff) return this.#returnToStore();
    await this.#surface.getByRole("link", { name: "Try again" }).click();
    await this.cancel();
  }

  async cancel(): Promise<void> {
    await this.#surface.getByRole("link", { name: "Cancel" }).click();
    // The store has processed it once none of its buttons is busy.
    await this.#page.locator("main:not(:has(button[aria-busy])) button", { hasText: payAmount }).waitFor();
  }

  async #returnToStore(): Promise<void> {
    // Where scripts run, the hosted page submits the result automatically.
    if (this.#scriptsOff) await this.#page.getByRole("button", { name: "Return to store" }).click();
  }

  get #surface(): Page | FrameLocator {
    return this.#scriptsOff ? this.#page : this.#page.frameLocator("iframe[title='Payment']");
  }
}

/** The hosted page in a browser with scripts, for tests without checkout.js. */
export class HostedCheckout {
  readonly payButton: Locator;
  constructor(readonly page: Page) {
    this.payButton = page.getByRole("button", { name: "Pay", exact: true });
  }

  async pay(): Promise<void> {
    await this.payButton.click();
  }
}

/** Whether the button is busy, as while an automatically opened checkout is open. */
async function opensByItself(pay: Locator): Promise<boolean> {
  for (let look = 0; look < 10; look++) {
    if ((await pay.getAttribute("aria-busy")) === "true") return true;
    await pay.page().waitForTimeout(50);
  }
  return false;
}

/** Waits for hydration: before it, a press has the effect that it has without scripts. */
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
