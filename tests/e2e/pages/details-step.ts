/** Step 1, Subscription Details: of a new order, and of one that exists. */
import { expect, type Locator, type Page } from "playwright/test";

export class DetailsStep {
  readonly heading: Locator;
  readonly quantity: Locator;
  /** Google only. */
  readonly domain: Locator;
  /** What the server says of the domain while it is typed; with scripts only. */
  readonly domainVerdict: Locator;
  /** Google only: of a domain that is with another reseller. */
  readonly transfer: Locator;
  readonly transferToken: Locator;
  /** An existing customer's: the name of a tenant to be made. */
  readonly prefix: Locator;
  /** The radio buttons of where the order goes. */
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

  /** Without the catalogue, straight to the plan. */
  async open(plan: string, country: "IN" | "US", family = "microsoft"): Promise<void> {
    await this.page.goto(`/order/${family}/${plan}/${country}`);
  }

  destination(name: string): Locator {
    return this.destinations.getByRole("radio", { name });
  }

  term(name: "One Year" | "One Month"): Locator {
    return this.page.getByRole("radio", { name });
  }

  /** With the token of a domain that moves here, or without it as yet. */
  async giveToken(token: string | null): Promise<void> {
    // With scripts the check of the domain opens it too, and a click at that moment would close it again.
    await expect(async () => {
      if (!(await this.transferToken.isVisible())) await this.transfer.locator("summary").click();
      await expect(this.transferToken).toBeVisible({ timeout: 500 });
    }).toPass();
    const later = this.transfer.getByRole("checkbox", { name: "I don't have the token yet" });
    await later.setChecked(token === null);
    if (token !== null) await this.transferToken.fill(token);
  }

  /** Key by key, as a person does, in place of what was there. */
  async typeQuantity(text: string): Promise<void> {
    await this.quantity.fill("");
    await this.quantity.pressSequentially(text);
  }

  /** With scripts: what is no whole number is cut where it stops being one; its parts are never glued together. */
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

  /** Posts the step from the keyboard, the focus staying in the field. */
  async pressEnter(): Promise<void> {
    await this.quantity.press("Enter");
  }

  /** What the number typed comes to: said while it is typed, or once the button without scripts is pressed. */
  async expectTotal(sentence: string | RegExp, { pressing }: { pressing: boolean }): Promise<void> {
    if (pressing) await this.page.getByRole("button", { name: "Update total" }).click();
    else await expect(this.page.getByRole("button", { name: "Update total" })).toBeHidden();
    await expect(this.page.locator(".total-said output")).toHaveText(sentence);
  }

  /** One licence more or fewer, by the buttons beside the number. */
  async count(by: "more" | "less"): Promise<void> {
    await this.page
      .getByRole("button", { name: by === "more" ? "Add one license" : "Remove one license" })
      .click();
  }

  async next(): Promise<void> {
    await this.page.getByRole("button", { name: "Next" }).click();
  }
}
