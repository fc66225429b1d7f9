/** Step 3, Review and Place Order: the review, the terms, Pay, and Submit for money that has already arrived. */
import type { Locator, Page } from "playwright/test";
import { payAmount } from "./checkout.ts";

const isDecision = /^(?:After the term|Cancel or reduce|Invoice): /;

export class PlaceOrderStep {
  readonly heading: Locator;
  readonly terms: Locator;
  readonly termsLines: Locator;
  readonly soldTo: Locator;
  readonly payButton: Locator;
  readonly payOtherwise: Locator;
  readonly submitButton: Locator;
  readonly paid: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Review and Place Order" });
    this.terms = page.getByRole("checkbox", { name: "I have read and accept these terms." });
    this.termsLines = page.getByRole("main").locator("form").getByRole("list").last().getByRole("listitem");
    this.soldTo = page.getByRole("group").filter({ hasText: /IN|US/ }).or(page.locator("address"));
    this.payButton = page.getByRole("main").getByRole("button", { name: payAmount });
    this.payOtherwise = page.getByRole("main").getByRole("button", { name: /^Pay by (UPI|net|wallet)/ });
    this.submitButton = page.getByRole("main").getByRole("button", { name: "Submit" });
    this.paid = page.getByText(
      "Your payment has been completed. Please click Submit to complete your order.",
    );
  }

  /** The lines of the order and its bill, as "Product: Microsoft 365 Business Basic". */
  async lines(): Promise<string[]> {
    return (await this.#all()).filter((line) => !isDecision.test(line));
  }

  /** The lines that help to decide: the end of the term, the cancellation window, and the invoice. */
  async decisions(): Promise<string[]> {
    return (await this.#all()).filter((line) => isDecision.test(line));
  }

  async #all(): Promise<string[]> {
    // Read at once instead of awaited: a document that is still arriving would be incomplete.
    await this.page.waitForLoadState();
    return this.#read("dl.lines:not([aria-label=Contact]), .step .bill dl");
  }

  /** Contacts of the order, as "Email: asha@example.com". */
  async contact(): Promise<string[]> {
    await this.page.waitForLoadState();
    return this.#read("dl.lines[aria-label=Contact]");
  }

  async change(what: string): Promise<void> {
    await this.page
      .getByRole("main")
      .getByRole("link", { name: `Change ${what}`, exact: true })
      .click();
  }

  async #read(list: string): Promise<string[]> {
    const lines = this.page.getByRole("main").locator(list);
    const terms = await lines.locator("dt").allTextContents();
    const values = await lines.locator("dd:not(.change)").allTextContents();
    return terms.map((term, index) => `${term}: ${values[index]}`);
  }

  /** Accepts the terms and presses Place Order. */
  async place(): Promise<void> {
    await this.terms.check();
    await this.pressPlaceOrder();
  }

  async pressPlaceOrder(): Promise<void> {
    await this.page.getByRole("main").getByRole("button", { name: "Place Order" }).click();
  }

  /** Presses the second button, for every method of the checkout but cards. */
  async placeOtherwise(): Promise<void> {
    await this.terms.check();
    await this.payOtherwise.click();
  }

  async submit(): Promise<void> {
    await this.submitButton.click();
  }
}
