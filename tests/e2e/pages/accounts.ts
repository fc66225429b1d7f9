/** The pages of an account: sign in, sign up, forgotten password, sessions, subscriptions, log out. */

import { expect, type Locator, type Page } from "playwright/test";
import type { ProviderName } from "./identity-provider.ts";

export class LoginPage {
  readonly heading: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Sign in" });
  }

  get email(): Locator {
    return this.page.getByLabel("Email", { exact: true });
  }

  get password(): Locator {
    return this.page.getByLabel("Password", { exact: true });
  }

  get submit(): Locator {
    return this.page.getByRole("main").getByRole("button", { name: "Sign in" });
  }

  link(name: "Reset Password?" | "Sign up" | "Contact Support"): Locator {
    return this.page.getByRole("main").getByRole("link", { name });
  }

  async open(): Promise<void> {
    await this.page.goto("/login");
  }

  async continueWith(provider: ProviderName): Promise<void> {
    await this.page.getByRole("link", { name: `Continue with ${provider}` }).click();
  }

  async logIn(email: string, password: string): Promise<void> {
    await this.email.fill(email);
    await this.password.fill(password);
    await this.submit.click();
  }
}

export const signUpLabels = {
  firstName: "First Name",
  lastName: "Last Name",
  email: "Email",
  password: "Password",
  phoneNumber: "Mobile Number",
} as const;
export type SignUpField = keyof typeof signUpLabels;

export class SignUpPage {
  readonly heading: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Sign up" });
  }

  get submit(): Locator {
    return this.page.getByRole("main").getByRole("button", { name: "Sign up" });
  }

  field(name: SignUpField): Locator {
    return this.page.getByLabel(signUpLabels[name], { exact: true });
  }

  async fill(values: Partial<Record<SignUpField, string>>): Promise<void> {
    if (values.firstName !== undefined) await this.field("firstName").fill(values.firstName);
    if (values.lastName !== undefined) await this.field("lastName").fill(values.lastName);
    if (values.email !== undefined) await this.field("email").fill(values.email);
    if (values.password !== undefined) await this.field("password").fill(values.password);
    if (values.phoneNumber !== undefined) await this.field("phoneNumber").fill(values.phoneNumber);
  }

  async backToLogin(): Promise<void> {
    await this.page.getByRole("link", { name: "Back to LogIn" }).click();
  }
}

export class ForgotPasswordPage {
  readonly heading: Locator;
  readonly description: Locator;
  readonly sent: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Forgot your password?" });
    this.description = page.getByText("we'll send you a link to reset your password");
    this.sent = page.getByText("Reset Password Link has been sent to your Email.", { exact: true });
  }

  get email(): Locator {
    return this.page.getByLabel("Email", { exact: true });
  }

  async ask(email: string): Promise<void> {
    await this.email.fill(email);
    await this.page.getByRole("button", { name: "Submit" }).click();
  }
}

/** The signed-in user, and their sessions. */
export class AccountPage {
  readonly heading: Locator;
  readonly sessions: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "My Account" });
    this.sessions = page
      .getByRole("table")
      .getByRole("row")
      .filter({ has: page.getByRole("cell") });
  }

  async open(): Promise<void> {
    await this.page.goto("/account");
  }

  async signOutEverywhere(): Promise<void> {
    await this.page.getByRole("button", { name: "Sign out everywhere" }).click();
  }

  async changePassword(): Promise<void> {
    await this.page.getByRole("link", { name: "Change Password" }).click();
  }

  /** Requests the link that is shown while the email is not confirmed. */
  async mailLink(): Promise<void> {
    await this.page.getByRole("button", { name: "Email me the link" }).click();
  }
}

/** Changing the password while signed in. */
export class ChangePasswordPage {
  readonly heading: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Change your password" });
  }

  field(name: "Current Password" | "New Password" | "Confirm New Password"): Locator {
    return this.page.getByLabel(name, { exact: true });
  }

  async change(current: string, next: string, confirmation = next): Promise<void> {
    await this.field("Current Password").fill(current);
    await this.field("New Password").fill(next);
    await this.field("Confirm New Password").fill(confirmation);
    await this.page.getByRole("button", { name: "Change password" }).click();
  }
}

/** The question about a session from a link: whether to continue as its user. */
export class ContinueAsPage {
  readonly heading: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Is this your account?" });
  }

  async continueAs(email: string): Promise<void> {
    await this.page.getByRole("button", { name: `Continue as ${email}` }).click();
  }

  async stay(email: string | null): Promise<void> {
    const name = email === null ? "Continue without signing in" : `Stay signed in as ${email}`;
    await this.page.getByRole("link", { name }).click();
  }
}

export class SetPasswordPage {
  readonly heading: Locator;
  /** Hidden, for password managers. */
  readonly email: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.email = page.locator('input[autocomplete="username"]');
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

  /** The inline offer for a base plan. */
  async addOn(domain: string): Promise<void> {
    await this.act(domain, /^Add /);
  }

  async buyMore(domain: string): Promise<void> {
    await this.act(domain, /^Buy more/);
  }

  async renew(domain: string): Promise<void> {
    await this.act(domain, /^Renew/);
  }

  async cancelOrReduce(domain: string): Promise<void> {
    await this.act(domain, /^Cancel or reduce/);
  }

  /** Presses the row's button, or an item behind its "⋯". */
  private async act(domain: string, name: RegExp): Promise<void> {
    const link = this.row(domain).getByRole("link", { name });
    if (!(await link.isVisible())) await this.row(domain).locator(".row-menu summary").click();
    await link.click();
  }

  /** The offer to continue a change whose payment has arrived. */
  get completed(): Locator {
    return this.page.getByRole("dialog");
  }

  row(domain: string): Locator {
    return this.page.getByRole("row").filter({ hasText: domain });
  }
}

/** The account's corner of every page, and the sidebar on pages that have one. */
export class AccountMenu {
  readonly root: Locator;
  readonly burger: Locator;
  readonly sidebar: Locator;
  readonly pages: Locator;
  /** The signed-in user's name, which opens a menu. */
  readonly name: Locator;
  readonly logOutButton: Locator;
  constructor(readonly page: Page) {
    this.root = page.getByRole("navigation", { name: "Account" });
    this.burger = page.getByRole("button", { name: "Menu", exact: true });
    this.sidebar = page.getByRole("navigation", { name: "Menu" });
    this.pages = page.getByRole("navigation", { name: "Pages", exact: true });
    this.name = this.root.locator("summary");
    this.logOutButton = this.root.getByRole("button", { name: "Log Out" });
  }

  /** Opens the sidebar on a phone. On a page without one it opens the home page first. */
  async open(): Promise<void> {
    await this.#reachPages();
    // The sidebar follows its button in the document: until it has arrived, a press does nothing.
    await this.page.waitForLoadState();
    await this.burger.click();
  }

  async openName(): Promise<void> {
    await this.name.click();
  }

  async expectLoggedIn(): Promise<void> {
    await expect(this.name).toBeVisible();
  }

  async subscriptions(): Promise<void> {
    await this.go("Subscriptions");
  }

  async go(to: "Subscriptions" | "Cart" | "My Orders" | "Members" | "My Account"): Promise<void> {
    await this.#reachPages();
    const link = { name: to, exact: true };
    if (await this.burger.isVisible()) {
      await this.open();
      await this.sidebar.getByRole("link", link).click();
    } else if (to === "Members" || to === "My Account") {
      await this.openName();
      await this.root.getByRole("link", link).click();
    } else await this.pages.getByRole("link", link).click();
  }

  async logOut(): Promise<void> {
    await this.openName();
    await this.logOutButton.click();
  }

  async #reachPages(): Promise<void> {
    const pages = this.burger.or(this.pages);
    if (await pages.first().isVisible()) return;
    await this.page.getByRole("banner").getByRole("link", { name: "Hubs of Happiness" }).click();
    await pages.filter({ visible: true }).first().waitFor();
  }
}
