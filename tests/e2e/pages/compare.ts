/** The comparison of plans, `/compare`, and the questions that choose one, `/choose`. */
import { expect, type Locator, type Page } from "playwright/test";

export class ComparePage {
  readonly heading: Locator;
  readonly table: Locator;
  readonly show: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.table = page.getByRole("table");
    this.show = page.getByRole("button", { name: "Compare plans" });
  }

  async open(address = "/compare"): Promise<void> {
    await this.page.goto(address);
  }

  plan(name: string): Locator {
    return this.page.getByRole("columnheader", { name });
  }

  /** Visible cells of a row. */
  row(title: string): Locator {
    return this.table.getByRole("row", { name: title }).getByRole("cell");
  }

  async chooseTwo(first: string, second: string): Promise<void> {
    await this.page.getByLabel("Compare", { exact: true }).selectOption(first);
    await this.page.getByLabel("With", { exact: true }).selectOption(second);
    await this.show.click();
  }

  async answer(...answers: readonly string[]): Promise<void> {
    for (const answer of answers) await this.page.getByRole("radio", { name: answer, exact: true }).check();
    await this.page.getByRole("button", { name: "Show my plan" }).click();
  }

  async expectAdvice(plan: string): Promise<void> {
    await expect(this.page.getByRole("heading", { level: 2 }).first()).toHaveText(`We recommend ${plan}`);
  }
}
