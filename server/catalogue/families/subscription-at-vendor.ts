/** A subscription of ours as its vendor is asked about it, and the tenant it lives in. */
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";

/** The tenant a paid order goes into. */
export interface Destination {
  /** The vendor's own id of the tenant. */
  externalId: string;
  domain: string;
  name: string;
  /** The country of the store's account that sells to it. */
  country: Country;
}

/** A subscription that an order changes, and holds while it does. */
export interface SubscriptionAtVendor {
  subscription: Subscription;
  /** The tenant it lives in; null for a family without tenants. */
  destination: Destination | null;
}
