/** Reasons to stop an order although no provider has failed. */
import type { OrderId } from "#db/ids.ts";

/** Thrown while another order changes the same subscription, so that this one waits for its turn. */
export class SubscriptionBusyError extends Error {
  /** False when the other order needs attention, so that this one waits for a person too. */
  readonly passes: boolean;
  constructor(holder: { id: OrderId; needsPerson: boolean } | null) {
    super(
      holder?.needsPerson === true
        ? `Order ${holder.id} is using this subscription and needs attention first`
        : "Another order is changing this subscription",
    );
    this.passes = holder?.needsPerson !== true;
  }
}

/** Thrown for a paid order that must not be fulfilled automatically: a person has to check it, and perhaps refund it. */
export class NeedsAttentionError extends Error {}

/** Thrown when the vendor accepted an order but does not show the result yet. */
export class ResultNotVisibleError extends Error {
  /** @param externalId the vendor's id of the subscription */
  constructor(externalId: string) {
    super(`The vendor's record of ${externalId} doesn't match the order`);
  }
}
