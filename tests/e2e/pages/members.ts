/** A company's members, and the page of an invitation. */
import { expect, type Locator, type Page } from "playwright/test";

export type Role = "Owner" | "Buyer" | "Viewer";

export class MembersPage {
  readonly heading: Locator;
  readonly inviteForm: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.inviteForm = page.getByRole("region", { name: "Invite a member" });
  }

  async open(): Promise<void> {
    await this.page.goto("/members");
  }

  /** The card of a member or an invitation. */
  card(email: string): Locator {
    return this.page.getByRole("main").getByRole("listitem").filter({ hasText: email });
  }

  get inviteEmail(): Locator {
    return this.inviteForm.getByLabel("Email", { exact: true });
  }

  async invite(email: string, role: Role): Promise<void> {
    await this.inviteEmail.fill(email);
    await this.inviteForm.getByLabel("Role").selectOption(role.toLowerCase());
    await this.inviteForm.getByRole("button", { name: "Send invitation" }).click();
  }

  async changeRole(email: string, role: Role): Promise<void> {
    const save = this.card(email).getByRole("button", { name: /^Save / });
    // There is nothing to save yet.
    await expect(save).toBeHidden();
    await this.card(email)
      .getByLabel(/^Role of /)
      .selectOption(role.toLowerCase());
    await save.click();
  }

  async remove(email: string): Promise<void> {
    await this.askToRemove(email);
    await this.confirmRemoval(email);
  }

  /** Opens the confirmation of a removal. */
  async askToRemove(email: string): Promise<void> {
    await this.card(email).locator("summary", { hasText: "Remove" }).click();
  }

  async confirmRemoval(email: string): Promise<void> {
    await this.card(email)
      .getByRole("button", { name: /^Remove / })
      .click();
  }

  async takeBack(email: string): Promise<void> {
    await this.card(email)
      .getByRole("button", { name: /^Withdraw/ })
      .click();
  }
}

export class InvitePage {
  readonly heading: Locator;
  readonly firstName: Locator;
  readonly password: Locator;
  readonly joinButton: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.firstName = page.getByLabel("First Name", { exact: true });
    this.password = page.getByLabel("Password", { exact: true });
    this.joinButton = page.getByRole("button", { name: /^Join / });
  }

  async joinAs(person: { firstName: string; lastName: string; password: string }): Promise<void> {
    await this.firstName.fill(person.firstName);
    await this.page.getByLabel("Last Name", { exact: true }).fill(person.lastName);
    await this.password.fill(person.password);
    await this.joinButton.click();
  }

  async logIn(): Promise<void> {
    await this.page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  }
}
