/** What came of a purchase, whichever family it was, and the outcome that is no result and no failure. */

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

/** The buyer chose something the provider will not give; the sign-in step asks again with this text. */
export class SignInRefused extends Error {}
