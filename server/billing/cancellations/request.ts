/** A buyer's request to cancel a subscription or return some of its licences. Stored here, fulfilled by a job. */
import {
  type Cancellation,
  findCancellation,
  findLatestCancellation,
  insertCancellation,
} from "#db/billing/cancellations.ts";
import type { CancellationId, CustomerId, SubscriptionId, UserId } from "#db/ids.ts";
import { acquireSubscriptionLock } from "#db/orders/subscription-lock.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { CancellationKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { buyingRoles, requireMember } from "#server/accounts/customers.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { VendorReturnTerms } from "#server/catalogue/families/vendor-cancellations.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { readSubscriptionAtVendor } from "#server/orders/subscriptions/at-vendor.ts";
import { getSubscriptionOf, lockSubscription } from "#server/orders/subscriptions/subscription.ts";
import type { Context } from "#server/platform/context.ts";
import {
  type CancellationOptions,
  calculateCancellationRefund,
  cancellationOptionsOf,
  whyNotCancellable,
} from "./options.ts";
import { queueCancellation } from "./queue.ts";
import type { CancellationRefund } from "./refund-calculation.ts";

export interface CancellationRequest {
  /** Created with the form, so that submitting it twice makes one request. */
  id: CancellationId;
  kind: CancellationKind;
  /** Number of licences to return; all of them for a cancellation. */
  seats: number;
  /** The refund that the buyer was shown, in minor units. */
  totalMinor: number;
}

/**
 * Returns the current options; all are closed while the vendor does not answer. The vendor is called only if nothing here rules
 * the options out.
 */
export async function currentCancellationOptions(
  context: Context,
  subscription: Subscription,
  now: Date,
): Promise<CancellationOptions> {
  const stopped = await whyNotCancellable(context.db, subscription, now);
  if (stopped !== null) return { cancel: { closed: stopped }, reduce: { closed: stopped } };
  try {
    return await cancellationOptionsOf(context.db, subscription, await askVendor(context, subscription), now);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { cancel: { closed: error.why }, reduce: { closed: error.why } };
  }
}

/**
 * Stores a request and takes the subscription lock for it. Repeating the same id changes nothing.
 * @throws DomainError not_found; forbidden for a viewer; conflict when it is no longer possible, or the refund differs from the
 * one shown; provider_unavailable
 */
export async function requestCancellation(
  context: Context,
  requester: { customerId: CustomerId | null; userId: UserId },
  subscriptionId: SubscriptionId,
  request: CancellationRequest,
  now: Date,
): Promise<void> {
  const subscription = await getSubscriptionOf(context.db, requester.customerId, subscriptionId);
  if (await isAlreadyRequested(context.db, subscription, request)) return;
  const stopped = await whyNotCancellable(context.db, subscription, now);
  const returnable = stopped === null ? await askVendor(context, subscription) : null;
  await context.db.transaction().execute(async (trx) => {
    const locked = await lockSubscription(trx, subscriptionId);
    await requireMember(trx, requester.userId, locked.customerId, buyingRoles);
    if (await isAlreadyRequested(trx, locked, request)) return;
    const why = await whyNotCancellable(trx, locked, now);
    if (why !== null || returnable === null)
      throw new DomainError("conflict", why ?? msg("cancellation.changed"));
    const back = await requireOpen(trx, locked, { returnable, request, now });
    await write(trx, locked, { request, back, askedBy: requester.userId });
  });
}

/** Finds a cancellation of the company by its id. @throws DomainError not_found */
export async function getCancellationOf(
  db: Db,
  customerId: CustomerId | null,
  id: CancellationId,
): Promise<{ cancellation: Cancellation; subscription: Subscription }> {
  const cancellation = await findCancellation(db, id);
  if (cancellation === null) throw notFound();
  return { cancellation, subscription: await getSubscriptionOf(db, customerId, cancellation.subscriptionId) };
}

/** Finds a subscription's newest cancellation. */
export function latestCancellation(db: Db, id: SubscriptionId): Promise<Cancellation | null> {
  return findLatestCancellation(db, id);
}

async function askVendor(context: Context, subscription: Subscription): Promise<VendorReturnTerms> {
  const { returns, label } = families[subscription.family];
  try {
    return await returns.returnable(context, await readSubscriptionAtVendor(context.db, subscription));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn(
      { err: error, subscriptionId: subscription.id },
      "what may be given back could not be asked",
    );
    throw new NoAnswer(msg("cancellation.noAnswer", { family: label }), error);
  }
}

/** Thrown when the vendor does not report its terms for returns. */
class NoAnswer extends DomainError {
  readonly why: MessageDescriptor;
  constructor(why: MessageDescriptor, cause: unknown) {
    super("provider_unavailable", why, { cause });
    this.why = why;
  }
}

/** Whether the request was stored before. @throws DomainError not_found for an id used for another subscription */
async function isAlreadyRequested(
  db: Db,
  { id }: Subscription,
  request: CancellationRequest,
): Promise<boolean> {
  const known = await findCancellation(db, request.id);
  if (known !== null && known.subscriptionId !== id) throw notFound();
  return known !== null;
}

async function requireOpen(
  trx: Trx,
  subscription: Subscription,
  { returnable, request, now }: { returnable: VendorReturnTerms; request: CancellationRequest; now: Date },
): Promise<CancellationRefund> {
  const offer = await cancellationOptionsOf(trx, subscription, returnable, now);
  const open = offer[request.kind];
  if ("closed" in open) throw new DomainError("conflict", open.closed);
  const isTooMany = "most" in open ? request.seats > open.most : request.seats !== subscription.quantity;
  const back = isTooMany ? null : await calculateCancellationRefund(trx, subscription, request, now);
  if (back === null || back.total.minor !== request.totalMinor)
    throw new DomainError("conflict", msg("cancellation.changed"));
  return back;
}

async function write(
  trx: Trx,
  subscription: Subscription,
  { request, back, askedBy }: { request: CancellationRequest; back: CancellationRefund; askedBy: UserId },
): Promise<void> {
  const [first] = back.parts;
  if (first === undefined) throw new RangeError("Nothing is given back of no order");
  const { id, quantity } = subscription;
  await insertCancellation(
    trx,
    {
      id: request.id,
      subscriptionId: id,
      orderId: first.orderId,
      kind: request.kind,
      seatsBefore: quantity,
      seatsAfter: quantity - request.seats,
      askedBy,
    },
    back.parts,
  );
  if (!(await acquireSubscriptionLock(trx, id, first.orderId)))
    throw new DomainError("conflict", msg("cancellation.orderUnderWay"));
  await queueCancellation(trx, request.id);
  await recordAudit(trx, {
    userId: askedBy,
    action: `subscription.${request.kind}`,
    subject: `subscription:${id}`,
    data: { cancellation: request.id, seats: request.seats, backMinor: back.total.minor },
  });
}
