/** Search, from the header of any page, and its results. */
import type { Locator, Page } from "playwright/test";

export class SearchPage {
  readonly heading: Locator;
  readonly results: Locator;
  readonly pager: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.results = page.getByRole("article");
    this.pager = page.getByRole("navigation", { name: "Pages of results" });
  }

  /** Searches. On a page without a search box it opens the home page first. */
  async search(query: string): Promise<void> {
    const header = this.page.getByRole("banner");
    const box = header.getByRole("searchbox", { name: "Search services" });
    if (!(await box.isVisible())) await header.getByRole("link", { name: "Hubs of Happiness" }).click();
    await box.fill(query);
    await header.getByRole("button", { name: "Search" }).click();
  }
}
