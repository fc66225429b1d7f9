/** One person's browser with every page of the shop in it, and the ways through the purchase that most tests begin with. */
import { expect, type Page } from "playwright/test";
import { type Account, AccountStep, newAccount, newEmail } from "./account-step.ts";
import {
  AccountMenu,
  AccountPage,
  ForgotPasswordPage,
  LoginPage,
  SetPasswordPage,
  SignUpPage,
  SubscriptionsPage,
} from "./accounts.ts";
import { Checkout } from "./checkout.ts";
import { ClosurePage } from "./closure.ts";
import { DetailsStep } from "./details-step.ts";
import { HomePage } from "./home.ts";
import { Inbox } from "./inbox.ts";
import { OutlookPage, OutlookProofPage } from "./outlook.ts";
import { Panel } from "./panel.ts";
import { PlaceOrderStep } from "./place-order-step.ts";
import { SearchPage } from "./search.ts";
import { newPrefix, SignInStep } from "./sign-in-step.ts";

export const slugs = {
  details: "subscription-details",
  account: "create-account",
  placeOrder: "place-order",
  signIn: "sign-in",
  closure: "order-processed",
} as const;
export type StepName = keyof typeof slugs;

/** An order's own address, in each of the journeys. */
const addresses = [
  /^\/order\/[0-9a-f-]{36}\/[^/]+\/[^/]+\/[A-Z]{2}/,
  /^\/contract\/[0-9a-f-]{36}\/[^/]+/,
  /^\/subscription\/addon\/[0-9a-f-]{36}/,
];

type Family = "microsoft" | "google" | "brio";

const basic = "microsoft-365-business-basic";

export class Shop {
  readonly home: HomePage;
  readonly search: SearchPage;
  readonly panel: Panel;
  readonly details: DetailsStep;
  readonly account: AccountStep;
  readonly placeOrder: PlaceOrderStep;
  readonly checkout: Checkout;
  readonly signIn: SignInStep;
  readonly closure: ClosurePage;
  readonly inbox: Inbox;
  readonly login: LoginPage;
  readonly signUp: SignUpPage;
  readonly forgotPassword: ForgotPasswordPage;
  readonly outlook: OutlookPage;
  readonly outlookProof: OutlookProofPage;
  readonly setPassword: SetPasswordPage;
  readonly myAccount: AccountPage;
  readonly subscriptions: SubscriptionsPage;
  readonly menu: AccountMenu;

  constructor(
    readonly page: Page,
    readonly world: { scriptsOff: boolean; sandboxUrl: string },
  ) {
    this.home = new HomePage(page);
    this.search = new SearchPage(page);
    this.panel = new Panel(page);
    this.details = new DetailsStep(page);
    this.account = new AccountStep(page);
    this.placeOrder = new PlaceOrderStep(page);
    this.checkout = new Checkout(page, world.scriptsOff);
    this.signIn = new SignInStep(page);
    this.closure = new ClosurePage(page);
    this.inbox = new Inbox(page, world.sandboxUrl);
    this.login = new LoginPage(page);
    this.signUp = new SignUpPage(page);
    this.forgotPassword = new ForgotPasswordPage(page);
    this.outlook = new OutlookPage(page);
    this.outlookProof = new OutlookProofPage(page);
    this.setPassword = new SetPasswordPage(page);
    this.myAccount = new AccountPage(page);
    this.subscriptions = new SubscriptionsPage(page);
    this.menu = new AccountMenu(page);
  }

  /** Expects the page of a step, by its address and its heading. */
  async expectStep(step: StepName): Promise<void> {
    await expect(this.page).toHaveURL(new RegExp(`/${slugs[step]}(\\?.*)?$`));
    const heading = {
      details: this.details.heading,
      account: this.account.heading,
      placeOrder: this.placeOrder.heading,
      signIn: this.signIn.heading,
      closure: this.closure.heading,
    }[step];
    await expect(heading).toBeVisible();
  }

  /** The order's own link, which is in the address bar of each of its steps. */
  get orderLink(): string {
    const found = addresses
      .map((address) => address.exec(new URL(this.page.url()).pathname)?.[0])
      .find((link) => link !== undefined);
    if (found === undefined) throw new Error(`Not at a step of an order: ${this.page.url()}`);
    return found;
  }

  get orderId(): string {
    return /[0-9a-f-]{36}/.exec(this.orderLink)?.[0] ?? "";
  }

  stepLink(step: StepName): string {
    return `${this.orderLink}/${slugs[step]}`;
  }

  async openStep(step: StepName): Promise<void> {
    await this.page.goto(this.stepLink(step));
  }

  /** Step 1 posted: the order exists, and Create Account is on the screen. */
  async reachAccount(
    options: {
      country?: "IN" | "US";
      quantity?: string;
      plan?: string;
      family?: Family;
      domain?: string;
    } = {},
  ): Promise<void> {
    const { country = "IN", quantity = "3", plan = basic, family = "microsoft", domain } = options;
    await this.details.open(plan, country, family);
    if (domain !== undefined) await this.details.domain.fill(domain);
    await this.details.quantity.fill(quantity);
    await this.details.next();
    await this.expectStep("account");
  }

  /** Steps 1 and 2 posted. */
  async reachPlaceOrder(
    options: Parameters<Shop["reachAccount"]>[0] & { account?: Partial<Account> } = {},
  ): Promise<Account> {
    const { country = "IN" } = options;
    const account = newAccount(country, options.account);
    await this.reachAccount(options);
    if (country === "IN") await this.account.address.manually();
    await this.account.fill(account);
    await this.account.next();
    await this.expectStep("placeOrder");
    return account;
  }

  /** The terms accepted: Pay is on the screen. */
  async reachPay(options: Parameters<Shop["reachPlaceOrder"]>[0] = {}): Promise<Account> {
    const account = await this.reachPlaceOrder(options);
    await this.placeOrder.place();
    await expect(this.placeOrder.payButton).toBeVisible();
    return account;
  }

  /** Paid. */
  async reachSignIn(options: Parameters<Shop["reachPlaceOrder"]>[0] = {}): Promise<Account> {
    const account = await this.reachPay(options);
    await this.checkout.open();
    await this.checkout.pay();
    await this.expectStep("signIn");
    return account;
  }

  /** A customer: has bought a Microsoft plan into a tenant of its own, and is signed in. */
  async becomeCustomer(
    options: Parameters<Shop["reachPlaceOrder"]>[0] = {},
  ): Promise<Account & { prefix: string; domain: string }> {
    const account = await this.reachSignIn(options);
    const prefix = newPrefix();
    await this.signIn.newTenant(prefix);
    await this.expectStep("closure");
    return { ...account, prefix, domain: `${prefix}.onmicrosoft.com` };
  }

  /** From Place Order to the end of the payment. */
  async pay(): Promise<void> {
    await this.placeOrder.place();
    await this.checkout.open();
    await this.checkout.pay();
  }

  /** Sets the password from the mail that came when the account was made, which ends the present session. */
  async setPasswordFromMail(email: string, password: string): Promise<void> {
    const mail = await this.inbox.wait(email, /^Set the password/);
    await this.page.goto(Inbox.linkIn(mail));
    await this.setPassword.set(password);
    await expect(this.login.heading).toBeVisible();
  }

  async logIn(email: string, password: string): Promise<void> {
    await this.login.open();
    await this.login.logIn(email, password);
    await expect(this.menu.root.getByRole("button", { name: "Log Out" })).toBeVisible();
  }

  /** Somebody who has signed up; the login page is on the screen. */
  async signUpAs(
    changes: { email?: string; password?: string } = {},
  ): Promise<{ email: string; password: string }> {
    const person = { email: newEmail("person"), password: "a-Good-Pass-1", ...changes };
    await this.page.goto("/signup");
    await this.signUp.fill({ firstName: "Asha", lastName: "Rao", phoneNumber: "9876543210", ...person });
    await this.signUp.submit.click();
    await expect(this.login.heading).toBeVisible();
    return person;
  }

  /** A company that has begun an order before and has a password; nobody is signed in afterwards. */
  async becomeKnown(country: "IN" | "US" = "IN"): Promise<Account & { password: string }> {
    const account = await this.reachPlaceOrder({ country });
    const password = "a-Good-Pass-1";
    await this.setPasswordFromMail(account.email, password);
    return { ...account, password };
  }
}
