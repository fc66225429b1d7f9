/**
 * An identity provider's sign-in, simulated by the sandbox, and the store's page for an email that the provider cannot vouch for.
 */
import type { Locator, Page } from "playwright/test";

export type ProviderName = "Outlook" | "Google";

export class IdentityProviderPage {
  readonly heading: Locator;
  constructor(
    readonly page: Page,
    name: ProviderName,
  ) {
    this.heading = page.getByRole("heading", { level: 1, name: `Sign in with ${name}` });
  }

  /** Signs in as one of the fixed people. */
  async signInAs(name: string): Promise<void> {
    await this.page.getByRole("radio", { name }).check();
    await this.page.getByRole("button", { name: "Sign in" }).click();
  }

  async signInAsSomebody(somebody: { email: string; name: string; verified: boolean }): Promise<void> {
    await this.page.getByRole("radio", { name: "Somebody else" }).check();
    await this.page.getByLabel("Email, empty for none").fill(somebody.email);
    await this.page.getByLabel("Name", { exact: true }).fill(somebody.name);
    const choice = somebody.verified ? "The email is verified" : "The email is not verified";
    await this.page.getByRole("radio", { name: choice }).check();
    await this.page.getByRole("button", { name: "Sign in" }).click();
  }

  async cancel(): Promise<void> {
    await this.page.getByRole("button", { name: "Cancel" }).click();
  }
}

export class IdentityProofPage {
  readonly heading: Locator;
  readonly email: Locator;
  readonly code: Locator;
  readonly password: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.email = page.getByLabel("Email", { exact: true });
    this.code = page.getByLabel("Code", { exact: true });
    this.password = page.getByLabel("Password", { exact: true });
  }

  async mailCode(): Promise<void> {
    await this.page.getByRole("button", { name: "Email me a code" }).click();
  }

  async enterCode(code: string): Promise<void> {
    await this.code.fill(code);
    await this.page.getByRole("button", { name: "Continue" }).first().click();
  }

  async enterPassword(password: string): Promise<void> {
    await this.password.fill(password);
    await this.page.getByRole("button", { name: "Continue" }).first().click();
  }
}
