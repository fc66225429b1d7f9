/** Step 1, Subscription Details, of a new order and of an existing one. */
import { expect, type Locator, type Page } from "playwright/test";

export class DetailsStep {
  readonly heading: Locator;
  readonly quantity: Locator;
  /** Google only. */
  readonly domain: Locator;
  /** The server's verdict on the typed domain; with scripts only. */
  readonly domainVerdict: Locator;
  /** Google only, for a domain that is with another reseller. */
  readonly transfer: Locator;
  readonly transferToken: Locator;
  /** Existing customers only: the name of a new tenant. */
  readonly prefix: Locator;
  /** Radio buttons for the order's destination. */
  readonly destinations: Locator;
  constructor(readonly page: Page) {
    this.prefix = page.getByLabel("Domain Name");
    this.destinations = page.getByRole("group", { name: /^(Where should we add|Which subscription)/ });
    this.heading = page.getByRole("heading", {
      level: 1,
      name: /^Step 1 of \d (Set up your|Add More Licenses|Renew Your)/,
    });
    this.quantity = page.getByLabel("Quantity");
    this.domain = page.getByRole("textbox", { name: "Domain", exact: true });
    this.transfer = page.locator("details").filter({ hasText: "Is the domain with another reseller?" });
    this.transferToken = this.transfer.getByLabel("Transfer token");
    this.domainVerdict = page.locator("[data-domain-check]");
  }

  /** Opens the plan directly, without the catalogue. */
  async open(plan: string, country: "IN" | "US", family = "microsoft"): Promise<void> {
    await this.page.goto(`/order/${family}/${plan}/${country}`);
  }

  destination(name: string): Locator {
    return this.destinations.getByRole("radio", { name });
  }

  term(name: "One Year" | "One Month"): Locator {
    return this.page.getByRole("radio", { name });
  }

  /** Gives the token of a transferred domain, or ticks that it follows later. */
  async giveToken(token: string | null): Promise<void> {
    // With scripts the domain check opens it too, and a click at that moment would close it again.
    await expect(async () => {
      if (!(await this.transferToken.isVisible())) await this.transfer.locator("summary").click();
      await expect(this.transferToken).toBeVisible({ timeout: 500 });
    }).toPass();
    const later = this.transfer.getByRole("checkbox", { name: "I don't have the token yet" });
    await later.setChecked(token === null);
    if (token !== null) await this.transferToken.fill(token);
  }

  /** Replaces the value key by key, as a person does. */
  async typeQuantity(text: string): Promise<void> {
    await this.quantity.fill("");
    await this.quantity.pressSequentially(text);
  }

  /** Expects, with scripts, that a number is cut at its first invalid character and that its parts are never joined. */
  async expectTypedQuantities(): Promise<void> {
    for (const [typed, shown] of [
      ["2.5", "2"],
      ["-5", "0"],
      [".5", "0"],
      ["10/2", "10"],
      ["1,000", "1000"],
      ["17", "17"],
    ] as const) {
      await this.typeQuantity(typed);
      await expect(this.quantity, `typed ${typed}`).toHaveValue(shown);
    }
  }

  /** Posts the step with Enter, without leaving the field. */
  async pressEnter(): Promise<void> {
    await this.quantity.press("Enter");
  }

  /** Expects the total for the typed number: shown during typing, or without scripts after a press of the button. */
  async expectTotal(sentence: string | RegExp, { pressing }: { pressing: boolean }): Promise<void> {
    if (pressing) await this.page.getByRole("button", { name: "Update total" }).click();
    else await expect(this.page.getByRole("button", { name: "Update total" })).toBeHidden();
    await expect(this.page.locator(".total-said output")).toHaveText(sentence);
  }

  /** Adds or removes one licence with the buttons next to the number. */
  async count(by: "more" | "less"): Promise<void> {
    await this.page
      .getByRole("button", { name: by === "more" ? "Add one license" : "Remove one license" })
      .click();
  }

  async next(): Promise<void> {
    await this.page.getByRole("button", { name: "Next" }).click();
  }
}
