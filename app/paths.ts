/** Every URL of the product, built in one place: no path is written twice. What their parameters must be is in params.ts. */

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

type ApprovalOptions = Partial<Record<"window" | "sign" | "refused", string>>;

const query = (values: Record<string, string | undefined>): string => {
  const filled = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return filled.length === 0 ? "" : `?${new URLSearchParams(filled).toString()}`;
};

export const paths = {
  /** `TUP`: a customer adds to what it has. */
  home: (options: { service?: string; country?: string; TUP?: "true" | undefined } = {}) =>
    `/${query(options)}`,
  /** The one address of a family's catalogue in a country: Microsoft in India needs no words. */
  catalogue: ({ service, country, TUP }: { service: string; country: string; TUP?: "true" | undefined }) =>
    `/${query({
      service: service === "microsoft" ? undefined : service,
      country: country === "IN" ? undefined : country,
      TUP,
    })}`,
  explore: (options: { service?: string; country?: string; TUP?: string } = {}) => `/home${query(options)}`,
  customerHome: () => "/Home",
  country: () => "/country",
  search: (options: { query?: string; page?: string; country?: string; TUP?: "true" } = {}) =>
    `/search${query(options)}`,
  login: (next?: string) => `/login${query({ next })}`,
  signup: (next?: string) => `/signup${query({ next })}`,
  forgotPassword: () => "/forgot-password",
  /** Whether an offered session is taken up, and where to go then. */
  continueAs: (next: string) => `/continue${query({ next })}`,
  account: () => "/account",
  changePassword: () => "/account/password",
  /** Mails the signed-in user a link with which they choose a password. */
  passwordLink: () => "/account/password-link",
  /** The specification's own spelling, with its slash at the end. */
  outlookSignIn: (next?: string) => `/azure/ad/authentication/${query({ next })}`,
  /** Registered at Microsoft. */
  outlookCallback: () => "/azure/ad/callback",
  outlookProof: () => "/azure/ad/proof",
  /** Registered at Microsoft, beside outlookCallback. */
  administratorCallback: () => "/azure/ad/administrator",
  /**
   * What an order into an account that exists waits for. `window: "popup"`: opened beside the order; `sign: "in"`: goes on to
   * Microsoft; `refused`: why a sign-in there was no proof.
   */
  approval: (orderId: string, options: ApprovalOptions = {}) =>
    `/orders/${orderId}/approval${query(options)}`,
  /** The same for an administrator with a mailed link, who sees nothing else of the order. */
  approve: (token: string, options: ApprovalOptions = {}) => `/approve/${token}${query(options)}`,
  sitemap: () => "/sitemap.xml",
  robots: () => "/robots.txt",
  securityTxt: () => "/.well-known/security.txt",
  manifest: () => "/manifest.webmanifest",
  apiDocs: () => "/api/docs",
  openApi: () => "/api/openapi.json",
  logout: () => "/logout",
  validateToken: () => "/api/validate-token",
  setPassword: (token: string) => `/set-password/${token}`,
  resetPassword: (token: string) => `/reset-password/${token}`,
  resume: (token: string) => `/resume/${token}`,
  newOrder: (to: { family: string; item: string; country: string }) =>
    `/order/${to.family}/${to.item}/${to.country}`,
  order: (to: OrderAddress) => `/order/${to.id}/${to.family}/${to.item}/${to.country}`,
  newContract: (to: { family: string; item: string; country: string }) =>
    `/contract/${to.family}/${to.item}/${to.country}?TUP=true`,
  /** Leads to the same; it is what the cart links to. */
  contractById: (to: { id: string }) => `/contract/${to.id}`,
  contract: (to: { id: string; family: string }) => `/contract/${to.id}/${to.family}`,
  newAddOn: (options: { sku_id?: string; base?: string } = {}) => `/subscription/addon${query(options)}`,
  addOn: (to: { id: string }) => `/subscription/addon/${to.id}`,
  /** More licences of a subscription: step 1, or with `stage: "3"` the last step of the latest order. */
  buyMore: (subscriptionId: string, options: { stage?: string } = {}) =>
    `/buy/more/${subscriptionId}${query(options)}`,
  seatsOrder: (to: { subscriptionId: string; id: string }) => `/buy/more/${to.subscriptionId}/${to.id}`,
  /** The same of a renewal. */
  renew: (subscriptionId: string, options: { stage?: string } = {}) =>
    `/${subscriptionId}/renew${query(options)}`,
  renewalOrder: (to: { subscriptionId: string; id: string }) => `/${to.subscriptionId}/renew/${to.id}`,
  /** Of a paid order, for everyone of its company. */
  invoice: (orderId: string) => `/orders/${orderId}/invoice`,
  invoicePdf: (orderId: string) => `/orders/${orderId}/invoice.pdf`,
  members: () => "/members",
  invite: (token: string) => `/invite/${token}`,
  microsoftSignup: () => "/MSSignup",
  sync: () => "/sync/cp",
  /** Every component; while developing only. */
  components: () => "/ui",
  /** `completed`: an order of buy more or renew whose payment is there, which the page offers to go on with. */
  subscriptions: (options: { service?: string; completed?: string } = {}) =>
    `/subscriptions${query(options)}`,
  myOrders: (options: { service?: string; search?: string } = {}) => `/myorders${query(options)}`,
  /** `removed`: the order just taken out, which the page offers to put back. */
  cart: (options: { service?: string; removed?: string } = {}) => `/cart${query(options)}`,
  paymentReturn: () => "/payments/return",
  razorpayWebhook: () => "/webhooks/razorpay",
  microsoftDomain: (tenant: string) => `/mssignup${query({ tenant })}`,
  googleDomain: (tenant: string, console: string) => `/google/signup${query({ tenant, console })}`,
  stage: (orderId: string) => `/get/stage${query({ id: orderId })}`,
  invitationStatus: (orderId: string, email: string) =>
    `/reseller/invitation/status${query({ id: orderId, email })}`,
} as const;

/** The parameter of `/` that brings a session. */
export const tokenInAddress = "jwt-token";

/**
 * A path of ours to return to after signing in; anything that could leave the site is refused.
 * Guards against //evil, /\\evil, javascript: and control characters, which browsers fold in surprising ways. A path that brings a
 * session of its own is refused too, in whatever encoding and however deep: who has just signed in stays who they are.
 */
export function safeReturnPath(text: string | null | undefined, fallback = "/"): string {
  if (text === null || text === undefined || text.length > 500) return fallback;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes("\\")) return fallback;
  return mayBringToken(text) ? fallback : text;
}

/** Decoded until nothing is left to decode: each way through a login takes off one layer. */
function mayBringToken(text: string): boolean {
  if (text.toLowerCase().includes(tokenInAddress)) return true;
  const decoded = text.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded !== text && mayBringToken(decoded);
}
