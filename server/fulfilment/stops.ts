/** Why an order is not carried out now, although no provider has failed. */
import type { OrderId } from "#db/ids.ts";

/** Another order is changing the same subscription: this one waits for its turn. */
export class SubscriptionBusy extends Error {
  /** False when the other one waits for a person, and so this one does too. */
  readonly passes: boolean;
  constructor(holder: { id: OrderId; needsPerson: boolean } | null) {
    super(
      holder?.needsPerson === true
        ? `Order ${holder.id} holds this subscription, and needs attention itself`
        : "Another order is changing this subscription",
    );
    this.passes = holder?.needsPerson !== true;
  }
}

/** Paid for, and not to be carried out by us: a person has to look at it, and perhaps pay back. */
export class NeedsPerson extends Error {}
