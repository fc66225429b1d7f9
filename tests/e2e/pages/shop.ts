/**
 * One user's browser with the page objects of the store, and the parts of the purchase with which most tests begin: `reach…` and
 * `become…` post the forms without showing them and end on the screen, `walk…` uses the screens.
 */
import { expect, type Page } from "playwright/test";
import type { FormBrowser } from "#tests/support/http-browser.ts";
import {
  beginOrder,
  type OrderPlace,
  pastAccount,
  placeOrder,
  providerOrderOf,
  totalOnReview,
  type WantedPlan,
} from "#tests/support/journey.ts";
import { answerSignInGoogle, answerSignInNewTenant, payFor } from "#tests/support/paid-order.ts";
import { sandboxControls } from "#tests/support/sandbox-controls.ts";
import { accountOf, proformaFor } from "#tests/support/transfer.ts";
import { until } from "#tests/support/until.ts";
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
import { IdentityProofPage, IdentityProviderPage, type ProviderName } from "./identity-provider.ts";
import { Inbox } from "./inbox.ts";
import { OtherWaysPage } from "./other-payment-methods.ts";
import { Panel } from "./panel.ts";
import { PlaceOrderStep } from "./place-order-step.ts";
import { SearchPage } from "./search.ts";
import { sessionOf } from "./session.ts";
import { newPrefix, SignInStep } from "./sign-in-step.ts";

export const slugs = {
  details: "subscription-details",
  account: "create-account",
  placeOrder: "place-order",
  signIn: "sign-in",
  closure: "order-processed",
} as const;
export type StepName = keyof typeof slugs;

/** Patterns of an order's own path, in each of the journeys. */
const addresses = [
  /^\/order\/[0-9a-f-]{36}\/[^/]+\/[^/]+\/[A-Z]{2}/,
  /^\/contract\/[0-9a-f-]{36}\/[^/]+/,
  /^\/subscription\/addon\/[0-9a-f-]{36}/,
  /^\/buy\/more\/[0-9a-f-]{36}\/[0-9a-f-]{36}/,
  /^\/[0-9a-f-]{36}\/renew\/[0-9a-f-]{36}/,
];

type Family = "microsoft" | "google" | "brio";

/** The item that a buyer orders, and their account. */
export interface Purchase {
  country?: "IN" | "US";
  quantity?: string;
  plan?: string;
  family?: Family;
  domain?: string;
  /** Token of a transferred domain; null when it is given after the payment. */
  transferToken?: string | null;
  account?: Partial<Account>;
  /** Paid by one transfer instead of in the checkout. */
  byTransfer?: true;
}

const basic = "microsoft-365-business-basic";

export class Shop {
  readonly home: HomePage;
  readonly search: SearchPage;
  readonly panel: Panel;
  readonly details: DetailsStep;
  readonly account: AccountStep;
  readonly placeOrder: PlaceOrderStep;
  readonly checkout: Checkout;
  readonly otherWays: OtherWaysPage;
  readonly signIn: SignInStep;
  readonly closure: ClosurePage;
  readonly inbox: Inbox;
  readonly login: LoginPage;
  readonly signUp: SignUpPage;
  readonly forgotPassword: ForgotPasswordPage;
  readonly identityProviders: Readonly<Record<ProviderName, IdentityProviderPage>>;
  readonly identityProof: IdentityProofPage;
  readonly setPassword: SetPasswordPage;
  readonly myAccount: AccountPage;
  readonly subscriptions: SubscriptionsPage;
  readonly menu: AccountMenu;
  readonly #session: FormBrowser;

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
    this.otherWays = new OtherWaysPage(page);
    this.signIn = new SignInStep(page);
    this.closure = new ClosurePage(page);
    this.inbox = new Inbox(page, world.sandboxUrl);
    this.login = new LoginPage(page);
    this.signUp = new SignUpPage(page);
    this.forgotPassword = new ForgotPasswordPage(page);
    this.identityProviders = {
      Outlook: new IdentityProviderPage(page, "Outlook"),
      Google: new IdentityProviderPage(page, "Google"),
    };
    this.identityProof = new IdentityProofPage(page);
    this.setPassword = new SetPasswordPage(page);
    this.myAccount = new AccountPage(page);
    this.subscriptions = new SubscriptionsPage(page);
    this.menu = new AccountMenu(page);
    this.#session = sessionOf(page);
  }

  /** Expects the page of a step, by its path and its heading. */
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

  /** The order's own link, which is in the URL of each of its steps. */
  get orderLink(): string {
    const found = addresses
      .map((address) => address.exec(new URL(this.page.url()).pathname)?.[0])
      .find((link) => link !== undefined);
    if (found === undefined) throw new Error(`Not at a step of an order: ${this.page.url()}`);
    return found;
  }

  get orderId(): string {
    // Where a subscription is changed, its id comes first.
    return this.orderLink.match(/[0-9a-f-]{36}/g)?.at(-1) ?? "";
  }

  stepLink(step: StepName): string {
    return `${this.orderLink}/${slugs[step]}`;
  }

  async openStep(step: StepName): Promise<void> {
    await this.page.goto(this.stepLink(step));
  }

  /** Posts step 1: the order exists, and the screen shows Create Account. */
  async reachAccount(options: Purchase = {}): Promise<void> {
    const { path } = await beginOrder(this.#session, beginningOf(options));
    await this.page.goto(`${path}/${slugs.account}`);
    await this.expectStep("account");
  }

  /** Posts steps 1 and 2. */
  async reachPlaceOrder(options: Purchase = {}): Promise<Account> {
    const { path, account } = await this.#postAccount(options);
    await this.page.goto(`${path}/${slugs.placeOrder}`);
    await this.expectStep("placeOrder");
    return account;
  }

  /** Accepts the terms: the screen shows Pay. Not posted, because with scripts the checkout would open automatically. */
  async reachPay(options: Purchase = {}): Promise<Account> {
    const account = await this.reachPlaceOrder(options);
    await this.placeOrder.place();
    await expect(this.placeOrder.payButton).toBeVisible();
    return account;
  }

  /** Pays. */
  async reachSignIn(options: Purchase = {}): Promise<Account> {
    const { account, path } = await this.#postPayment(options);
    await this.page.goto(`${path}/${slugs.signIn}`);
    await this.expectStep("signIn");
    return account;
  }

  /** Becomes a customer: buys a Microsoft plan into a new tenant, or a Google plan for a new domain, and is signed in. */
  async becomeCustomer(options: Purchase = {}): Promise<Account & { prefix: string; domain: string }> {
    const { account, path } = await this.#postPayment(options);
    const prefix = newPrefix();
    const order = { browser: this.#session, path };
    if (options.family === "google") await answerSignInGoogle(order, "admin");
    else await answerSignInNewTenant(order, { username: "admin", prefix });
    const isProcessed = async () =>
      (await this.#session.get(path)).location?.endsWith(slugs.closure) === true;
    await until("the order is processed", isProcessed);
    await this.page.goto(`${path}/${slugs.closure}`);
    await this.expectStep("closure");
    return { ...account, prefix, domain: options.domain ?? `${prefix}.onmicrosoft.com` };
  }

  /** Completes step 1 on the screen, as a buyer does. */
  async walkToAccount(options: Purchase = {}): Promise<void> {
    const { country, quantity, wanted } = beginningOf(options);
    await this.details.open(wanted.item, country, wanted.family);
    if (wanted.domain !== undefined) await this.details.domain.fill(wanted.domain);
    if (options.transferToken !== undefined) await this.details.giveToken(options.transferToken);
    await this.details.quantity.fill(String(quantity));
    await this.details.next();
    await this.expectStep("account");
  }

  /** Completes steps 1 and 2 on the screen. */
  async walkToPlaceOrder(options: Purchase = {}): Promise<Account> {
    await this.walkToAccount(options);
    return this.walkFromAccount(options);
  }

  /** Completes step 2 on the screen. */
  async walkFromAccount(options: Purchase = {}): Promise<Account> {
    const { country = "IN" } = options;
    const account = newAccount(country, options.account);
    if (country === "IN") await this.account.address.manually();
    await this.account.fill(account);
    await this.account.next();
    await this.expectStep("placeOrder");
    return account;
  }

  /** Pays, from Place Order to the end of the payment. */
  async pay(): Promise<void> {
    await this.placeOrder.place();
    await this.checkout.open();
    await this.checkout.pay();
  }

  /** Sets the password through the mail about the new account, which ends the current session. */
  async setPasswordFromMail(email: string, password: string): Promise<void> {
    const link = new URL(Inbox.linkIn(await this.inbox.wait(email, /^Set a password/)));
    await this.#post(link.pathname, { password, confirmPassword: password }, 200);
    // With this request the browser learns that its session has ended.
    await this.#session.get("/login");
  }

  async logIn(email: string, password: string): Promise<void> {
    await this.#post("/login", { email, password, next: "" }, 303);
    await this.page.goto("/");
    await this.menu.expectLoggedIn();
  }

  /** Signs up; the screen shows the login page. */
  async signUpAs(
    changes: { email?: string; password?: string } = {},
  ): Promise<{ email: string; password: string }> {
    const person = { email: newEmail("person"), password: "a-Good-Pass-1", ...changes };
    const names = { firstName: "Asha", lastName: "Rao", phoneNumber: "9876543210" };
    await this.#post("/signup", { ...names, ...person, next: "" }, 200);
    await this.login.open();
    return person;
  }

  /** Creates a company that has begun an order and has a password; nobody is signed in afterwards. */
  async becomeKnown(country: "IN" | "US" = "IN"): Promise<Account & { password: string }> {
    const { account } = await this.#postAccount({ country });
    const password = "a-Good-Pass-1";
    await this.setPasswordFromMail(account.email, password);
    return { ...account, password };
  }

  /**
   * Becomes an owner who may invite and assign roles, which requires having followed a mailed link, because anybody can begin an
   * order with somebody else's email. Signed in, with the home page on the screen.
   */
  async becomeOwner(country: "IN" | "US" = "IN"): Promise<Account & { password: string }> {
    const owner = await this.becomeKnown(country);
    await this.logIn(owner.email, owner.password);
    return owner;
  }

  async #postAccount(options: Purchase) {
    const account = newAccount(options.country ?? "IN", options.account);
    const { registration: organisationRegistrationNumber, ...rest } = account;
    const order = await pastAccount(this.#session, {
      ...beginningOf(options),
      email: account.email,
      account: { ...rest, organisationRegistrationNumber },
    });
    return { ...order, account };
  }

  async #postPayment(options: Purchase) {
    const order = await this.#postAccount(options);
    if (options.byTransfer) {
      await this.#transfer(order);
      return order;
    }
    const browser = this.#session;
    await placeOrder(browser, { ...order, totalMinor: await totalOnReview(browser, order) });
    const providerOrderId = await providerOrderOf(browser, order);
    await payFor({ browser, path: order.path, providerOrderId }, this.world.sandboxUrl);
    return order;
  }

  async #transfer(order: OrderPlace): Promise<void> {
    const amount = await proformaFor(this.#session, order);
    const levers = sandboxControls(this.world.sandboxUrl);
    await levers.credit({ accountId: await accountOf(levers, order), amount });
    const isPaid = async () =>
      (await this.#session.get(order.path)).location?.endsWith(slugs.signIn) === true;
    await until("the transfer is booked", isPaid);
  }

  async #post(path: string, form: Record<string, string>, wanted: number): Promise<void> {
    const { status, text } = await this.#session.post(path, form);
    if (status !== wanted) throw new Error(`${path} answered ${status}: ${text}`);
  }
}

function beginningOf({
  country = "IN",
  quantity = "3",
  plan = basic,
  family = "microsoft",
  domain,
  transferToken,
}: Purchase) {
  const wanted: WantedPlan = {
    family,
    item: plan,
    ...(domain !== undefined && { domain }),
    ...(transferToken != null && { transferToken }),
  };
  return { country, quantity: Number(quantity), wanted };
}
