/** The pages of an account: sign in, set the password, subscriptions, log out. */
import type { Locator, Page } from "playwright/test";

export class LoginPage {
  readonly heading: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Sign in" });
  }

  async open(): Promise<void> {
    await this.page.goto("/login");
  }

  async logIn(email: string, password: string): Promise<void> {
    await this.page.getByLabel("Email", { exact: true }).fill(email);
    await this.page.getByLabel("Password", { exact: true }).fill(password);
    await this.page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  }
}

export class SetPasswordPage {
  readonly heading: Locator;
  readonly email: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.email = page.getByLabel("Email", { exact: true });
  }

  get newPassword(): Locator {
    return this.page.getByLabel("New Password", { exact: true });
  }

  get confirmation(): Locator {
    return this.page.getByLabel("Confirm New Password", { exact: true });
  }

  async set(password: string, confirmation = password): Promise<void> {
    await this.newPassword.fill(password);
    await this.confirmation.fill(confirmation);
    await this.page.getByRole("button", { name: "Submit" }).click();
  }
}

export class SubscriptionsPage {
  readonly heading: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "My Subscriptions" });
  }

  async newSubscription(): Promise<void> {
    await this.page.getByRole("link", { name: "New Subscription" }).click();
  }

  /** The inline offer at a base plan. */
  async addOn(domain: string): Promise<void> {
    await this.row(domain).getByRole("link", { name: /^Add / }).click();
  }

  row(domain: string): Locator {
    return this.page.getByRole("row").filter({ hasText: domain });
  }
}

/** The account's corner of every page, and the sidebar of those that have one. */
export class AccountMenu {
  readonly root: Locator;
  readonly burger: Locator;
  readonly sidebar: Locator;
  constructor(readonly page: Page) {
    this.root = page.getByRole("navigation", { name: "Account" });
    this.burger = page.getByRole("button", { name: "Menu", exact: true });
    this.sidebar = page.getByRole("navigation", { name: "Menu" });
  }

  /** From a page without a sidebar the shop is opened first. */
  async open(): Promise<void> {
    if (!(await this.burger.isVisible())) {
      await this.page.getByRole("banner").getByRole("link", { name: "Hubs of Happiness" }).click();
    }
    await this.burger.click();
  }

  async subscriptions(): Promise<void> {
    await this.open();
    await this.sidebar.getByRole("link", { name: "Subscriptions" }).click();
  }

  async logOut(): Promise<void> {
    await this.root.getByRole("button", { name: "Log Out" }).click();
  }
}
