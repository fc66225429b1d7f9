/** One of our subscriptions with its tenant, as calls to its vendor need it. */
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";

/** Existing tenant that a paid order goes into. */
export interface Destination {
  /** The vendor's id of the tenant. */
  externalId: string;
  domain: string;
  name: string;
  /** Country of the store's account that sells to it. */
  country: Country;
}

/** A subscription that an order changes, and locks while it does. */
export interface SubscriptionAtVendor {
  subscription: Subscription;
  /** Its tenant; null for a family without tenants. */
  destination: Destination | null;
}
