/** Step 4, Microsoft Sign-In: a new or an existing tenant, the wait for its approval, and the partner page itself. */
import type { Locator, Page } from "playwright/test";

export class SignInStep {
  readonly heading: Locator;
  readonly username: Locator;
  readonly prefix: Locator;
  readonly existingUsername: Locator;
  /** Shows the resulting username, and with scripts whether the domain is free. */
  readonly preview: Locator;
  readonly working: Locator;
  readonly approval: Locator;
  readonly approvalLink: Locator;
  /** Google only. */
  readonly password: Locator;
  readonly transferToken: Locator;
  readonly problem: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: / (Microsoft|Google) Sign-In$/ });
    this.username = page.getByLabel("Username", { exact: true });
    this.prefix = page.getByLabel("Domain Name");
    this.existingUsername = page.getByLabel("Existing username");
    this.preview = page.getByRole("status").filter({ hasText: "Your username will be" });
    this.working = page.getByText("We are adding product to your account. This may take a minute.");
    this.approval = page.getByText(
      "We are checking if you approved the Microsoft partner relationship request. This will take a minute",
    );
    this.password = page.getByLabel("Password", { exact: true });
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

  /** Google, mode 2: a transfer from another reseller. */
  async transfer(token: string): Promise<void> {
    await this.transferToken.fill(token);
    await this.next();
  }

  async next(): Promise<void> {
    await this.page.getByRole("button", { name: "Next" }).click();
  }

  /** existingTenant, and the page that confirms it: in a second window with scripts, in this tab without. */
  async existingTenantBeside(username: string, scriptsOff: boolean): Promise<ApprovalPage> {
    const opened = scriptsOff ? null : this.page.context().waitForEvent("page");
    await this.existingTenant(username);
    return new ApprovalPage(opened === null ? this.page : await opened);
  }

  /** The same page through the panel's link. */
  async openApproval(scriptsOff: boolean): Promise<ApprovalPage> {
    const opened = scriptsOff ? null : this.page.context().waitForEvent("page");
    await this.approvalLink.click();
    return new ApprovalPage(opened === null ? this.page : await opened);
  }

  async checkAgain(): Promise<void> {
    await this.page.getByRole("button", { name: "Check again" }).click();
  }

  async useAnotherAccount(): Promise<void> {
    await this.page.getByRole("link", { name: "Use another account" }).click();
  }
}

/** Our page on which an order is confirmed, with Microsoft's sign-in and partner page, simulated by the sandbox. */
export class ApprovalPage {
  readonly heading: Locator;
  readonly refusal: Locator;
  readonly administratorEmail: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.refusal = page.getByRole("alert");
    this.administratorEmail = page.getByLabel("Your administrator's email");
  }

  /** @param name as on the sandbox's page: "Anu Administrator", "Uma User" and so on */
  async signInAs(name: string): Promise<void> {
    await this.page.getByRole("link", { name: "Sign in with Microsoft" }).click();
    await this.page.getByRole("radio", { name }).check();
    await this.page.getByRole("button", { name: "Sign in" }).click();
  }

  async ask(email: string): Promise<void> {
    await this.administratorEmail.fill(email);
    await this.page.getByRole("button", { name: "Mail the link" }).click();
  }

  /** Accepts us at Microsoft: in the same window when that is a popup, otherwise in a second tab. */
  async acceptPartner(username: string, isPopup: boolean): Promise<void> {
    const link = this.page.getByRole("link", { name: "Open the request at Microsoft" });
    const opened = isPopup ? null : this.page.context().waitForEvent("page");
    await link.click();
    const partner = opened === null ? this.page : await opened;
    await partner.getByRole("textbox", { name: "Your Microsoft 365 username or domain" }).fill(username);
    await partner.getByRole("button", { name: "Approve" }).click();
    if (opened === null) return;
    // Chromium can hang when a page is closed during its post.
    await partner.getByRole("heading", { name: "Approved" }).waitFor();
    await partner.close();
  }

  async backToOrder(): Promise<void> {
    await this.page.getByRole("link", { name: "Back to the order" }).click();
  }
}

let count = 0;

/** An unused domain prefix. */
export function newPrefix(): string {
  count += 1;
  return `acme${Date.now().toString(36)}${process.pid}${count}`;
}

/** An unused domain of the buyer's; one beginning with "transfer" belongs to another reseller. */
export function newDomain(beginning = "shop"): string {
  return `${beginning}-${crypto.randomUUID().slice(0, 8)}.com`;
}
