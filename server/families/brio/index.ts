/**
 * Carrying out a brio order: our own product, so there is no outside tenant; the buyer gets an access code
 * (docs/decisions/brio.md).
 */
import type { Context } from "#server/context.ts";
import type { Order } from "#server/orders/order.ts";
import { storeCredentials } from "../../credentials/credentials.ts";
import { generatePassword } from "../../credentials/password.ts";
import type { Fulfilled } from "../fulfilled.ts";

/** An access code for who ordered, mailed with the order. Safe to run again: the first one stays. */
export async function grantBrioAccess(context: Context, { id, account }: Order): Promise<void> {
  if (account === null) throw new RangeError("Access is granted to whoever the order is sold to");
  await storeCredentials(context, context.db, id, "sign-in", {
    username: account.email,
    password: generatePassword(),
  });
}

/** Safe to run again: the first access code stays, and the subscription is named after the order. */
export async function fulfilBrio(context: Context, order: Order): Promise<Fulfilled> {
  const { account } = order;
  if (account === null) throw new RangeError("A brio order is fulfilled after its account is known");
  await grantBrioAccess(context, order);
  return { tenant: null, domain: account.email.split("@")[1] ?? "", subscriptionId: `brio-${order.id}` };
}
