/** Companies' renewal choices, before anything is paid for. */
import type { CustomerId, SubscriptionId, UserId } from "#db/ids.ts";
import type { RenewalDecision } from "./enums.ts";

/** Latest choice for the end of a subscription's term; it changes nothing at the vendor. */
export interface RenewalChoicesTable {
  subscription_id: SubscriptionId;
  /** Term end that the choice applies to, and no other. */
  term_end: Date;
  decision: RenewalDecision;
  /** Seats of the next term, if fewer were chosen. */
  seats: number | null;
  chosen_at: Date;
  /** Null when that account was deleted. */
  chosen_by: UserId | null;
  /** Whether it was chosen through a mailed link, without a login. */
  by_link: boolean;
}

/** A company's calendar feed of renewals; no row while it is switched off. */
export interface RenewalFeedsTable {
  customer_id: CustomerId;
  /** SHA-256 of the token in its address, hex. */
  hash: string;
  /** Whether it contains the costs of renewals. */
  with_amounts: boolean;
  /** Language of the user who created it. */
  language: string;
  created_at: Date;
}

/** Event that calendar programs last received for the end of a subscription's term. */
export interface RenewalFeedEventsTable {
  subscription_id: SubscriptionId;
  /** SHA-256 of the event, hex. */
  content: string;
  /** Starts at 0 and increases with each change. */
  sequence: number;
  /** Time of the last change. */
  changed_at: Date;
}
