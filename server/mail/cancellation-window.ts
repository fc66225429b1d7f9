/**
 * Facts for the mail at the start of a renewed term: how long its licences can be cancelled, as the vendor reports at sending
 * time.
 */
import { parseId, type SubscriptionId } from "#db/ids.ts";
import type { Money } from "#db/money.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import { findCustomer } from "#server/accounts/customers.ts";
import {
  type CancellationOptions,
  calculateCancellationRefund,
  cancellationOptionsOf,
  whyNotCancellable,
} from "#server/billing/cancellations/options.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { isSameEnd } from "#server/catalogue/families/same-end.ts";
import type { VendorReturnTerms } from "#server/catalogue/families/vendor-cancellations.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { readSubscriptionAtVendor } from "#server/orders/subscriptions/at-vendor.ts";
import { findSubscription } from "#server/orders/subscriptions/subscription.ts";
import type { Context } from "#server/platform/context.ts";

export interface CancellationWindow {
  subscription: Subscription;
  /** The company's country, which decides the time zone of dates. */
  country: Country;
  offer: CancellationOptions;
  /** Refund for one licence today; null when none can be cancelled. */
  forOne: Money | null;
}

/** A vendor may begin a term later in the day than our clock does, and accepts no cancellation before that. */
const vendorsDelayMs = 24 * 3_600_000;

/** Thrown so that the queue retries. */
class NotBegunThere extends Error {
  override readonly name = "NotBegunThere";
  constructor() {
    super("The vendor takes nothing back yet of a term that has just begun (not_begun_there)");
  }
}

function takesNothing({ cancelUntil, batches }: VendorReturnTerms, now: Date): boolean {
  return (
    (cancelUntil === null || cancelUntil <= now) &&
    !batches.some(({ seats, until }) => seats > 0 && until > now)
  );
}

/**
 * @param data the subscription, and the end of its new term
 * @returns null when no licence of that term can be cancelled any more
 * @throws ProviderError while the vendor does not respond; NotBegunThere on the first day, while the vendor has not begun the
 * term
 */
export async function readCancellationWindow(
  context: Context,
  data: Readonly<Record<string, string>>,
  now: Date,
): Promise<CancellationWindow | null> {
  const { db, log } = context;
  const id = parseId<SubscriptionId>(data.subscriptionId);
  const subscription = id === null ? null : await findSubscription(db, id);
  if (subscription === null || !isSameEnd(data.end, subscription.end)) return null;
  const company = await findCustomer(db, subscription.customerId);
  if (company === null || (await whyNotCancellable(db, subscription, now)) !== null) return null;
  try {
    const held = await readSubscriptionAtVendor(db, subscription);
    const returnable = await families[subscription.family].returns.returnable(context, held);
    if (takesNothing(returnable, now) && now.getTime() - subscription.start.getTime() < vendorsDelayMs)
      throw new NotBegunThere();
    const offer = await cancellationOptionsOf(db, subscription, returnable, now);
    const mayReduce = !("closed" in offer.reduce);
    if (!mayReduce && "closed" in offer.cancel) return null;
    const one = mayReduce
      ? await calculateCancellationRefund(db, subscription, { kind: "reduce", seats: 1 }, now)
      : null;
    return { subscription, country: company.country, offer, forOne: one?.total ?? null };
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === "refused")) throw error;
    log.warn({ err: error, subscriptionId: id }, "a vendor refuses to say what can be given back");
    return null;
  }
}
