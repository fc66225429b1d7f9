/** A paid order that waits for sign-in, made quickly over HTTP, and the answers that start its fulfilment. */
import { approvalPage, signInAsAdministrator } from "./administrator.ts";
import type { FormBrowser } from "./http-browser.ts";
import { type OpenPayment, returnForm, toCheckout, type WantedPlan } from "./journey.ts";
import { sandboxControls } from "./sandbox-controls.ts";
import type { Stack } from "./stack.ts";

/** An order in payment, with its browser. */
interface Paying {
  browser: FormBrowser;
  path: string;
}

export async function paidOrder(
  stack: Pick<Stack, "url" | "sandboxUrl">,
  wanted?: WantedPlan,
): Promise<OpenPayment> {
  const order = await toCheckout(stack.url, wanted === undefined ? {} : { wanted });
  await payFor(order, stack.sandboxUrl);
  return order;
}

/** Posts the result of a payment, as the hosted checkout would; no webhook is sent. */
export async function payFor(
  { browser, path, providerOrderId }: Paying & { providerOrderId: string },
  sandboxUrl: string,
): Promise<void> {
  const paid = await sandboxControls(sandboxUrl).pay({ orderId: providerOrderId, webhook: false });
  const answer = await browser.post("/payments/return", returnForm(providerOrderId, paid));
  if (answer.location !== `${path}/sign-in`)
    throw new Error(`The return answered ${answer.status} ${answer.location}: ${answer.text}`);
}

let made = 0;
/** A domain prefix that is unique in this run. */
export function freshPrefix(name = "acme"): string {
  made += 1;
  return `${name}${made}x${process.pid}`;
}

export function answerSignInNewTenant(
  order: Paying,
  { username = "owner", prefix }: { username?: string; prefix: string },
): Promise<void> {
  return signIn(order, { mode: "new", username, prefix });
}

/** Names an existing tenant. The order then waits for its administrator. */
export function answerSignInExistingTenant(order: Paying, existingUsername: string): Promise<void> {
  return signIn(order, { mode: "existing", existingUsername });
}

/**
 * Names an existing tenant, whose administrator then confirms the order.
 * @param existingUsername with its domain, which must have accepted us
 */
export async function answerSignInAndConfirm(order: OpenPayment, existingUsername: string): Promise<void> {
  await answerSignInExistingTenant(order, existingUsername);
  const { location } = await signInAsAdministrator(order.browser, approvalPage(order));
  if (location !== approvalPage(order)) throw new Error(`The administrator was sent to ${location}`);
}

export function answerSignInGoogle(order: Paying, username: string): Promise<void> {
  return signIn(order, { mode: "google-new", username, password: "Good$Pass1" });
}

export function answerSignInTransfer(order: Paying, transferToken: string): Promise<void> {
  return signIn(order, { mode: "google-transfer", transferToken });
}

async function signIn(order: Paying, form: Record<string, string>): Promise<void> {
  const answer = await order.browser.post(`${order.path}/sign-in`, form);
  if (answer.status !== 303) throw new Error(`Sign-in answered ${answer.status}: ${answer.text}`);
}
