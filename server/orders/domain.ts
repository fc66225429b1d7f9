/** The domain of a new order: the transfer token given with it, and the check right before the payment. */
import { deleteCredentials } from "#db/accounts/credentials.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { readCredentials, storeCredentials } from "#server/accounts/credentials/credentials.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { Context } from "#server/platform/context.ts";
import { lockOrder } from "./find.ts";
import { moveOrder } from "./order-lifecycle.ts";

/** The token that this order was given for this domain; null when there is none. For internal use. */
export async function readTransferToken(
  context: Context,
  order: Order | null,
  domain: string,
): Promise<string | null> {
  if (order === null || order.details.google?.domain !== domain) return null;
  return (await readCredentials(context, context.db, order.id, "transfer-token"))?.password ?? null;
}

/**
 * Stores the transfer token of an unpaid order, encrypted, as the answer of its sign-in step, which is then not asked after the
 * payment. What was given before is forgotten.
 * @param token null for none
 */
export async function saveTransferToken(
  context: Context,
  trx: Trx,
  orderId: OrderId,
  token: string | null,
): Promise<void> {
  const order = await lockOrder(trx, orderId);
  const { domain } = families[order.family];
  if (domain === null) return;
  await deleteCredentials(trx, orderId, ["transfer-token"]);
  if (token === null) {
    if (order.signIn !== null) await moveOrder(trx, order, { signIn: null });
    return;
  }
  const { answers, secret } = domain.signInInputFor(token);
  if (secret !== undefined) {
    const { purpose, username, value } = secret;
    await storeCredentials(context, trx, orderId, purpose, { username, password: value });
  }
  await moveOrder(trx, order, { signIn: answers });
}

/** @throws DomainError conflict when the domain's answer is another now; provider_unavailable without one */
export async function requireDomainUnchanged(context: Context, order: Order): Promise<void> {
  if (order.kind !== "NEW") return;
  await families[order.family].domain?.recheck(context, order);
}
