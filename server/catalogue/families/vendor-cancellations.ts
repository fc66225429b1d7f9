/**
 * The vendor's rules for cancelling and reducing a subscription before the end of its term
 * (docs/decisions/refunds.md#cancellations).
 */
import type { OrderId } from "#db/ids.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import type { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import type { SubscriptionAtVendor } from "./subscription-at-vendor.ts";

/** The vendor's terms for one subscription. */
export interface VendorReturnTerms {
  /** Deadline for cancelling it; null when it cannot be cancelled. */
  cancelUntil: Date | null;
  /** Licences that were bought together, and the deadline for returning them. */
  batches: readonly { seats: number; until: Date }[];
}

/** Stored step of a request to the vendor. */
export interface ReturnStep {
  orderId: OrderId;
  name: string;
}

/**
 * One way to cancel. Hours count from the purchase, or from the beginning of a renewed term (docs/specification.md, section 9.2);
 * the vendor's own deadlines apply where they are earlier. If there is no such way, a sentence says so.
 */
type Way<CarryOut> = { hours: number; carryOut: CarryOut } | { never: PlainMessageKey };

export interface ReturnRules {
  /** Ends the subscription now. Idempotent, also when another party has ended it. @throws ProviderError */
  cancel: Way<(context: Context, step: ReturnStep, held: SubscriptionAtVendor) => Promise<void>>;
  /** Removes licences. Idempotent, also when another party has removed as many. @throws ProviderError */
  reduce: Way<
    (
      context: Context,
      step: ReturnStep,
      held: SubscriptionAtVendor,
      seats: { from: number; to: number },
    ) => Promise<void>
  >;
  /** Asks the vendor and changes nothing. @throws ProviderError */
  returnable(context: Context, held: SubscriptionAtVendor): Promise<VendorReturnTerms>;
  /** Whether a refusal means that the deadline has passed, so that nothing was changed and nothing is refunded. */
  isTooLate(error: ProviderError): boolean;
}

/** Rules of a family whose subscriptions run to the end of their term, so that no call is needed. */
export function noReturns(why: PlainMessageKey): ReturnRules {
  return {
    cancel: { never: why },
    reduce: { never: why },
    returnable: async () => ({ cancelUntil: null, batches: [] }),
    isTooLate: () => false,
  };
}
