/**
 * The sign-in step: the buyer chooses the tenant that the paid order goes into. Most orders can then be fulfilled immediately.
 * For an existing tenant, its administrator may first have to confirm the order and accept us as partner.
 */
import { isDeepStrictEqual } from "node:util";
import { deleteCredentials } from "#db/accounts/credentials.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order, OrderChanges, SignInAnswers } from "#db/orders/order.ts";
import { readCredentials, storeCredentials } from "#server/accounts/credentials/credentials.ts";
import type { SignInInput } from "#server/catalogue/families/family.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { notThisOrders } from "#server/catalogue/families/sign-in.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { isSameSecret } from "#server/foundation/security/token.ts";
import { getOrderFor, lockOrderFor, type Requester } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import type { Context } from "#server/platform/context.ts";
import { withSignInProblem } from "./buyer-notes.ts";
import { enterTenant, otherTenants } from "./enter-tenant.ts";
import { beginInvitation, checkInvitation, findOrderInvitation } from "./partner-invitations.ts";
import { queueFulfilment } from "./queue.ts";

/**
 * Stores the answers of a paid order's sign-in step, validated by the family, with the secret encrypted. Then the order is
 * queued, or waits for an administrator. The buyer may post again until the order is queued. After a refusal by the vendor the
 * buyer returns to this step, and the payment stays.
 * @throws DomainError bad_request for answers that do not fit the order, or with the field; conflict when too late; not_found;
 * rate_limited
 * @throws ProviderError when the vendor does not answer
 */
export async function answerSignIn(
  context: Context,
  input: SignInInput & { orderId: OrderId; requester: Requester; clientAddress: string; now: Date },
): Promise<void> {
  const { answers, secret, clientAddress, now } = input;
  // Check owner and state first, so that nobody can use another's order, or an unpaid one, to make us call the vendor.
  const found = await getOrderFor(context.db, input.orderId, input.requester);
  requireWaiting(found);
  const { signIn } = families[found.family];
  if (signIn === null) throw notThisOrders();
  const approval = await signIn.check(context, found, { answers, secret }, clientAddress);
  await context.db.transaction().execute(async (trx) => {
    const { order } = await lockOrderFor(trx, input.orderId, input.requester);
    requireWaiting(order);
    if (secret !== undefined) {
      const { purpose, username, value } = secret;
      await deleteCredentials(trx, order.id, [purpose]);
      await storeCredentials(context, trx, order.id, purpose, { username, password: value });
    }
    if (approval !== null) {
      await moveOrder(trx, order, saved(order, answers));
      await beginInvitation(context, trx, { orderId: order.id, ...approval, now });
      return;
    }
    await moveOrder(trx, order, { ...saved(order, answers), fulfilmentStatus: "queued" });
    await queueFulfilment(trx, order.id);
  });
}

/**
 * Sends a paid order into an existing tenant of its company, which needs no approval.
 * @param input.tenant as posted
 * @throws DomainError bad_request on the field `mode`; conflict when too late; not_found
 */
export async function sendToTenant(
  context: Context,
  { orderId, requester, tenant }: { orderId: OrderId; requester: Requester; tenant: string },
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const { order } = await lockOrderFor(trx, orderId, requester);
    requireWaiting(order);
    const to = (await otherTenants(trx, order)).find(({ id }) => id === tenant);
    if (to === undefined) throw wrongField("mode", msg("fields.destination"));
    await enterTenant(trx, order, to);
  });
}

/**
 * Whether the answers equal those that the order is fulfilled with. A password or token that is no longer stored has been used,
 * and is not compared.
 */
export async function hasSameAnswers(
  context: Context,
  order: Order,
  { answers, secret }: SignInInput,
): Promise<boolean> {
  if (!isDeepStrictEqual(order.signIn, answers)) return false;
  if (secret === undefined) return true;
  const kept = await readCredentials(context, context.db, order.id, secret.purpose);
  return kept === null || isSameSecret(kept.password, secret.value);
}

/** Checks the approval now, for "Check again" without JavaScript. @throws DomainError not_found */
export async function checkApproval(context: Context, orderId: OrderId, requester: Requester): Promise<void> {
  await getOrderFor(context.db, orderId, requester);
  const invitation = await findOrderInvitation(context.db, orderId);
  if (invitation !== null) await checkInvitation(context, invitation.id);
}

function saved(order: Order, signIn: SignInAnswers): OrderChanges {
  return { signIn, ...withSignInProblem(order, undefined) };
}

function requireWaiting(order: Order): void {
  if (order.fulfilmentStatus !== "waiting_for_signin") {
    throw new DomainError("conflict", msg("families.beingSetUp"));
  }
}
