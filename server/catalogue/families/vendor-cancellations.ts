/** What a vendor takes back of a subscription before the end of its term (docs/decisions/cancellations.md). */
import type { OrderId } from "#db/ids.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import type { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import type { SubscriptionAtVendor } from "./subscription-at-vendor.ts";

/** What its vendor says of one subscription. */
export interface VendorReturnTerms {
  /** Until when it may be cancelled; null when it may not be. */
  cancelUntil: Date | null;
  /** Licences that were bought together, and until when they may be given back. */
  batches: readonly { seats: number; until: Date }[];
}

/** The step under which a request to the vendor is stored. */
export interface ReturnStep {
  orderId: OrderId;
  name: string;
}

/**
 * One way to give back. Hours count from the purchase, or from the beginning of a renewed term (docs/specification.md, section 9.2);
 * the vendor's own dates decide where they are shorter. Where there is no such way, a sentence says so.
 */
type Way<CarryOut> = { hours: number; carryOut: CarryOut } | { never: PlainMessageKey };

export interface ReturnRules {
  /** Ends the subscription now. Idempotent, also when somebody else has ended it. @throws ProviderError */
  cancel: Way<(context: Context, step: ReturnStep, held: SubscriptionAtVendor) => Promise<void>>;
  /** Takes licences off. Idempotent, also when somebody else has taken as many off. @throws ProviderError */
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
  /** Whether a refusal says that it is too late, so that nothing was changed and nothing comes back. */
  isTooLate(error: ProviderError): boolean;
}

/** Of a family whose subscriptions run to the end of their term, and that therefore has nothing to ask. */
export function noReturns(why: PlainMessageKey): ReturnRules {
  return {
    cancel: { never: why },
    reduce: { never: why },
    returnable: async () => ({ cancelUntil: null, batches: [] }),
    isTooLate: () => false,
  };
}
