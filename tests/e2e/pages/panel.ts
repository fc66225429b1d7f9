/** The side panel of a journey. */
import type { Locator, Page } from "playwright/test";

export class Panel {
  readonly root: Locator;
  readonly preview: Locator;
  /** The line above the step, on narrow screens. */
  readonly toggle: Locator;
  constructor(readonly page: Page) {
    this.root = page.getByRole("complementary", { name: "Your order" });
    this.toggle = this.root.locator("summary");
    this.preview = this.root.getByRole("dialog");
  }

  /** Every step with its mark: "+" done, ">" current, "-" ahead. */
  async marks(): Promise<string[]> {
    const items = await this.root.getByRole("listitem").all();
    return Promise.all(
      items.map(async (item) => {
        const text = (await item.textContent()) ?? "";
        if (text.endsWith(" (done)")) return `+ ${text.slice(0, -" (done)".length)}`;
        return `${(await item.getAttribute("aria-current")) === "step" ? ">" : "-"} ${text}`;
      }),
    );
  }

  async openPreview(): Promise<void> {
    await this.root.getByRole("button", { name: "Service details" }).click();
  }

  async go(step: string): Promise<void> {
    await this.root.getByRole("link", { name: step }).click();
  }
}
