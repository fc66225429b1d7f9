/** Changes that a vendor announces. An announcement is a hint to ask the vendor, and is never trusted by itself. */
import type { Context } from "#server/platform/context.ts";

export interface VendorWebhookRequest {
  /** The body as received, since the signature is over these bytes. */
  body: Buffer;
  headers: Headers;
}

/** State of the webhooks of one account. */
export interface VendorWebhookStatus {
  /** Names the account for the operator. */
  account: string;
  isRight: boolean;
  /** Findings and remaining steps, one line each. */
  says: string[];
}

/** Registration of our webhook at a vendor, as `npm run webhooks` makes and checks it. */
export interface VendorWebhookSetup {
  /** @throws ProviderError */
  register(context: Context): Promise<void>;
  /** @throws ProviderError */
  check(context: Context): Promise<VendorWebhookStatus[]>;
}

export interface VendorEvent {
  /** The vendor's name of the event, for the log. */
  name: string;
  /** The vendor's id of the subscription that has changed; null when it is about anything else. */
  externalId: string | null;
  changedAt: Date | null;
}
