/** What a vendor announces of its own accord. It is a hint to ask the vendor, and never taken at its word. */
import type { Context } from "#server/context.ts";

export interface VendorWebhookRequest {
  /** As it was received, since it is signed so. */
  body: Buffer;
  headers: Headers;
}

/** How an account stands to which the vendor announces changes. */
export interface VendorWebhookStatus {
  /** Names the account for the operator. */
  account: string;
  isRight: boolean;
  /** What was found, and what is left to do: a line each. */
  says: string[];
}

/** Where a vendor announces changes to us, as `npm run webhooks` sets it up and checks it. */
export interface VendorWebhookSetup {
  /** @throws ProviderError */
  register(context: Context): Promise<void>;
  /** @throws ProviderError */
  check(context: Context): Promise<VendorWebhookStatus[]>;
}

export interface VendorEvent {
  /** In the vendor's words, for the log. */
  name: string;
  /** The vendor's id of the subscription that has changed; null when it is about anything else. */
  externalId: string | null;
  changedAt: Date | null;
}
