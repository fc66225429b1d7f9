/** A subscription as its vendor describes it, in any state; our row follows it (docs/decisions/fulfilment.md#source-of-truth). */
import type { ParseResult } from "./parsed-subscription.ts";

/** Number of assigned licences, and the total: of the subscription, or of all that the tenant has of its product. */
export interface LicenceUse {
  assigned: number;
  of: number;
}

export interface VendorSubscription {
  /** The vendor's id. */
  externalId: string;
  /** Null while the vendor reports nothing final, for example during creation. */
  state: "active" | "suspended" | "expired" | "cancelled" | null;
  /** Whether the vendor waits for the customer to accept its terms. */
  waitsForTerms: boolean;
  /** Seats; null if the vendor reports none. */
  quantity: number | null;
  /** The running term, or the last one; null if the vendor reports none. */
  term: { start: Date; end: Date } | null;
  /** Next event after the term: its end, another term, or a paid extension that nobody ordered. */
  atEnd: "ends" | "renews" | "is extended";
  /** Seats of the next term; null when they do not change. */
  nextQuantity: number | null;
  /** Null when the vendor did not report it, or was not asked, this time. */
  inUse: LicenceUse | null;
  /** Whether it is in a paid extension (docs/decisions/renewal.md#end-of-term). */
  isExtended: boolean;
}

/** An entry of a vendor's list, and whether it can be imported as ours. */
export interface ListedVendorSubscription {
  says: VendorSubscription;
  reading: ParseResult;
}
