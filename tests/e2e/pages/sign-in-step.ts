/** Step 4, Microsoft Sign-In: a new tenant or an existing one, and the wait for its approval; and the partner page itself. */
import type { Locator, Page } from "playwright/test";

export class SignInStep {
  readonly heading: Locator;
  readonly username: Locator;
  readonly prefix: Locator;
  readonly existingUsername: Locator;
  /** Says what the username will be, and with scripts whether the domain is free. */
  readonly preview: Locator;
  readonly working: Locator;
  readonly approval: Locator;
  readonly approvalLink: Locator;
  /** Google only. */
  readonly password: Locator;
  readonly transferToken: Locator;
  readonly problem: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: /^(Microsoft|Google) Sign-In$/ });
    this.username = page.getByLabel("Username", { exact: true });
    this.prefix = page.getByLabel("Domain Name");
    this.existingUsername = page.getByLabel("Existing username");
    this.preview = page.getByRole("status").filter({ hasText: "Your username will be" });
    this.working = page.getByText("We are adding product to your account. This may take a minute.");
    this.approval = page.getByText(
      "We are checking if you approved the Microsoft partner relationship request. This will take a minute",
    );
    this.password = page.getByLabel("Password");
    this.transferToken = page.getByLabel("Transfer token");
    this.problem = page.getByRole("alert");
    this.approvalLink = page.getByRole("link", { name: "Open the approval page" });
  }

  mode(name: "I do not have a Microsoft 365 account" | "I have a Microsoft 365 account"): Locator {
    return this.page.getByRole("radio", { name });
  }

  async newTenant(prefix: string, username = "admin"): Promise<void> {
    await this.mode("I do not have a Microsoft 365 account").check();
    await this.username.fill(username);
    await this.prefix.fill(prefix);
    await this.next();
  }

  async existingTenant(username: string): Promise<void> {
    await this.mode("I have a Microsoft 365 account").check();
    await this.existingUsername.fill(username);
    await this.next();
  }

  /** Google, mode 1: the first administrator. */
  async googleAdministrator(password: string, username = "admin"): Promise<void> {
    await this.username.fill(username);
    await this.password.fill(password);
    await this.next();
  }

  /** Google, mode 2: the customer comes from another reseller. */
  async transfer(token: string): Promise<void> {
    await this.transferToken.fill(token);
    await this.next();
  }

  async next(): Promise<void> {
    await this.page.getByRole("button", { name: "Next" }).click();
  }

  /** The partner page opens beside this one: a popup with scripts, a new tab without. */
  async openApproval(): Promise<PartnerPage> {
    const opened = this.page.context().waitForEvent("page");
    await this.approvalLink.click();
    return new PartnerPage(await opened);
  }

  async checkAgain(): Promise<void> {
    await this.page.getByRole("button", { name: "Check again" }).click();
  }

  async useAnotherAccount(): Promise<void> {
    await this.page.getByRole("link", { name: "Use another account" }).click();
  }
}

/** Microsoft's page where an administrator accepts us, played by the sandbox. */
export class PartnerPage {
  constructor(readonly page: Page) {}

  async approve(username: string): Promise<void> {
    await this.page.getByRole("textbox", { name: "Your Microsoft 365 username or domain" }).fill(username);
    await this.page.getByRole("button", { name: "Approve" }).click();
  }
}

let count = 0;

/** A domain prefix nobody has used. */
export function newPrefix(): string {
  count += 1;
  return `acme${Date.now().toString(36)}${process.pid}${count}`;
}

/** A domain of the buyer's own, new to everybody; one beginning with "transfer" is another reseller's. */
export function newDomain(beginning = "shop"): string {
  return `${beginning}-${crypto.randomUUID().slice(0, 8)}.com`;
}
