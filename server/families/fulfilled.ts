/** What came of a fulfilment, whichever family it was, and the outcomes that are no result and no failure. */

import type { OrderId } from "#db/ids.ts";

/** A subscription that was not there before. */
export interface Fulfilled {
  /**
   * The provider's account the subscription lives in; null where there is none. With what has shown that it is the company's, where
   * carrying the order out did.
   */
  tenant: { externalId: string; name: string; provenBy: "made" | "transfer-token" | null } | null;
  /** What the subscription list shows as its domain. */
  domain: string;
  /** The provider's own id of the subscription. */
  subscriptionId: string;
}

/** Seats added to a subscription. */
export interface SeatsAdded {
  /** Seats it has now. */
  quantity: number;
}

/** A term more of a subscription. */
export interface Renewed {
  /** The provider's own id of it: another one when it had lapsed and was bought anew. */
  subscriptionId: string;
  /** True when the old term was over: the new one has begun. */
  anew: boolean;
}

/** The buyer chose something the provider will not give; the sign-in step asks again with this text. */
export class SignInRefused extends Error {}

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
