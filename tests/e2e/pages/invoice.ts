/** A document on its sheet (an invoice, a credit note or a proforma), and the text of its PDF. */
import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "playwright/test";
import { pdfPages } from "#tests/support/pdf-text.ts";

export class InvoicePage {
  readonly heading: Locator;
  readonly sheet: Locator;
  readonly download: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.sheet = page.getByRole("article");
    this.download = page.getByRole("link", { name: "Download PDF" });
  }

  /** Name of the downloaded file. */
  async fileName(): Promise<string> {
    const [file] = await Promise.all([this.page.waitForEvent("download"), this.download.click()]);
    return file.suggestedFilename();
  }

  /** The downloaded PDF. */
  async file(): Promise<Uint8Array> {
    const [file] = await Promise.all([this.page.waitForEvent("download"), this.download.click()]);
    return new Uint8Array(await readFile(await file.path()));
  }

  /** The PDF's text, with whitespace collapsed. */
  async pdf(): Promise<string> {
    return (await pdfPages(await this.file())).join(" ");
  }

  /** Waits for its registration, if it needs one. */
  async untilFinal(): Promise<void> {
    await expect(async () => {
      await this.page.reload();
      await expect(this.download).toBeVisible({ timeout: 1_000 });
    }).toPass();
  }
}
