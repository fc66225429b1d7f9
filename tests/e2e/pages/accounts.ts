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

  async continueWithOutlook(): Promise<void> {
    await this.page.getByRole("link", { name: "Continue with Outlook" }).click();
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

/** The account's corner of every page. */
export class AccountMenu {
  readonly root: Locator;
  constructor(page: Page) {
    this.root = page.getByRole("navigation", { name: "Account" });
  }

  async subscriptions(): Promise<void> {
    await this.root.getByRole("link", { name: "Subscriptions" }).click();
  }

  async logOut(): Promise<void> {
    await this.root.getByRole("button", { name: "Log Out" }).click();
  }
}
