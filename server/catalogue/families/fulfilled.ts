/** Result of a purchase in any family, and the outcome that is neither a result nor a failure. */
import { english, type MessageDescriptor } from "#server/foundation/languages/text.ts";

/** A new subscription. */
export interface Fulfilled {
  /**
   * Tenant of the subscription; null if there is none. `provenBy` is set when the purchase itself proved that the company
   * controls the tenant.
   */
  tenant: { externalId: string; name: string; provenBy: "made" | "transfer-token" | null } | null;
  /** Domain shown in the subscription list. */
  domain: string;
  /** The provider's id of the subscription. */
  subscriptionId: string;
}

/** Thrown when the provider refused the buyer's choice. The sign-in step asks again and gives the reason. */
export class SignInRefusedError extends Error {
  readonly descriptor: MessageDescriptor;
  constructor(message: MessageDescriptor) {
    super(english(message));
    this.descriptor = message;
  }
}
