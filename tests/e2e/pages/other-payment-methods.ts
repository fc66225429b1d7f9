/** Pay another way, with its proforma and payment link, and the bank and provider's pages on which they are paid. */
import { expect, type Locator, type Page } from "playwright/test";

export class OtherWaysPage {
  readonly heading: Locator;
  readonly terms: Locator;
  /** The selectable ways and the created documents, in page order. */
  readonly parts: Locator;
  readonly byLink: Locator;
  readonly byTransfer: Locator;
  /** The button, labelled for the selected way. */
  readonly button: Locator;
  readonly openLink: Locator;
  constructor(readonly page: Page) {
    const main = page.getByRole("main");
    this.heading = page.getByRole("heading", { level: 1, name: "Pay another way" });
    this.terms = page.getByRole("checkbox", { name: "I have read and accept these terms." });
    this.parts = main.locator("h2, .choice strong");
    this.byLink = main.getByRole("radio", { name: /^Pay with a payment link/ });
    this.byTransfer = main.getByRole("radio", { name: /^Pay by bank transfer/ });
    this.button = main.locator("form.ways button");
    this.openLink = main.getByRole("link", { name: "Open the payment link" });
  }

  /** The review, which leads here, has the same checkbox. */
  private async acceptTerms(): Promise<void> {
    await expect(this.heading).toBeVisible();
    await this.terms.check();
  }

  /** Accepts the terms and requests the link. */
  async sendLink(): Promise<void> {
    await this.acceptTerms();
    await this.byLink.check();
    await expect(this.button).toHaveAccessibleName("Send me a payment link");
    await this.button.click();
    await expect(this.openLink).toBeVisible();
  }

  /** Accepts the terms and creates the proforma. @returns the account, and the amount in whole rupees */
  async makeProforma(): Promise<{ number: string; total: number }> {
    await this.acceptTerms();
    await this.byTransfer.check();
    await expect(this.button).toHaveAccessibleName("Get bank details");
    await this.button.click();
    await expect(this.page.getByText("We are waiting for your transfer of")).toBeVisible();
    return {
      number: await this.#line("Account number"),
      total: Number((await this.#line("Amount to transfer")).replace(/[^\d.]/g, "")),
    };
  }

  async #line(label: string): Promise<string> {
    const value = this.page
      .locator(".account")
      .getByText(label, { exact: true })
      .locator("xpath=following-sibling::dd/code");
    return (await value.textContent())?.trim() ?? "";
  }
}

/** The buyer's bank, simulated by the sandbox. */
export class BankPage {
  constructor(
    readonly page: Page,
    readonly sandboxUrl: string,
  ) {}

  async transfer({ number, amount }: { number: string; amount: number }): Promise<void> {
    await this.page.goto(`${this.sandboxUrl}/bank`);
    await this.page.getByLabel("Account number").fill(number);
    await this.page.getByLabel("Amount in rupees").fill(String(amount));
    await this.page.getByRole("button", { name: "Transfer" }).click();
    await expect(this.page.getByRole("heading", { name: "Transferred" })).toBeVisible();
  }
}

/** The provider's page of a payment link, simulated by the sandbox. */
export class PaymentLinkPage {
  readonly amount: Locator;
  readonly payButton: Locator;
  readonly declineButton: Locator;
  constructor(readonly page: Page) {
    this.amount = page.locator(".amount");
    this.payButton = page.getByRole("button", { name: "Pay", exact: true });
    this.declineButton = page.getByRole("button", { name: "Decline" });
  }
}
