/** The domain of a new order: its transfer token, and the check right before payment. */
import { deleteCredentials } from "#db/accounts/credentials.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { readCredentials, storeCredentials } from "#server/accounts/credentials/credentials.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { Context } from "#server/platform/context.ts";
import { lockOrder } from "./find.ts";
import { moveOrder } from "./order-lifecycle.ts";

/** Reads the transfer token given with this order for this domain; null when there is none. For internal use. */
export async function readTransferToken(
  context: Context,
  order: Order | null,
  domain: string,
): Promise<string | null> {
  if (order === null || order.details.google?.domain !== domain) return null;
  return (await readCredentials(context, context.db, order.id, "transfer-token"))?.password ?? null;
}

/**
 * Stores an unpaid order's transfer token, encrypted, as the answer of its sign-in step, which is then skipped after payment.
 * Replaces an earlier token.
 * @param token null to delete the token
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

/**
 * Checks the domain again before payment. @throws DomainError conflict when the domain's state has changed;
 * provider_unavailable when it cannot be checked
 */
export async function requireDomainUnchanged(context: Context, order: Order): Promise<void> {
  if (order.kind !== "NEW") return;
  await families[order.family].domain?.recheck(context, order);
}
