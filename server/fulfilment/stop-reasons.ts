/** Reasons to stop an order although no provider has failed. */
import type { OrderId } from "#db/ids.ts";

/** Another order is changing the same subscription, so this one waits for its turn. */
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

/** A paid order that must not be carried out automatically: a person has to look at it, and perhaps refund it. */
export class NeedsAttentionError extends Error {}

/** The vendor has taken an order and does not show yet what came of it. */
export class ResultNotVisibleError extends Error {
  /** @param externalId the vendor's id of the subscription */
  constructor(externalId: string) {
    super(`The vendor's record of ${externalId} doesn't match the order`);
  }
}
