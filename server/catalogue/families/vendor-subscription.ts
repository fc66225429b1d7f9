/** A subscription as its vendor describes it, in any state: what our row of it follows (docs/decisions/vendor-is-source-of-truth.md). */
import type { ParseResult } from "./parsed-subscription.ts";

/** How many licences are assigned to people, and of how many: those of the subscription, or of all that the tenant has of its product. */
export interface LicenceUse {
  assigned: number;
  of: number;
}

export interface VendorSubscription {
  /** The vendor's id. */
  externalId: string;
  /** Null while the vendor says nothing final, such as that it is being made. */
  state: "active" | "suspended" | "expired" | "cancelled" | null;
  /** True while the vendor waits for the customer to accept its terms. */
  waitsForTerms: boolean;
  /** Seats; null where the vendor names none. */
  quantity: number | null;
  /** The running term, or the last one; null where the vendor names none. */
  term: { start: Date; end: Date } | null;
  /** What follows the term: nothing, another one, or a paid extension that nobody ordered. */
  atEnd: "ends" | "renews" | "is extended";
  /** Seats of the next term; null when they are those it has. */
  nextQuantity: number | null;
  /** Null where the vendor did not say, or was not asked, this time. */
  inUse: LicenceUse | null;
  /** True in a paid extension (docs/decisions/end-of-term.md). */
  isExtended: boolean;
}

/** An entry of a vendor's list: what the vendor says of it, and whether it can be taken in as ours. */
export interface ListedVendorSubscription {
  says: VendorSubscription;
  reading: ParseResult;
}
