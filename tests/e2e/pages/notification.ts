/** The message across the top of a page. */
import type { Locator, Page } from "playwright/test";

export class Notification {
  readonly root: Locator;
  readonly closeButton: Locator;
  constructor(page: Page) {
    this.root = page.locator("[data-notice]");
    this.closeButton = this.root.getByRole("button", { name: "Close" });
  }
}
