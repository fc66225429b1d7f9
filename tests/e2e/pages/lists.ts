/** My Orders and the cart, and the parts that every list has: tabs, a search, cards on a phone. */
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

  /** Filters with the page's tabs, which share their state with the header's selector. */
  async narrow(service: "All" | "Microsoft" | "Google" | "brio"): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Service" })
      .getByRole("link", { name: service, exact: true })
      .click();
  }

  /** The row's filled button, for the likely next action. */
  filled(text: string): Locator {
    return this.row(text)
      .locator("a.button:not(.quiet), button:not(.quiet, .icon)")
      .filter({ visible: true });
  }

  /** The empty list's message. */
  empty(message: string): Locator {
    return this.page.locator(".empty").filter({ hasText: message });
  }

  async find(text: string): Promise<void> {
    const search = this.page.getByRole("main").getByRole("searchbox");
    await search.fill(text);
    await search.press("Enter");
  }
}

/** Parts of My Subscriptions besides its rows (accounts.ts). */
export class SubscriptionsList extends ListPage {
  /** The subscription that ends next. */
  readonly due: Locator;
  readonly overview: Locator;
  constructor(page: Page) {
    super(page, "/subscriptions", "My Subscriptions");
    this.due = page.locator(".notice.due");
    this.overview = page.getByRole("region", { name: "Spend and renewals" });
  }

  badge(text: string): Locator {
    return this.row(text).locator(".badge");
  }

  /** The accessible text of a chart: each month that has an amount. */
  async months(chart: "Upcoming renewals" | "Spend by month"): Promise<string[]> {
    const items = this.overview.getByRole("list", { name: chart }).getByRole("listitem");
    const texts = await items.locator("time, b").allTextContents();
    return texts.map((text) => text.trim());
  }
}

export class OrdersPage extends ListPage {
  constructor(page: Page) {
    super(page, "/myorders", "My Orders");
  }

  /** The open popup of an order. */
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
  constructor(page: Page) {
    super(page, "/cart", "Cart");
    this.removed = page.getByRole("status").filter({ hasText: "Removed" });
  }

  async remove(plan: string): Promise<void> {
    await this.row(plan).locator(".row-menu summary").click();
    await this.row(plan).getByRole("button", { name: "Remove" }).click();
  }

  async putBack(): Promise<void> {
    await this.removed.getByRole("button", { name: "Undo" }).click();
  }

  async buy(plan: string): Promise<void> {
    await this.row(plan).getByRole("link", { name: "Buy" }).click();
  }
}
