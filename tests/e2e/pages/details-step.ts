/** Step 1, Subscription Details: of a new order, and of one that exists. */
import type { Locator, Page } from "playwright/test";

export class DetailsStep {
  readonly heading: Locator;
  readonly quantity: Locator;
  /** Google only. */
  readonly domain: Locator;
  /** What the server says of the domain while it is typed; with scripts only. */
  readonly domainVerdict: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: /^Set up your/ });
    this.quantity = page.getByLabel("Quantity");
    this.domain = page.getByLabel("Domain");
    this.domainVerdict = page.locator("[data-domain-check]");
  }

  /** Without the catalogue, straight to the plan. */
  async open(plan: string, country: "IN" | "US", family = "microsoft"): Promise<void> {
    await this.page.goto(`/order/${family}/${plan}/${country}`);
  }

  term(name: "One Year" | "One Month"): Locator {
    return this.page.getByRole("radio", { name });
  }

  /** Posts the step from the keyboard, the focus staying in the field. */
  async pressEnter(): Promise<void> {
    await this.quantity.press("Enter");
  }

  async next(): Promise<void> {
    await this.page.getByRole("button", { name: "Next" }).click();
  }
}
