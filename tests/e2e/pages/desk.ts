/** Desk in a browser: signing in, the work queue, an order's history, and the form of all staff actions. */
import { expect, type Locator, type Page } from "playwright/test";

export class DeskPage {
  readonly heading: Locator;
  readonly header: Locator;
  readonly story: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.header = page.getByRole("banner");
    this.story = page.getByRole("region", { name: "Timeline" });
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.page.getByLabel("Email", { exact: true }).fill(email);
    await this.page.getByLabel("Password", { exact: true }).fill(password);
    await this.page.getByRole("button", { name: "Continue" }).click();
  }

  get code(): Locator {
    return this.page.getByLabel("Code", { exact: true });
  }

  async enterCode(code: string): Promise<void> {
    await this.code.fill(code);
    await this.page.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  async setUp(password: string, code: string): Promise<void> {
    await this.page.getByLabel("Password", { exact: true }).fill(password);
    await this.page.getByLabel("Confirm password").fill(password);
    await this.code.fill(code);
    await this.page.getByRole("button", { name: "Set up the account" }).click();
  }

  /** The key that the setup page shows for an app that cannot scan the QR code. */
  async key(): Promise<string> {
    const key = await this.page.locator("p", { hasText: "Key:" }).locator("code").textContent();
    return (key ?? "").replaceAll(" ", "");
  }

  async recoveryCodes(): Promise<string[]> {
    return this.page.getByRole("main").locator("li code").allInnerTexts();
  }

  /** Opens a page through the sidebar, or on a phone through the tabs at the bottom. */
  async go(page: string): Promise<void> {
    const name = page === "Needs attention" && this.isNarrow ? "Queue" : page;
    await this.clickInHeader(this.header.getByRole("link", { name, exact: true }));
  }

  async signOut(): Promise<void> {
    await this.clickInHeader(this.header.getByRole("button", { name: "Sign out" }));
  }

  /** Whether the tabs replace the sidebar (app/styles/desk.css). */
  private get isNarrow(): boolean {
    return (this.page.viewportSize()?.width ?? Number.POSITIVE_INFINITY) < 1024;
  }

  private get tabs(): Locator {
    return this.header.getByRole("navigation", { name: "Desk, short" });
  }

  private async clickInHeader(target: Locator): Promise<void> {
    if (this.isNarrow) {
      await expect(this.tabs).toBeVisible();
      if (!(await target.isVisible())) await this.tabs.getByText("More").click();
    }
    await target.click();
  }

  /** A row of the page's list, or an item of the queue. */
  row(text: string): Locator {
    const rows = this.page.getByRole("row").or(this.page.locator(".queue > li"));
    return rows.filter({ hasText: text });
  }

  /** Domains and emails that a list breaks, except long ones, and lists that are wider than their space. */
  brokenWords(): Promise<string[]> {
    return this.page.getByRole("main").evaluate((main) => {
      const short = (word: Element) => (word.textContent ?? "").length <= 28;
      const lines = (word: Element) =>
        word.clientHeight / Number.parseFloat(getComputedStyle(word).lineHeight);
      const words = [...main.querySelectorAll(".list .word")].filter(
        (word) => short(word) && lines(word) > 1.5,
      );
      const lists = [...main.querySelectorAll(".list-frame")].filter(
        (each) => each.scrollWidth > each.clientWidth,
      );
      return [...words, ...lists].map(({ textContent }) => textContent ?? "");
    });
  }

  /** The card of a member of staff. */
  card(email: string): Locator {
    return this.page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ has: this.page.getByRole("heading", { name: email }) });
  }

  async find(search: string): Promise<void> {
    await this.page.getByLabel(/^Order, document or quote number/).fill(search);
    await this.page.getByRole("button", { name: "Show" }).click();
  }

  /** Opens the form of a staff action from its subject's page. */
  async openAct(name: string): Promise<void> {
    await this.page.getByRole("main").getByRole("link", { name, exact: true }).click();
  }

  field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true });
  }

  /** Presses the button of the open staff action. */
  async act(name: string): Promise<void> {
    await this.page.getByRole("main").getByRole("button", { name, exact: true }).click();
  }

  /** Completes both steps of a refund whose form is filled in. */
  async refund(): Promise<void> {
    await this.act("Check the refund");
    await this.page
      .getByRole("main")
      .getByRole("button", { name: /^Refund ₹/ })
      .click();
  }
}
