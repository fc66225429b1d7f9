/** The catalogue: `/`. */
import type { Locator, Page } from "playwright/test";

export type Country = "IN" | "US";

export class HomePage {
  readonly heading: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
  }

  async open(): Promise<void> {
    await this.page.goto("/");
  }

  async choose(name: "India (₹)" | "USA ($)" | "Microsoft" | "Google"): Promise<void> {
    await this.page.getByRole("main").getByRole("link", { name, exact: true }).click();
  }

  card(plan: string): Locator {
    return this.page
      .getByRole("article")
      .filter({ has: this.page.getByRole("heading", { name: plan, exact: true }) });
  }

  async buyNow(plan: string): Promise<void> {
    await this.card(plan).getByRole("link", { name: "Buy Now" }).click();
  }
}
