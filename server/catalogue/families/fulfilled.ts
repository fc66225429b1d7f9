/** The result of a purchase in any family, and the outcome that is neither a result nor a failure. */
import { english, type MessageDescriptor } from "#server/foundation/languages/text.ts";

/** A new subscription. */
export interface Fulfilled {
  /**
   * The tenant the subscription lives in; null where there is none. `provenBy` is set when the purchase itself proved
   * that the company controls the tenant.
   */
  tenant: { externalId: string; name: string; provenBy: "made" | "transfer-token" | null } | null;
  /** What the subscription list shows as its domain. */
  domain: string;
  /** The provider's id of the subscription. */
  subscriptionId: string;
}

/** The provider refused what the buyer chose. The sign-in step asks again and says why. */
export class SignInRefusedError extends Error {
  readonly descriptor: MessageDescriptor;
  constructor(message: MessageDescriptor) {
    super(english(message));
    this.descriptor = message;
  }
}
