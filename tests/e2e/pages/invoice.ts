/** An order's invoice. */
import type { Locator, Page } from "playwright/test";

export class InvoicePage {
  readonly heading: Locator;
  readonly sheet: Locator;
  readonly download: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.sheet = page.getByRole("article");
    this.download = page.getByRole("link", { name: "Download PDF" });
  }

  /** The name of the file that comes. */
  async fileName(): Promise<string> {
    const [file] = await Promise.all([this.page.waitForEvent("download"), this.download.click()]);
    return file.suggestedFilename();
  }
}
