/**
 * Every screen of the product, with its route module, its address, its viewer, and whether it is hydrated. A test compares this
 * table with routes.ts, so that a new page cannot be forgotten (tests/unit/architecture/screens.test.ts).
 */
import * as paths from "#server/foundation/paths.ts";
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import { plan } from "#tests/support/journey.ts";
import type { Places } from "./places.ts";

interface Place {
  path: string;
  browser: HttpBrowser;
}

export interface Screen {
  name: string;
  /** Path below app/. */
  file: string;
  /** Whether its form benefits from React. */
  hydrated: boolean;
  at: (places: Places) => Place | Promise<Place>;
}

/** Modules without a screen: they redirect, frame a step, or exist only during development. */
export const withoutScreen = [
  "pages/payment-return/route.tsx",
  "journey/subscription-details/buy-now.tsx",
  "journey/index.tsx",
  "journey/layout.tsx",
  "pages/ui/route.tsx",
];

const plain = (name: string, file: string, at: Screen["at"]): Screen => ({ name, file, at, hydrated: false });
const hydrated = (name: string, file: string, at: Screen["at"]): Screen => ({
  name,
  file,
  at,
  hydrated: true,
});

const open =
  (path: string): Screen["at"] =>
  ({ stranger }) => ({ path, browser: stranger });
const own =
  (path: string): Screen["at"] =>
  ({ owner }) => ({ path, browser: owner });

const atDesk =
  (path: string): Screen["at"] =>
  ({ admin }) => ({ path, browser: admin });

type Order =
  | "begun"
  | "atReview"
  | "atPayment"
  | "paid"
  | "done"
  | "contract"
  | "addOn"
  | "seats"
  | "renewal";
const step =
  (order: Order, slug: string): Screen["at"] =>
  (places) => ({ path: `${places[order].path}/${slug}`, browser: places[order].browser });

export const newOrder = paths.newOrder(plan);

export const screens: readonly Screen[] = [
  plain("home", "pages/home/route.tsx", open(paths.home())),
  plain("home of a customer", "pages/home/protected.tsx", own(paths.customerHome())),
  plain("compare", "pages/compare/route.tsx", open(paths.compare())),
  plain("help me choose", "pages/choose/route.tsx", open(paths.choose())),
  plain("about us", "pages/legal/about.tsx", open(paths.about())),
  plain("terms of sale", "pages/legal/terms.tsx", open(paths.terms())),
  plain("refunds", "pages/legal/refunds.tsx", open(paths.refunds())),
  plain("privacy", "pages/legal/privacy.tsx", open(paths.privacy())),
  plain("grievance contact", "pages/legal/grievances.tsx", open(paths.grievances())),
  plain("accessibility", "pages/legal/accessibility.tsx", open(paths.accessibility())),
  plain("payment methods", "pages/payment-methods/route.tsx", open(paths.paymentMethods())),
  plain("country", "pages/country/route.tsx", open(paths.country())),
  plain("search", "pages/search/route.tsx", open(paths.search({ query: "email" }))),
  plain("login", "pages/login/route.tsx", open(paths.login())),
  plain("login code", "pages/login/code.tsx", ({ halfway }) => ({
    path: paths.loginCode(),
    browser: halfway,
  })),
  plain("login with a passkey", "pages/login/passkey.tsx", open(paths.loginPasskey())),
  plain("sign up", "pages/signup/route.tsx", open(paths.signup())),
  plain("forgot password", "pages/forgot-password/route.tsx", open(paths.forgotPassword())),
  plain("reset password", "pages/reset-password/route.tsx", ({ resetPassword, stranger }) => ({
    path: resetPassword,
    browser: stranger,
  })),
  plain("continue as", "pages/continue/route.tsx", ({ offered }) => ({
    path: paths.continueAs("/"),
    browser: offered,
  })),
  plain("Outlook proof", "pages/identity-proof/route.tsx", ({ claiming }) => ({
    path: paths.outlookProof(),
    browser: claiming,
  })),
  plain("approval", "pages/approval/route.tsx", ({ approval }) => approval),
  plain("resume", "pages/resume/route.tsx", ({ resume, stranger }) => ({ path: resume, browser: stranger })),
  plain("unsubscribe", "pages/unsubscribe/route.tsx", ({ unsubscribe, stranger }) => ({
    path: unsubscribe,
    browser: stranger,
  })),
  plain("invitation", "pages/invite/route.tsx", ({ invite, stranger }) => ({
    path: invite,
    browser: stranger,
  })),
  plain("billing contact", "pages/billing-contact/route.tsx", ({ billingContact, stranger }) => ({
    path: billingContact,
    browser: stranger,
  })),
  plain("not found", "pages/not-found/route.tsx", open("/nowhere")),
  plain("API", "pages/api-docs/route.tsx", open(paths.apiDocs())),

  plain("account", "pages/account/route.tsx", own(paths.account())),
  plain("change of password", "pages/account/password.tsx", own(paths.changePassword())),
  plain("two-step sign-in", "pages/account/second-factor.tsx", own(paths.secondFactor())),
  plain("notifications", "pages/account/notifications.tsx", own(paths.notifications())),
  plain("passkeys", "pages/account/passkeys.tsx", own(paths.passkeys())),
  plain("sign-ins", "pages/account/sign-ins.tsx", own(paths.signIns())),
  plain("my data", "pages/my-data/route.tsx", own(paths.myData())),
  plain("keep the account", "pages/keep-account/route.tsx", ({ keepAccount, stranger }) => ({
    path: keepAccount,
    browser: stranger,
  })),
  plain("subscriptions", "pages/subscriptions/route.tsx", own(paths.subscriptions())),
  plain("cancel or reduce", "pages/cancellation/route.tsx", ({ subscriptionId, owner }) => ({
    path: paths.cancelSubscription(subscriptionId),
    browser: owner,
  })),
  plain("renewals", "pages/renewals/route.tsx", own(paths.renewals())),
  plain("choice of a renewal", "pages/renewal-choice/route.tsx", ({ subscriptionId, owner }) => ({
    path: paths.renewalChoice(subscriptionId),
    browser: owner,
  })),
  plain("orders", "pages/my-orders/route.tsx", own(paths.myOrders())),
  plain("everything paid for", "pages/documents/route.tsx", own(paths.documents())),
  plain("statement of account", "pages/statement/route.tsx", own(paths.statement())),
  plain("licenses of a year", "pages/licences/route.tsx", own(paths.licences())),
  plain("credit note", "pages/credit-note/route.tsx", ({ creditNote }) => creditNote),
  plain("invoice", "pages/invoice/route.tsx", ({ invoice, owner }) => ({ path: invoice, browser: owner })),
  plain("references", "pages/references/route.tsx", ({ references }) => references),
  plain("refused document", "pages/refused-document/route.tsx", ({ references: { path, browser } }) => ({
    path: path.replace("/references", "/refused-document"),
    browser,
  })),
  plain("pay another way", "pages/pay/route.tsx", ({ otherWay }) => otherWay),
  plain("proforma", "pages/proforma/route.tsx", ({ proforma }) => proforma),
  plain("quote", "pages/quote/route.tsx", ({ quote }) => quote),
  plain("quote request", "pages/quote-request/route.tsx", ({ quoteRequest }) => quoteRequest),
  plain("cart", "pages/cart/route.tsx", own(paths.cart())),
  plain("company", "pages/company/route.tsx", own(paths.company())),
  plain("a company's place", "pages/company/billing-address.tsx", own(paths.companyBillingAddress("new"))),
  plain("members", "pages/members/route.tsx", own(paths.members())),
  plain("Microsoft sign-up", "pages/microsoft-signup/route.tsx", own(paths.microsoftSignup())),
  plain("sync", "pages/sync/route.tsx", own(paths.sync())),

  plain("desk: sign in", "desk/login/route.tsx", open(paths.deskLogin())),
  plain("desk: code", "desk/code/route.tsx", async ({ signInAtDesk }) => ({
    path: paths.deskCode(),
    browser: await signInAtDesk(),
  })),
  plain("desk: set up", "desk/account-setup/route.tsx", ({ deskSetUp, stranger }) => ({
    path: deskSetUp,
    browser: stranger,
  })),
  plain("desk: what needs a person", "desk/work-queue/route.tsx", atDesk(paths.desk())),
  plain("desk: orders", "desk/orders/route.tsx", atDesk(paths.deskOrders())),
  plain("desk: documents", "desk/documents/route.tsx", atDesk(paths.deskDocuments())),
  plain("desk: document", "desk/document/route.tsx", ({ deskDocument, admin }) => ({
    path: deskDocument,
    browser: admin,
  })),
  plain("desk: GSTR-1", "desk/gstr1/route.tsx", ({ deskGstr1, admin }) => ({
    path: deskGstr1,
    browser: admin,
  })),
  plain("desk: money", "desk/money/route.tsx", atDesk(paths.deskMoney())),
  plain("desk: refunds", "desk/money-list/route.tsx", atDesk(paths.deskMoneyList("refunds"))),
  plain("desk: order", "desk/order/route.tsx", ({ deskOrder, admin }) => ({
    path: deskOrder,
    browser: admin,
  })),
  plain("desk: customers", "desk/customers/route.tsx", atDesk(paths.deskCustomers())),
  plain("desk: customer", "desk/customer/route.tsx", ({ deskCustomer, admin }) => ({
    path: deskCustomer,
    browser: admin,
  })),
  plain("desk: tenants", "desk/tenants/route.tsx", atDesk(paths.deskTenantImport())),
  plain("desk: act", "desk/action/route.tsx", ({ deskAct, admin }) => ({ path: deskAct, browser: admin })),
  plain("desk: mail", "desk/mail/route.tsx", atDesk(paths.deskMail())),
  plain("desk: jobs", "desk/jobs/route.tsx", atDesk(paths.deskJobs())),
  plain("desk: vendors", "desk/vendors/route.tsx", atDesk(paths.deskVendors())),
  plain("desk: prices", "desk/prices/route.tsx", atDesk(paths.deskPrices())),
  plain("desk: price list", "desk/price-list/route.tsx", ({ deskPriceList, admin }) => ({
    path: deskPriceList,
    browser: admin,
  })),
  plain("desk: prices of an item", "desk/price-history/route.tsx", atDesk(paths.deskPriceHistory(plan.item))),
  plain("desk: texts", "desk/texts/route.tsx", atDesk(paths.deskTexts())),
  plain("desk: texts of an item", "desk/item-texts/route.tsx", atDesk(paths.deskItemTexts(plan.item))),
  plain("desk: slide", "desk/slide/route.tsx", atDesk(paths.deskSlide("laptop"))),
  plain("desk: staff", "desk/staff/route.tsx", atDesk(paths.deskStaff())),
  plain("desk: audit", "desk/audit/route.tsx", atDesk(paths.deskAudit())),

  hydrated("1 Subscription Details, new", "journey/subscription-details/new-order.tsx", open(newOrder)),
  hydrated(
    "1 Subscription Details",
    "journey/subscription-details/route.tsx",
    step("begun", "subscription-details"),
  ),
  hydrated("2 Create Account", "journey/create-account/route.tsx", step("begun", "create-account")),
  hydrated("3 Place Order", "journey/place-order/route.tsx", step("atReview", "place-order")),
  hydrated("3 Place Order, paying", "journey/place-order/route.tsx", step("atPayment", "place-order")),
  hydrated("4 Sign-In", "journey/sign-in/route.tsx", step("paid", "sign-in")),
  plain("5 Order Processed", "journey/order-processed/route.tsx", step("done", "order-processed")),

  hydrated(
    "a further subscription",
    "journey/subscription-details/new-contract.tsx",
    own(paths.newContract({ family: plan.family, item: plan.item, country: plan.country })),
  ),
  hydrated("a further one, 2", "journey/place-order/route.tsx", step("contract", "place-order")),
  hydrated("add-on", "journey/subscription-details/new-add-on.tsx", own(paths.newAddOn())),
  hydrated("add-on, 2", "journey/place-order/route.tsx", step("addOn", "place-order")),
  hydrated("buy more", "journey/subscription-details/new-buy-more.tsx", ({ subscriptionId, owner }) => ({
    path: paths.buyMore(subscriptionId),
    browser: owner,
  })),
  hydrated("buy more, 2", "journey/place-order/route.tsx", step("seats", "place-order")),
  hydrated("renew", "journey/subscription-details/new-renewal.tsx", ({ subscriptionId, owner }) => ({
    path: paths.renew(subscriptionId),
    browser: owner,
  })),
  hydrated("renew, 2", "journey/place-order/route.tsx", step("renewal", "place-order")),
];
