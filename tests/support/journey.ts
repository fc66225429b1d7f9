/** A purchase over HTTP, form by form, up to the step that a test needs. */
import { type OrderId, parseId } from "#db/ids.ts";
import { type FormBrowser, HttpBrowser, hiddenFieldValue } from "./http-browser.ts";

export interface OrderPlace {
  id: OrderId;
  /** The order's path, without a step. */
  path: string;
}

/** The plan to order. Only Google has a domain, and a token for a transferred one. */
export interface WantedPlan {
  family: string;
  item: string;
  domain?: string;
  transferToken?: string;
}

export const plan = { family: "microsoft", item: "microsoft-365-business-basic", country: "IN" };
/** The Google plan of tests, for a domain. */
export const googlePlan = (domain: string): WantedPlan => ({
  family: "google",
  item: "google-workspace-business-starter",
  domain,
});
const accountOf = { IN: "indian", US: "american" } as const;

const address = {
  indian: {
    phoneCode: "+91",
    addressLine1: "221 100 Feet Road",
    addressLine2: "Indiranagar",
    city: "Bengaluru",
    state: "Karnataka",
    pincode: "560038",
    country: "IN",
    organisationRegistrationNumber: "AABCB1234C",
  },
  american: {
    phoneCode: "+1",
    addressLine1: "1 Main Street",
    addressLine2: "Suite 2",
    city: "Austin",
    state: "Texas",
    pincode: "73301",
    country: "US",
    organisationRegistrationNumber: "12-3456789",
  },
};

let made = 0;
/** A unique email. */
export function freshEmail(): string {
  made += 1;
  return `buyer-${process.pid}-${made}@example.com`;
}

export function accountForm(email: string, country: keyof typeof accountOf = "IN"): Record<string, string> {
  return {
    intent: "account",
    companyName: "Acme Tools",
    email,
    firstName: "Asha",
    lastName: "Rao",
    phoneNumber: "9876543210",
    gst_code: "",
    ...address[accountOf[country]],
  };
}

export function signUpForm(email: string): Record<string, string> {
  return { firstName: "Asha", lastName: "Rao", email, password: "a-Pass-word-1", phoneNumber: "9876543210" };
}

export interface FirstStepOptions {
  country?: "IN" | "US";
  quantity?: number;
  wanted?: WantedPlan;
}

/** The form does not ask for a token with a new domain. */
const transferAnswer = (transferToken: string | undefined): Record<string, string> =>
  transferToken === undefined ? { transferLater: "on" } : { transferToken };

/** Posts step 1. */
export async function beginOrder(browser: FormBrowser, options: FirstStepOptions = {}): Promise<OrderPlace> {
  const { country = "IN", quantity = 2 } = options;
  const { family, item, domain, transferToken }: WantedPlan = options.wanted ?? plan;
  const answer = await browser.post(`/order/${family}/${item}/${country}`, {
    term: "P1Y",
    quantity: String(quantity),
    ...(domain !== undefined && { domain, ...transferAnswer(transferToken) }),
  });
  const path = (answer.location ?? "").replace(/\/create-account$/, "");
  const id = parseId<OrderId>(path.split("/")[2]);
  if (id === null) throw new Error(`Step 1 answered ${answer.status} ${answer.location}: ${answer.text}`);
  return { id, path };
}

type NewBuyer = FirstStepOptions & { email?: string; account?: Record<string, string> };

/**
 * Posts steps 1 and 2 as a new buyer, whom they sign in.
 * @param options.account changes to the account's form
 */
export async function toReview(
  browser: FormBrowser,
  options: NewBuyer = {},
): Promise<OrderPlace & { email: string; totalMinor: number }> {
  const order = await pastAccount(browser, options);
  return { ...order, totalMinor: await totalOnReview(browser, order) };
}

/** The total that the review's form posts. */
export async function totalOnReview(browser: FormBrowser, { path }: { path: string }): Promise<number> {
  return Number(hiddenFieldValue((await browser.get(`${path}/place-order`)).text, "total"));
}

/** The same without loading the review, whose form not every order has. */
export async function pastAccount(
  browser: FormBrowser,
  options: NewBuyer = {},
): Promise<OrderPlace & { email: string }> {
  const { email = freshEmail(), account = {}, country = "IN", ...beginning } = options;
  const order = await beginOrder(browser, { ...beginning, country });
  const form = { ...accountForm(email, country), ...account };
  const answer = await browser.post(`${order.path}/create-account`, form);
  if (answer.location !== `${order.path}/place-order`) {
    throw new Error(`Create Account answered ${answer.status} ${answer.location} ${answer.text}`);
  }
  return { ...order, email };
}

export interface OpenPayment extends OrderPlace {
  browser: HttpBrowser;
  email: string;
  totalMinor: number;
  providerOrderId: string;
}

/** Continues to the checkout: the provider has an order that waits for its payment. */
export async function toCheckout(
  origin: string,
  {
    browser = new HttpBrowser(origin),
    ...options
  }: FirstStepOptions & { browser?: HttpBrowser; account?: Record<string, string> } = {},
): Promise<OpenPayment> {
  const order = await toReview(browser, options);
  await placeOrder(browser, order);
  return { ...order, browser, providerOrderId: await providerOrderOf(browser, order) };
}

/** The provider's id of the order that waits for its payment. */
export async function providerOrderOf(browser: FormBrowser, order: { path: string }): Promise<string> {
  return hiddenFieldValue((await browser.get(`${order.path}/place-order`)).text, "order_id");
}

export async function placeOrder(
  browser: FormBrowser,
  order: { path: string; totalMinor: number },
): Promise<void> {
  const answer = await browser.post(`${order.path}/place-order`, {
    intent: "place-order",
    terms: "on",
    total: String(order.totalMinor),
  });
  if (answer.status !== 303) throw new Error(`Place Order answered ${answer.status}: ${answer.text}`);
}

/** Fields that the hosted checkout posts back after a payment. */
export function returnForm(
  providerOrderId: string,
  paid: { paymentId: string; signature: string },
): Record<string, string> {
  return {
    razorpay_payment_id: paid.paymentId,
    razorpay_order_id: providerOrderId,
    razorpay_signature: paid.signature,
  };
}
