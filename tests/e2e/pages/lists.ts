/** My Orders and the cart, and what every list has: tabs, a search, cards on a phone. */
import type { Locator, Page } from "playwright/test";

abstract class ListPage {
  readonly heading: Locator;
  constructor(
    readonly page: Page,
    readonly path: string,
    heading: string,
  ) {
    this.heading = page.getByRole("heading", { level: 1, name: heading });
  }

  async open(): Promise<void> {
    await this.page.goto(this.path);
  }

  row(text: string): Locator {
    return this.page.getByRole("main").getByRole("row").filter({ hasText: text });
  }

  async narrow(service: "All" | "Microsoft" | "Google" | "brio"): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Service" })
      .getByRole("link", { name: service, exact: true })
      .click();
  }

  async find(text: string): Promise<void> {
    const search = this.page.getByRole("main").getByRole("searchbox");
    await search.fill(text);
    await search.press("Enter");
  }
}

export class OrdersPage extends ListPage {
  constructor(page: Page) {
    super(page, "/myorders", "My Orders");
  }

  /** The popup of the order that is open. */
  get details(): Locator {
    return this.page.getByRole("dialog", { name: "Your order" });
  }

  async openDetails(plan: string): Promise<void> {
    await this.row(plan).getByRole("button", { name: "Details" }).click();
  }

  async closeDetails(): Promise<void> {
    await this.details.getByRole("button", { name: "Close" }).click();
  }
}

export class CartPage extends ListPage {
  readonly removed: Locator;
  readonly total: Locator;
  constructor(page: Page) {
    super(page, "/cart", "Cart");
    this.removed = page.getByRole("status").filter({ hasText: "Removed" });
    this.total = page.locator(".totals dt");
  }

  async remove(plan: string): Promise<void> {
    await this.row(plan).getByRole("button", { name: "Remove" }).click();
  }

  async putBack(): Promise<void> {
    await this.removed.getByRole("button", { name: "Put it back" }).click();
  }

  async buy(plan: string): Promise<void> {
    await this.row(plan).getByRole("link", { name: "Buy" }).click();
  }
}
