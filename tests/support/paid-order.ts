/** A paid order that waits for sign-in, made over HTTP in a moment, and the answers that send it on its way. */

import { type OpenPayment, returnForm, toCheckout, type Wanted } from "./journey.ts";
import { leversOf } from "./levers.ts";
import type { Stack } from "./stack.ts";

/** Pays at the provider and comes back as the hosted checkout would; no webhook is sent. */
export async function paidOrder(
  stack: Pick<Stack, "url" | "sandboxUrl">,
  wanted?: Wanted,
): Promise<OpenPayment> {
  const order = await toCheckout(stack.url, wanted === undefined ? {} : { wanted });
  const paid = await leversOf(stack.sandboxUrl).pay({ orderId: order.providerOrderId, webhook: false });
  const answer = await order.browser.post("/payments/return", returnForm(order.providerOrderId, paid));
  if (answer.location !== `${order.path}/sign-in`)
    throw new Error(`The return answered ${answer.status} ${answer.location}: ${answer.text}`);
  return order;
}

let made = 0;
/** A domain prefix that no other order of this run has. */
export function freshPrefix(name = "acme"): string {
  made += 1;
  return `${name}${made}x${process.pid}`;
}

export function signInNew(
  order: OpenPayment,
  { username = "owner", prefix }: { username?: string; prefix: string },
): Promise<void> {
  return signIn(order, { mode: "new", username, prefix });
}

/** @param existingUsername with its domain, which must have approved us, or the order goes on waiting */
export function signInExisting(order: OpenPayment, existingUsername: string): Promise<void> {
  return signIn(order, { mode: "existing", existingUsername });
}

export function signInGoogle(order: OpenPayment, username: string): Promise<void> {
  return signIn(order, { mode: "google-new", username, password: "Good$Pass1" });
}

export function signInTransfer(order: OpenPayment, transferToken: string): Promise<void> {
  return signIn(order, { mode: "google-transfer", transferToken });
}

async function signIn(order: OpenPayment, form: Record<string, string>): Promise<void> {
  const answer = await order.browser.post(`${order.path}/sign-in`, form);
  if (answer.status !== 303) throw new Error(`Sign-in answered ${answer.status}: ${answer.text}`);
}
