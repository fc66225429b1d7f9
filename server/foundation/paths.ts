/**
 * Every URL of the store, one function each, so that a browser only gets those its page uses. Import it as `paths`. Pages and
 * mails build every link here. The parameters' schemas are in app/params.ts.
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
  /** Whether the customer is an existing one. */
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
/** Compares a family's plans. `plan`, `with`: the two plans that a phone shows; `fits`: the recommended one. */
export const compare = (options: CatalogueAddress & { plan?: string; with?: string; fits?: string } = {}) =>
  `/compare${query(options)}`;
/** Questions that recommend a plan. */
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
/** Second step of a sign-in: a code. */
export const loginCode = (next?: string) => `/login/code${returning(next)}`;
export const loginPasskey = (next?: string) => `/login/passkey${returning(next)}`;
export const signup = (next?: string) => `/signup${returning(next)}`;
export const forgotPassword = () => "/forgot-password";
/** Asks whether to accept an offered session. `next`: the path to continue to. */
export const continueAs = (next: string) => `/continue${returning(next)}`;
export const account = () => "/account";
export const changePassword = () => "/account/password";
export const passkeys = (next?: string) => `/account/passkeys${returning(next)}`;
export const notifications = () => "/account/notifications";
/** Unsubscribes from a topic through the link of a mail. */
export const unsubscribe = (token: string) => `/unsubscribe/${token}`;
/** Passkey options for the browser. */
export const passkeyOptions = () => "/passkeys/options";
/** `next`: the destination of a user who has to set it up first. */
export const secondFactor = (next?: string) => `/account/second-factor${returning(next)}`;
/** Identities that open the account. */
export const signIns = () => "/account/sign-ins";
/** Mails the signed-in user a link for choosing a password. */
/** @param next the page that asks for the code */
export const mailedCode = (next?: string) => `/account/mailed-code${query({ next })}`;
export const passwordLink = () => "/account/password-link";
/** Personal data of the signed-in user: export and deletion. */
export const myData = () => "/account/my-data";
export const myDataZip = (exportId: string) => `/account/my-data/${exportId}/zip`;
/** Mailed link that takes a deletion back. */
export const cancelAccountDeletion = (token: string) => `/keep-account/${token}`;
/** The specification's spelling, with the trailing slash. `connect`: connects the identity with the signed-in account. */
export const outlookSignIn = (next?: string, connect?: "yes") =>
  `/azure/ad/authentication/${returning(next, { connect })}`;
/** Redirect URI registered at Microsoft. */
export const outlookCallback = () => "/azure/ad/callback";
export const outlookProof = () => "/azure/ad/proof";
/** Sign-in at any other identity provider, by its id. */
export const signInAt = (provider: string, next?: string, connect?: "yes") =>
  `/sign-in/${provider}${returning(next, { connect })}`;
/** Redirect URI registered at the provider. */
export const signInCallback = (provider: string) => `/sign-in/${provider}/callback`;
export const signInProof = (provider: string) => `/sign-in/${provider}/proof`;
/** Also registered at Microsoft, in addition to outlookCallback. */
export const administratorCallback = () => "/azure/ad/administrator";
/**
 * Steps that an order into an existing account waits for. `window: "popup"`: opened next to the order; `sign: "in"`: redirects to
 * Microsoft; `refused`: the reason why a sign-in there proved nothing.
 */
export const approval = (orderId: string, options: ApprovalOptions = {}) =>
  `/orders/${orderId}/approval${query(options)}`;
/** Approval page for an administrator with a mailed link, who sees nothing else of the order. */
export const approve = (token: string, options: ApprovalOptions = {}) => `/approve/${token}${query(options)}`;
export const sitemap = () => "/sitemap.xml";
export const robots = () => "/robots.txt";
export const securityTxt = () => "/.well-known/security.txt";
export const manifest = () => "/manifest.webmanifest";
/**
 * Messages for hydrated pages in a language. @param version changes with the messages, so that a browser may cache them
 * permanently
 */
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
/** Answers known before an order begins. */
interface Begun {
  quantity?: string | undefined;
  term?: string | undefined;
}

/** `another`: for a new account, in addition to the company's existing ones. */
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
/** Buys more licences of a subscription: step 1, or with `stage: "3"` the last step of the latest order. */
export const buyMore = (subscriptionId: string, options: { stage?: string } = {}) =>
  `/buy/more/${subscriptionId}${query(options)}`;
export const seatsOrder = (to: { subscriptionId: string; id: string }) =>
  `/buy/more/${to.subscriptionId}/${to.id}`;
/** Renews a subscription; `stage` as for buyMore. */
export const renew = (subscriptionId: string, options: { stage?: string } = {}) =>
  `/${subscriptionId}/renew${query(options)}`;
export const renewalOrder = (to: { subscriptionId: string; id: string }) =>
  `/${to.subscriptionId}/renew/${to.id}`;
/**
 * Cancels a subscription or some of its licences. `give`: "all", or the number of licences to confirm; `asked`: the requested
 * cancellation, whose state is shown.
 */
export const cancelSubscription = (subscriptionId: string, options: { give?: string; asked?: string } = {}) =>
  `/subscriptions/${subscriptionId}/cancel${query(options)}`;
/** Renewals of the next twelve months. */
export const renewals = () => "/renewals";
/** Renewals for calendar programs. */
export const renewalFeed = (token: string) => `/calendar/${token}.ics`;
/** Renewal choice of a subscription. */
export const renewalChoice = (subscriptionId: string) => `/subscriptions/${subscriptionId}/renewal`;
/** Renewal choice through a mailed link, without a login. */
export const renewalLink = (token: string) => `/renewal/${token}`;
/** Invoice of a paid order, for all members of its company. @param number of a replaced invoice */
export const invoice = (orderId: string, number?: string) => `/orders/${orderId}/invoice${query({ number })}`;
export const invoicePdf = (orderId: string, number?: string) =>
  `/orders/${orderId}/invoice.pdf${query({ number })}`;
/**
 * References of an order in the buyer's books, editable until its invoice is issued; after that the page offers a corrected
 * invoice.
 */
export const orderReferences = (orderId: string) => `/orders/${orderId}/references`;
/** Form that corrects an invoice or credit note which the tax office refused. */
export const refusedDocument = (orderId: string, number: string) =>
  `/orders/${orderId}/refused-document${query({ number })}`;
/** Payment methods outside the checkout. */
export const payAnotherWay = (orderId: string) => `/orders/${orderId}/pay`;
/** Amount to transfer for an order, and transfers received. */
export const proforma = (orderId: string) => `/orders/${orderId}/proforma`;
export const proformaPdf = (orderId: string) => `/orders/${orderId}/proforma.pdf`;
/** POST creates an order's quote, or its next version; GET redirects to the present one. */
export const orderQuote = (orderId: string) => `/orders/${orderId}/quote`;
/** Version of a quote, for all members of its company. */
export const quote = (quoteId: string) => `/quotes/${quoteId}`;
export const quotePdf = (quoteId: string) => `/quotes/${quoteId}/pdf`;
/** Parts of a payer's page: the link to the checkout, the account to transfer to, and the confirmation of a reported transfer. */
export type PayPagePart = "checkout" | "account" | "said";
/** Quote request, opened by the mailed link of an approver or a payer. */
export const quoteRequest = (token: string, part?: PayPagePart) =>
  part === undefined ? `/requests/${token}` : `/requests/${token}#${part}`;
/** Credit note of a refund, or of a corrected invoice, for the same readers. */
export const creditNote = (id: string) => `/credit-notes/${id}`;
export const creditNotePdf = (id: string) => `/credit-notes/${id}/pdf`;
/** Period of a company's books: a year by the calendar year in which it begins, or the days from one to another. */
type BooksTime = { year?: string; from?: string; to?: string };
/** Invoices and credit notes of a company by year, and as files. */
export const documents = (time: BooksTime & { page?: string } = {}) => `/documents${query(time)}`;
export const documentsFile = (time: BooksTime = {}) => `/documents.csv${query(time)}`;
export const documentsZip = (time: BooksTime = {}) => `/documents.zip${query(time)}`;
/** Statement: opening balance, invoices, payments and refunds. */
export const statement = (time: BooksTime & { page?: string } = {}) => `/documents/statement${query(time)}`;
export const statementFile = (time: BooksTime = {}) => `/documents/statement.csv${query(time)}`;
export const statementPdf = (time: BooksTime = {}) => `/documents/statement.pdf${query(time)}`;
/** Licences of a year. */
export const licences = (time: BooksTime = {}) => `/documents/licences${query(time)}`;
export const licencesFile = (time: BooksTime = {}) => `/documents/licences.csv${query(time)}`;
/** Details of the signed-in user's company. */
export const company = () => "/company";
/** Page on which a billing contact agrees to get a company's documents, or stops them. */
export const billingContact = (token: string) => `/billing/${token}`;
/** One of its addresses, or "new"; `next` is the page after its form is saved. */
export const companyBillingAddress = (place: string, next?: string) =>
  `/company/places/${place}${returning(next)}`;
/** Desk, for staff. */
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
/** Filters named as the list's own fields (server/desk/lists). */
type ListOptions = Record<string, string>;
export const deskDocuments = (options: ListOptions = {}) => `/desk/documents${query(options)}`;
export const deskDocumentsCsv = (options: ListOptions = {}) => `/desk/documents.csv${query(options)}`;
/** PDFs of the documents. */
export const deskDocumentsZip = (options: ListOptions = {}) => `/desk/documents.zip${query(options)}`;
/** Invoice, credit note or proforma by its number, which contains slashes. */
export const deskDocument = (number: string) => `/desk/documents/${encodeURIComponent(number)}`;
export const deskDocumentPdf = (number: string) => `${deskDocument(number)}/pdf`;
/** Return of a month. `from`: the document after which the page begins; `show`: "all", or only those with a problem. */
export const deskGstr1 = (options: { month?: string; show?: string; gstin?: string; from?: string } = {}) =>
  `/desk/gstr1${query(options)}`;
/** File of a return: the portal's JSON, the CSV of a table, or all of them as a zip. */
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
/** Import of many existing tenants. */
export const deskTenantImport = () => "/desk/tenants";
/** Ends an impersonation. */
export const deskEndImpersonation = () => "/desk/view/end";
/** Form of a staff action on an order, a member of staff and so on. */
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
/** Prices in force as a list, for editing. */
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
/** `by: "link"`: the payer has no account, and returns to a page that needs none. */
export const paymentReturn = (options: { by?: "link" } = {}) => `/payments/return${query(options)}`;
/** Endpoint to which browsers report blocks by the Content-Security-Policy. */
export const cspReports = () => "/csp-reports";
export const razorpayWebhook = () => "/webhooks/razorpay";
/** Webhook for paid links. */
export const paymentLinkWebhook = () => "/webhooks/payment-link";
/** Webhook for credits to virtual accounts. */
export const bankTransferWebhook = () => "/webhooks/bank-transfer";
/** Webhook for a vendor's changes. */
export const vendorWebhook = (family: string) => `/webhooks/${family}`;
export const microsoftDomain = (tenant: string) => `/mssignup${query({ tenant })}`;
export const googleDomain = (tenant: string, console: string) =>
  `/google/signup${query({ tenant, console })}`;
export const stage = (orderId: string) => `/get/stage${query({ id: orderId })}`;
export const invitationStatus = (orderId: string, email: string) =>
  `/reseller/invitation/status${query({ id: orderId, email })}`;
