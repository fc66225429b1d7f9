/** Vendors' webhooks about changes. A webhook is a hint to ask the vendor, and its content is never trusted. */
import type { Context } from "#server/platform/context.ts";

export interface VendorWebhookRequest {
  /** Body as received, since the signature covers these bytes. */
  body: Buffer;
  headers: Headers;
}

/** State of the webhooks of one account. */
export interface VendorWebhookStatus {
  /** Name of the account for the operator. */
  account: string;
  isRight: boolean;
  /** Findings and remaining steps, one line each. */
  says: string[];
}

/** Registration of our webhook at a vendor, as `npm run webhooks` creates and checks it. */
export interface VendorWebhookSetup {
  /** @throws ProviderError */
  register(context: Context): Promise<void>;
  /** @throws ProviderError */
  check(context: Context): Promise<VendorWebhookStatus[]>;
}

export interface VendorEvent {
  /** The vendor's name of the event, for the log. */
  name: string;
  /** The vendor's id of the changed subscription; null for any other event. */
  externalId: string | null;
  changedAt: Date | null;
}
