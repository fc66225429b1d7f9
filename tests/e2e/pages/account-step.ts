/** Step 2, Create Account, with its dialogs. */
import { expect, type Locator, type Page } from "playwright/test";

export interface Account {
  companyName: string;
  addressLine1: string;
  addressLine2: string;
  city: string;
  state: string;
  pincode: string;
  registration: string;
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
}

export const accountLabels = {
  companyName: "Company Name",
  addressLine1: "Address Line 1",
  addressLine2: "Address Line 2",
  city: "City",
  state: "State",
  pincode: "Pincode",
  registration: "Organisation Registration Number (GST or PAN)",
  firstName: "First Name",
  lastName: "Last Name",
  email: "Email",
  phoneNumber: "Phone Number",
} as const satisfies Record<keyof Account, string>;

/** Labels that differ in the USA. */
const labelsInUsa: Partial<Record<keyof Account, string>> = {
  pincode: "ZIP Code",
  registration: "Employer Identification Number (EIN)",
};

export const accountFields = [
  "companyName",
  "addressLine1",
  "addressLine2",
  "city",
  "state",
  "pincode",
  "registration",
  "firstName",
  "lastName",
  "email",
  "phoneNumber",
] as const satisfies readonly (keyof Account)[];

let count = 0;

/** An unused email. @param name at most 43 characters: with the suffix, 64 are allowed before the "@" */
export function newEmail(name = "buyer"): string {
  count += 1;
  return `${name}.${Date.now().toString(36)}.${process.pid}.${count}@example.com`;
}

export function newAccount(country: "IN" | "US", changes: Partial<Account> = {}): Account {
  const place =
    country === "IN"
      ? {
          companyName: "Asha Weavers LLP",
          addressLine1: "14 Residency Road",
          addressLine2: "Ashok Nagar",
          city: "Bengaluru",
          state: "Karnataka",
          pincode: "560025",
          registration: "AABCA1234C",
        }
      : {
          companyName: "Acme Tools Inc",
          addressLine1: "1 Main Street",
          addressLine2: "Suite 2",
          city: "Austin",
          state: "Texas",
          pincode: "78701",
          registration: "12-3456789",
        };
  return {
    ...place,
    firstName: "Asha",
    lastName: "Rao",
    email: newEmail(),
    phoneNumber: "9876543210",
    ...changes,
  };
}

export class AccountStep {
  readonly heading: Locator;
  readonly address: AddressDialog;
  readonly suggestion: SuggestionDialog;
  readonly exists: AccountExistsDialog;
  readonly login: LoginDialog;
  readonly country: Locator;
  readonly phoneCode: Locator;
  readonly gstCode: Locator;
  /** Opens the fields of a saved address. */
  readonly allDetails: Locator;
  readonly #form: Locator;
  /** Opens the fields of a company that the register knows. */
  readonly #correct: Locator;
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Create Account" });
    this.address = new AddressDialog(page);
    this.suggestion = new SuggestionDialog(page);
    this.exists = new AccountExistsDialog(page);
    this.login = new LoginDialog(page);
    this.#form = page.locator("form").filter({ has: page.getByLabel("Company Name", { exact: true }) });
    this.allDetails = this.#form.getByText("All details");
    this.#correct = this.#form.getByText("Edit these details");
    this.country = this.#form.getByLabel("Country", { exact: true });
    this.phoneCode = this.#form.getByLabel("Country Code", { exact: true });
    this.gstCode = this.#form.getByLabel("GST Code");
  }

  field(name: keyof Account): Locator {
    const label = this.#form.getByLabel(accountLabels[name], { exact: true });
    const other = labelsInUsa[name];
    return other === undefined ? label : label.or(this.#form.getByLabel(other, { exact: true }));
  }

  async fill(account: Partial<Account>): Promise<void> {
    for (const name of accountFields) {
      const value = account[name];
      if (value === undefined) continue;
      await expect(this.field(name).or(this.#correct).first()).toBeVisible();
      if (!(await this.field(name).isVisible())) await this.#correct.click();
      if (name === "state") await this.field(name).selectOption(value);
      else await this.field(name).fill(value);
    }
  }

  async expectFilled(account: Partial<Account>): Promise<void> {
    for (const name of accountFields) {
      const value = account[name];
      if (value !== undefined) await expect(this.field(name), accountLabels[name]).toHaveValue(value);
    }
  }

  async next(): Promise<void> {
    await this.#form.getByRole("button", { name: "Next" }).click();
  }

  async openLogin(): Promise<void> {
    await this.#form.getByRole("link", { name: "Sign in" }).click();
  }

  /** Opens the GST dialog again. */
  async changeAddress(): Promise<void> {
    await this.page.getByRole("link", { name: "Use a GST number or a saved address" }).click();
  }
}

/** Source of the address: GST number, saved address, or manual entry. */
export class AddressDialog {
  readonly root: Locator;
  readonly proceed: Locator;
  readonly gstin: Locator;
  constructor(page: Page) {
    this.root = page.getByRole("dialog", { name: "How would you like to give your business address?" });
    this.proceed = this.root.getByRole("button", { name: "Proceed" });
    this.gstin = this.root.getByRole("textbox", { name: "GST number" });
  }

  choice(name: "Enter a GST number" | "Use a saved address" | "Add details manually"): Locator {
    return this.root.getByRole("radio", { name });
  }

  async manually(): Promise<void> {
    await this.choice("Add details manually").check();
    await this.proceed.click();
  }

  async byGst(gstin: string): Promise<void> {
    await this.choice("Enter a GST number").check();
    await this.gstin.fill(gstin);
    await this.proceed.click();
  }

  async saved(): Promise<void> {
    await this.choice("Use a saved address").check();
    await this.proceed.click();
  }
}

/** The vendor's suggestions for the address. */
export class SuggestionDialog {
  readonly root: Locator;
  readonly places: Locator;
  constructor(page: Page) {
    this.root = page.getByRole("dialog", { name: "Please check your address" });
    this.places = this.root.getByRole("radio");
  }

  async use(address: string | RegExp): Promise<void> {
    await this.root.getByRole("radio", { name: address }).check();
    await this.root.getByRole("button", { name: "Use this address" }).click();
  }

  async change(): Promise<void> {
    await this.root.getByRole("link", { name: "Change it" }).click();
  }
}

/** "Account already exists, please Login instead". */
export class AccountExistsDialog {
  readonly root: Locator;
  constructor(page: Page) {
    this.root = page.getByRole("dialog", { name: "Account already exists, please Login instead" });
  }

  async logIn(): Promise<void> {
    await this.root.getByRole("link", { name: "Sign in" }).click();
  }

  async useAnotherEmail(): Promise<void> {
    await this.root.getByRole("link", { name: "Use another email" }).click();
  }
}

/** Logging in without leaving the order. */
export class LoginDialog {
  readonly root: Locator;
  readonly username: Locator;
  readonly password: Locator;
  constructor(page: Page) {
    this.root = page.getByRole("dialog", { name: "Sign in to continue this order" });
    this.username = this.root.getByLabel("Username", { exact: true });
    this.password = this.root.getByLabel("Password", { exact: true });
  }

  async submit(username: string, password: string): Promise<void> {
    await this.username.fill(username);
    await this.password.fill(password);
    await this.root.getByRole("button", { name: "Login" }).click();
  }
}
