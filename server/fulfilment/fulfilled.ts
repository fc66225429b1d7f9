/** What came of a fulfilment, whichever family it was, and the one refusal that goes back to the buyer. */
export interface Fulfilled {
  /** The provider's account the subscription lives in; null where there is none. */
  tenant: { externalId: string; name: string } | null;
  /** What the subscription list shows as its domain. */
  domain: string;
  /** The provider's own id of the subscription. */
  subscriptionId: string;
}

/** The buyer chose something the provider will not give; the sign-in step asks again with this text. */
export class SignInRefused extends Error {}
