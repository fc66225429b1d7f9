/** What a page does to its screen. */
import type { Page } from "playwright/test";

/** By how much a page is wider than its screen, which nobody should have to scroll. */
export function widerThanScreen(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
