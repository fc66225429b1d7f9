/** A buyer asks to cancel a subscription, or to give back some of its licences. Written down here, carried out by a job. */
import {
  type Cancellation,
  findCancellation,
  findLatestCancellation,
  insertCancellation,
} from "#db/cancellations.ts";
import type { CancellationId, CustomerId, SubscriptionId, UserId } from "#db/ids.ts";
import { claimSubscription, type Subscription } from "#db/subscriptions.ts";
import type { CancellationKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { record } from "#server/accounts/audit.ts";
import type { Context } from "#server/context.ts";
import { DomainError, notFound } from "#server/errors.ts";
import { families } from "#server/families/family.ts";
import type { Returnable } from "#server/families/returns.ts";
import { type Told, told } from "#server/languages/text.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { heldAs } from "#server/subscriptions/held.ts";
import { getSubscriptionOf, lockSubscription } from "#server/subscriptions/subscription.ts";
import type { GivenBack } from "./given-back.ts";
import { givenBack, type Offer, offerOf, whyNothing } from "./offer.ts";
import { queueCancellation } from "./queue.ts";

export interface Asked {
  /** Made with the page that asks, so that pressing twice asks once. */
  id: CancellationId;
  kind: CancellationKind;
  /** How many licences are given back: all of them for a cancellation. */
  seats: number;
  /** What the buyer was shown to come back, in minor units. */
  totalMinor: number;
}

/** What may be given back now: nothing while the vendor does not answer, which is asked only where nothing here stands against it. */
export async function currentOffer(context: Context, subscription: Subscription, now: Date): Promise<Offer> {
  const stopped = await whyNothing(context.db, subscription, now);
  if (stopped !== null) return { cancel: { closed: stopped }, reduce: { closed: stopped } };
  try {
    return await offerOf(context.db, subscription, await askVendor(context, subscription), now);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { cancel: { closed: error.why }, reduce: { closed: error.why } };
  }
}

/**
 * Writes the wish down and holds the subscription for it. The same id again changes nothing.
 * @throws DomainError not_found; conflict when it is not possible any more, or other money comes back than was shown;
 *   provider_unavailable
 */
export async function askCancellation(
  context: Context,
  asker: { customerId: CustomerId | null; userId: UserId },
  subscriptionId: SubscriptionId,
  asked: Asked,
  now: Date,
): Promise<void> {
  const subscription = await getSubscriptionOf(context.db, asker.customerId, subscriptionId);
  if (await isAskedAlready(context.db, subscription, asked)) return;
  const stopped = await whyNothing(context.db, subscription, now);
  const returnable = stopped === null ? await askVendor(context, subscription) : null;
  await context.db.transaction().execute(async (trx) => {
    const locked = await lockSubscription(trx, subscriptionId);
    if (await isAskedAlready(trx, locked, asked)) return;
    const why = await whyNothing(trx, locked, now);
    if (why !== null || returnable === null)
      throw new DomainError("conflict", why ?? told("cancellation.changed"));
    const back = await requireOpen(trx, locked, { returnable, asked, now });
    await write(trx, locked, { asked, back, askedBy: asker.userId });
  });
}

/** The cancellation of this id, which must be the company's. @throws DomainError not_found */
export async function getCancellationOf(
  db: Db,
  customerId: CustomerId | null,
  id: CancellationId,
): Promise<{ cancellation: Cancellation; subscription: Subscription }> {
  const cancellation = await findCancellation(db, id);
  if (cancellation === null) throw notFound();
  return { cancellation, subscription: await getSubscriptionOf(db, customerId, cancellation.subscriptionId) };
}

/** The newest of a subscription. */
export function latestCancellation(db: Db, id: SubscriptionId): Promise<Cancellation | null> {
  return findLatestCancellation(db, id);
}

async function askVendor(context: Context, subscription: Subscription): Promise<Returnable> {
  const { returns, label } = families[subscription.family];
  try {
    return await returns.returnable(context, await heldAs(context.db, subscription));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn(
      { err: error, subscriptionId: subscription.id },
      "what may be given back could not be asked",
    );
    throw new NoAnswer(told("cancellation.noAnswer", { family: label }), error);
  }
}

/** The vendor does not say what it takes back. */
class NoAnswer extends DomainError {
  readonly why: Told;
  constructor(why: Told, cause: unknown) {
    super("provider_unavailable", why, { cause });
    this.why = why;
  }
}

/** @throws DomainError not_found for an id that was used elsewhere */
async function isAskedAlready(db: Db, { id }: Subscription, asked: Asked): Promise<boolean> {
  const known = await findCancellation(db, asked.id);
  if (known !== null && known.subscriptionId !== id) throw notFound();
  return known !== null;
}

async function requireOpen(
  trx: Trx,
  subscription: Subscription,
  { returnable, asked, now }: { returnable: Returnable; asked: Asked; now: Date },
): Promise<GivenBack> {
  const offer = await offerOf(trx, subscription, returnable, now);
  const open = offer[asked.kind];
  if ("closed" in open) throw new DomainError("conflict", open.closed);
  const isTooMany = "most" in open ? asked.seats > open.most : asked.seats !== subscription.quantity;
  const back = isTooMany ? null : await givenBack(trx, subscription, asked, now);
  if (back === null || back.total.minor !== asked.totalMinor)
    throw new DomainError("conflict", told("cancellation.changed"));
  return back;
}

async function write(
  trx: Trx,
  subscription: Subscription,
  { asked, back, askedBy }: { asked: Asked; back: GivenBack; askedBy: UserId },
): Promise<void> {
  const [first] = back.parts;
  if (first === undefined) throw new RangeError("Nothing is given back of no order");
  const { id, quantity } = subscription;
  await insertCancellation(
    trx,
    {
      id: asked.id,
      subscriptionId: id,
      orderId: first.orderId,
      kind: asked.kind,
      seatsBefore: quantity,
      seatsAfter: quantity - asked.seats,
      askedBy,
    },
    back.parts,
  );
  if (!(await claimSubscription(trx, id, first.orderId)))
    throw new DomainError("conflict", told("cancellation.orderUnderWay"));
  await queueCancellation(trx, asked.id);
  await record(trx, {
    userId: askedBy,
    action: `subscription.${asked.kind}`,
    subject: `subscription:${id}`,
    data: { cancellation: asked.id, seats: asked.seats, backMinor: back.total.minor },
  });
}
