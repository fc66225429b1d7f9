/** Step 5, Order Processed. */
import { expect, type Locator, type Page } from "playwright/test";

export class ClosurePage {
  readonly heading: Locator;
  readonly lead: Locator;
  readonly credentials: Locator;
  readonly username: Locator;
  readonly password: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    // Includes the number of licences: the waiting page has "when everything is ready." and continues to this one.
    this.lead = page.getByRole("main").getByText(/ licenses? (?:is|are) ready\.$/);
    this.credentials = page.getByRole("region", { name: "Your sign-in details" });
    this.username = this.credentials.locator("code").first();
    this.password = this.credentials.locator("code").last();
  }

  copy(what: "username" | "password"): Locator {
    return this.credentials.getByRole("button", { name: `Copy the ${what}` });
  }

  async dismiss(): Promise<void> {
    await this.credentials.getByText("I have saved them…").click();
    await expect(
      this.credentials.getByText("Remove these details? You won't be able to see them again."),
    ).toBeVisible();
    await this.credentials.getByRole("button", { name: "Remove details" }).click();
  }

  async manageSubscriptions(): Promise<void> {
    await this.page.getByRole("link", { name: "Manage Subscriptions" }).click();
  }
}
