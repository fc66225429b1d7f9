/**
 * Every URL of the product, one function each, so that a browser only gets those its page uses. Import it as `paths`. Pages
 * and mails build every link here. The parameters' schemas are in app/params.ts.
 */

export type OrderStepSlug =
  | "subscription-details"
  | "create-account"
  | "place-order"
  | "sign-in"
  | "order-processed";

interface OrderAddress {
  id: string;
  family: string;
  item: string;
  country: string;
}

type CatalogueAddress = {
  service?: string;
  country?: string;
  /** For an existing customer. */
  TUP?: "true" | undefined;
};

type ApprovalOptions = Partial<Record<"window" | "sign" | "refused", string>>;

const query = (values: Record<string, string | undefined>): string => {
  const filled = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return filled.length === 0 ? "" : `?${new URLSearchParams(filled).toString()}`;
};

/** Longest return path that `safeReturnPath` accepts, in characters. Encoded, it still leaves a redirect below 2 kB. */
const longestReturn = 500;

/** A query that names the address to return to, unless it is too long. */
const returning = (next: string | undefined, more: Record<string, string | undefined> = {}) =>
  query({ next: next !== undefined && next.length <= longestReturn ? next : undefined, ...more });

/** `TUP`: for an existing customer. */
export const home = (options: { service?: string; country?: string; TUP?: "true" | undefined } = {}) =>
  `/${query(options)}`;
export const explore = (options: { service?: string; country?: string; TUP?: string } = {}) =>
  `/home${query(options)}`;
export const customerHome = () => "/Home";
/** A family's plans side by side. `plan`, `with`: the two that a telephone shows; `fits`: the one that was recommended. */
export const compare = (options: CatalogueAddress & { plan?: string; with?: string; fits?: string } = {}) =>
  `/compare${query(options)}`;
/** The questions that lead to a plan. */
export const choose = (options: CatalogueAddress = {}) => `/choose${query(options)}`;
export const about = () => "/about";
export const terms = () => "/terms";
export const refunds = () => "/refunds";
export const privacy = () => "/privacy";
export const grievances = () => "/grievances";
export const accessibility = () => "/accessibility";
export const paymentMethods = () => "/payment-methods";
export const country = () => "/country";
export const language = () => "/language";
export const search = (options: { query?: string; page?: string; country?: string; TUP?: "true" } = {}) =>
  `/search${query(options)}`;
export const login = (next?: string) => `/login${returning(next)}`;
/** The second step of a sign-in: a code. */
export const loginCode = (next?: string) => `/login/code${returning(next)}`;
export const loginPasskey = (next?: string) => `/login/passkey${returning(next)}`;
export const signup = (next?: string) => `/signup${returning(next)}`;
export const forgotPassword = () => "/forgot-password";
/** The page that asks whether to accept an offered session, and the path to continue to. */
export const continueAs = (next: string) => `/continue${returning(next)}`;
export const account = () => "/account";
export const changePassword = () => "/account/password";
export const passkeys = (next?: string) => `/account/passkeys${returning(next)}`;
export const notifications = () => "/account/notifications";
/** Stops a kind of mails by the link in one of them. */
export const unsubscribe = (token: string) => `/unsubscribe/${token}`;
/** What a browser is asked to make, or to sign. */
export const passkeyOptions = () => "/passkeys/options";
/** `next`: where somebody was going who has to set it up first. */
export const secondFactor = (next?: string) => `/account/second-factor${returning(next)}`;
/** Sign-ins at identity providers that open the account. */
export const signIns = () => "/account/sign-ins";
/** Mails the signed-in user a link for choosing a password. */
/** @param next the page that asks for the code */
export const mailedCode = (next?: string) => `/account/mailed-code${query({ next })}`;
export const passwordLink = () => "/account/password-link";
/** What is stored of the signed-in user: to take along, and to be deleted. */
export const myData = () => "/account/my-data";
export const myDataZip = (exportId: string) => `/account/my-data/${exportId}/zip`;
/** A mailed link that takes a deletion back. */
export const cancelAccountDeletion = (token: string) => `/keep-account/${token}`;
/** The specification's spelling, with the trailing slash. `connect`: to be connected with the account that is signed in. */
export const outlookSignIn = (next?: string, connect?: "yes") =>
  `/azure/ad/authentication/${returning(next, { connect })}`;
/** The redirect URI registered at Microsoft. */
export const outlookCallback = () => "/azure/ad/callback";
export const outlookProof = () => "/azure/ad/proof";
/** Any other identity provider's, by its id. */
export const signInAt = (provider: string, next?: string, connect?: "yes") =>
  `/sign-in/${provider}${returning(next, { connect })}`;
/** The redirect URI registered at the provider. */
export const signInCallback = (provider: string) => `/sign-in/${provider}/callback`;
export const signInProof = (provider: string) => `/sign-in/${provider}/proof`;
/** Also registered at Microsoft, beside outlookCallback. */
export const administratorCallback = () => "/azure/ad/administrator";
/**
 * The steps that an order into an existing account waits for. `window: "popup"`: opened beside the order; `sign: "in"`: goes
 * on to Microsoft; `refused`: why a sign-in there proved nothing.
 */
export const approval = (orderId: string, options: ApprovalOptions = {}) =>
  `/orders/${orderId}/approval${query(options)}`;
/** The same for an administrator with a mailed link, who sees nothing else of the order. */
export const approve = (token: string, options: ApprovalOptions = {}) => `/approve/${token}${query(options)}`;
export const sitemap = () => "/sitemap.xml";
export const robots = () => "/robots.txt";
export const securityTxt = () => "/.well-known/security.txt";
export const manifest = () => "/manifest.webmanifest";
/** What hydrated pages say in a language. @param version changes with it, so that a browser may keep it for good */
export const messages = ({ language, version }: { language: string; version: string }) =>
  `/messages/${language}${query({ version })}`;
export const apiDocs = () => "/api/docs";
export const openApi = () => "/api/openapi.json";
export const live = () => "/livez";
export const ready = () => "/readyz";
export const logout = () => "/logout";
export const validateToken = () => "/api/validate-token";
export const setPassword = (token: string) => `/set-password/${token}`;
export const resetPassword = (token: string) => `/reset-password/${token}`;
export const resume = (token: string) => `/resume/${token}`;
/** What is answered already where an order begins. */
interface Begun {
  quantity?: string | undefined;
  term?: string | undefined;
}

/** `another`: for a new account, beside those that the company has. */
export const newOrder = (
  to: { family: string; item: string; country: string },
  begun: Begun & { another?: "true" } = {},
) => `/order/${to.family}/${to.item}/${to.country}${query({ ...begun })}`;
export const order = (to: OrderAddress) => `/order/${to.id}/${to.family}/${to.item}/${to.country}`;
export const newContract = (to: { family: string; item: string; country: string }, begun: Begun = {}) =>
  `/contract/${to.family}/${to.item}/${to.country}${query({ TUP: "true", ...begun })}`;
/** Redirects to the order's step. The cart links to it. */
export const contractById = (to: { id: string }) => `/contract/${to.id}`;
export const contract = (to: { id: string; family: string }) => `/contract/${to.id}/${to.family}`;
export const newAddOn = (options: { sku_id?: string; base?: string } = {}) =>
  `/subscription/addon${query(options)}`;
export const addOn = (to: { id: string }) => `/subscription/addon/${to.id}`;
/** More licences of a subscription: step 1, or with `stage: "3"` the last step of the latest order. */
export const buyMore = (subscriptionId: string, options: { stage?: string } = {}) =>
  `/buy/more/${subscriptionId}${query(options)}`;
export const seatsOrder = (to: { subscriptionId: string; id: string }) =>
  `/buy/more/${to.subscriptionId}/${to.id}`;
/** The same for a renewal. */
export const renew = (subscriptionId: string, options: { stage?: string } = {}) =>
  `/${subscriptionId}/renew${query(options)}`;
export const renewalOrder = (to: { subscriptionId: string; id: string }) =>
  `/${to.subscriptionId}/renew/${to.id}`;
/**
 * Giving back a subscription or some of its licences. `give`: "all", or how many licences, to be confirmed; `asked`: what was asked
 * for, and where it stands.
 */
export const cancelSubscription = (subscriptionId: string, options: { give?: string; asked?: string } = {}) =>
  `/subscriptions/${subscriptionId}/cancel${query(options)}`;
/** What ends in the next twelve months. */
export const renewals = () => "/renewals";
/** The same for calendar programs. */
export const renewalFeed = (token: string) => `/calendar/${token}.ics`;
/** What is to become of a subscription at the end of its term. */
export const renewalChoice = (subscriptionId: string) => `/subscriptions/${subscriptionId}/renewal`;
/** The same by the link of a letter, without a login. */
export const renewalLink = (token: string) => `/renewal/${token}`;
/** The invoice of a paid order, for all members of its company. @param number of one that was replaced */
export const invoice = (orderId: string, number?: string) => `/orders/${orderId}/invoice${query({ number })}`;
export const invoicePdf = (orderId: string, number?: string) =>
  `/orders/${orderId}/invoice.pdf${query({ number })}`;
/** What the buyer's own books call an order, to be changed until its invoice is issued; from then on a corrected invoice is asked for there. */
export const orderReferences = (orderId: string) => `/orders/${orderId}/references`;
/** The form that corrects an invoice or credit note which the tax office refused. */
export const refusedDocument = (orderId: string, number: string) =>
  `/orders/${orderId}/refused-document${query({ number })}`;
/** Ways to pay an order that are not in its checkout. */
export const payAnotherWay = (orderId: string) => `/orders/${orderId}/pay`;
/** What is to be transferred for an order, and what has arrived. */
export const proforma = (orderId: string) => `/orders/${orderId}/proforma`;
export const proformaPdf = (orderId: string) => `/orders/${orderId}/proforma.pdf`;
/** POST makes an order's quote, or its next version; GET leads to the one it has. */
export const orderQuote = (orderId: string) => `/orders/${orderId}/quote`;
/** A version of a quote, for all members of its company. */
export const quote = (quoteId: string) => `/quotes/${quoteId}`;
export const quotePdf = (quoteId: string) => `/quotes/${quoteId}/pdf`;
/** The parts of a payer's page: the way on to the checkout, the account to transfer to, and that a transfer was told of. */
export type PayPagePart = "checkout" | "account" | "said";
/** What an approver or a payer is asked, by the link that was mailed to them. */
export const quoteRequest = (token: string, part?: PayPagePart) =>
  part === undefined ? `/requests/${token}` : `/requests/${token}#${part}`;
/** The credit note of a refund, or of a corrected invoice, for the same readers. */
export const creditNote = (id: string) => `/credit-notes/${id}`;
export const creditNotePdf = (id: string) => `/credit-notes/${id}/pdf`;
/** Which time of a company's books: a year by the calendar year in which it begins, or the days from one to another. */
type BooksTime = { year?: string; from?: string; to?: string };
/** A company's invoices and credit notes by year, and as files. */
export const documents = (time: BooksTime & { page?: string } = {}) => `/documents${query(time)}`;
export const documentsFile = (time: BooksTime = {}) => `/documents.csv${query(time)}`;
export const documentsZip = (time: BooksTime = {}) => `/documents.zip${query(time)}`;
/** What was open, invoiced, paid and given back. */
export const statement = (time: BooksTime & { page?: string } = {}) => `/documents/statement${query(time)}`;
export const statementFile = (time: BooksTime = {}) => `/documents/statement.csv${query(time)}`;
export const statementPdf = (time: BooksTime = {}) => `/documents/statement.pdf${query(time)}`;
/** The licences of a year. */
export const licences = (time: BooksTime = {}) => `/documents/licences${query(time)}`;
export const licencesFile = (time: BooksTime = {}) => `/documents/licences.csv${query(time)}`;
/** What the signed-in user's company says of itself. */
export const company = () => "/company";
/** Where somebody who gets a company's documents agrees to it, or ends it. */
export const billingContact = (token: string) => `/billing/${token}`;
/** One of its places, or "new"; `next` is where its form leads once it is saved. */
export const companyBillingAddress = (place: string, next?: string) =>
  `/company/places/${place}${returning(next)}`;
/** The desk, for the people who run the store. */
export const desk = (options: Partial<Record<"after" | "kind" | "unit" | "on", string | undefined>> = {}) =>
  `/desk${query(options)}`;
export const deskWorkQueueCsv = (options: { kind?: string } = {}) => `/desk/queue.csv${query(options)}`;
export const deskLogin = (next?: string) => `/desk/login${returning(next)}`;
export const deskCode = (next?: string) => `/desk/code${returning(next)}`;
export const deskSetup = (token: string) => `/desk/set-up/${token}`;
export const deskLogout = () => "/desk/logout";
export const deskOrders = (options: { search?: string; only?: string; sort?: string; page?: string } = {}) =>
  `/desk/orders${query(options)}`;
export const deskOrdersCsv = (options: { search?: string; only?: string } = {}) =>
  `/desk/orders.csv${query(options)}`;
export const deskOrder = (orderId: string) => `/desk/orders/${orderId}`;
/** Narrowed as the list's own fields are called (server/desk/lists). */
type ListOptions = Record<string, string>;
export const deskDocuments = (options: ListOptions = {}) => `/desk/documents${query(options)}`;
export const deskDocumentsCsv = (options: ListOptions = {}) => `/desk/documents.csv${query(options)}`;
/** Their PDFs. */
export const deskDocumentsZip = (options: ListOptions = {}) => `/desk/documents.zip${query(options)}`;
/** An invoice, a credit note or a proforma by its number, which has slashes. */
export const deskDocument = (number: string) => `/desk/documents/${encodeURIComponent(number)}`;
export const deskDocumentPdf = (number: string) => `${deskDocument(number)}/pdf`;
/** The return of a month. `from`: the document after which the list goes on; `show`: "all", or only those with a problem. */
export const deskGstr1 = (options: { month?: string; show?: string; gstin?: string; from?: string } = {}) =>
  `/desk/gstr1${query(options)}`;
/** A file of it: the portal's JSON, the CSV of a table, or all of them as a zip. */
export const deskGstr1File = (to: { month: string; gstin: string; file: string }) =>
  `/desk/gstr1/${to.month}/${to.gstin}/${to.file}`;
export const deskMoney = () => "/desk/money";
export const deskMoneyList = (list: string, options: ListOptions = {}) =>
  `/desk/money/${list}${query(options)}`;
export const deskMoneyCsv = (list: string, options: ListOptions = {}) =>
  `/desk/money/${list}/csv${query(options)}`;
export const deskCustomers = (options: { search?: string; sort?: string; page?: string } = {}) =>
  `/desk/customers${query(options)}`;
export const deskCustomersCsv = (options: { search?: string } = {}) => `/desk/customers.csv${query(options)}`;
export const deskCustomer = (customerId: string) => `/desk/customers/${customerId}`;
/** Tenants that customers bring along, many at once. */
export const deskTenantImport = () => "/desk/tenants";
/** Ends a look at the store as a customer. */
export const deskEndImpersonation = () => "/desk/view/end";
/** The form of an act on an order, a member of staff and so on. */
export const deskActionForm = (act: string, subject: string) =>
  `/desk/acts/${act}/${encodeURIComponent(subject)}`;
export const deskMail = (
  options: Partial<
    Record<"recipient" | "kind" | "state" | "order" | "sort" | "page" | "suppressed", string | undefined>
  > = {},
) => `/desk/mail${query(options)}`;
export const deskJobs = (options: Partial<Record<"state" | "name" | "page", string | undefined>> = {}) =>
  `/desk/jobs${query(options)}`;
export const deskVendors = () => "/desk/vendors";
export const deskPrices = (options: { page?: string } = {}) => `/desk/prices${query(options)}`;
/** The prices in force as a list, to be edited. */
export const deskPricesCsv = () => "/desk/prices.csv";
export const deskPriceList = (id: number, options: { show?: string; after?: string } = {}) =>
  `/desk/prices/${id}${query(options)}`;
export const deskPriceHistory = (itemId: string) => `/desk/prices/items/${itemId}`;
export const deskTexts = () => "/desk/texts";
export const deskItemTexts = (itemId: string) => `/desk/texts/items/${itemId}`;
export const deskSlide = (id: string) => `/desk/texts/slides/${id}`;
export const deskStaff = () => "/desk/staff";
export const deskStaffCsv = () => "/desk/staff.csv";
export const deskAudit = (options: Partial<Record<"staff" | "action" | "subject" | "page", string>> = {}) =>
  `/desk/audit${query(options)}`;
export const deskAuditCsv = (options: Partial<Record<"staff" | "action" | "subject", string>> = {}) =>
  `/desk/audit.csv${query(options)}`;
export const members = () => "/members";
export const invite = (token: string) => `/invite/${token}`;
export const microsoftSignup = () => "/MSSignup";
export const sync = () => "/sync/cp";
/** Every component, in development only. */
export const components = () => "/ui";
/** `completed`: a paid buy-more or renewal order that the page offers to continue. */
export const subscriptions = (options: { service?: string; completed?: string } = {}) =>
  `/subscriptions${query(options)}`;
export const myOrders = (options: { service?: string; search?: string; state?: string } = {}) =>
  `/myorders${query(options)}`;
/** `removed`: the order just removed, which the page offers to restore. */
export const cart = (options: { service?: string; removed?: string } = {}) => `/cart${query(options)}`;
/** `by: "link"`: whoever paid has no account, and comes back to a page that needs none. */
export const paymentReturn = (options: { by?: "link" } = {}) => `/payments/return${query(options)}`;
/** Browsers report here what a Content-Security-Policy has blocked. */
export const cspReports = () => "/csp-reports";
export const razorpayWebhook = () => "/webhooks/razorpay";
/** Where links that were paid are reported. */
export const paymentLinkWebhook = () => "/webhooks/payment-link";
/** Where credits to the accounts of orders are reported. */
export const bankTransferWebhook = () => "/webhooks/bank-transfer";
/** Where a family's vendor announces changes. */
export const vendorWebhook = (family: string) => `/webhooks/${family}`;
export const microsoftDomain = (tenant: string) => `/mssignup${query({ tenant })}`;
export const googleDomain = (tenant: string, console: string) =>
  `/google/signup${query({ tenant, console })}`;
export const stage = (orderId: string) => `/get/stage${query({ id: orderId })}`;
export const invitationStatus = (orderId: string, email: string) =>
  `/reseller/invitation/status${query({ id: orderId, email })}`;
