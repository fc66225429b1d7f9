/** What companies say of their renewals, before anything is paid for. */
import type { CustomerId, SubscriptionId, UserId } from "#db/ids.ts";
import type { RenewalDecision } from "./enums.ts";

/** The last word on the end of a subscription's term; nothing is changed by it. */
export interface RenewalChoicesTable {
  subscription_id: SubscriptionId;
  /** The end it is about. Of another end it says nothing. */
  term_end: Date;
  decision: RenewalDecision;
  /** Of the next term, where they are to be fewer. */
  seats: number | null;
  chosen_at: Date;
  /** Null when that account is gone. */
  chosen_by: UserId | null;
  /** True when it was said by a mailed link, without a login. */
  by_link: boolean;
}

/** The calendar of a company's renewals, as it is handed out; none while it is switched off. */
export interface RenewalFeedsTable {
  customer_id: CustomerId;
  /** SHA-256 of the token in its address, hex. */
  hash: string;
  /** Whether it tells what renewals cost. */
  with_amounts: boolean;
  /** Of whoever made it. */
  language: string;
  created_at: Date;
}

/** The event that calendar programs last got for the end of a subscription's term. */
export interface RenewalFeedEventsTable {
  subscription_id: SubscriptionId;
  /** SHA-256 of the event, hex. */
  content: string;
  /** 0, and one more with each change. */
  sequence: number;
  /** The time of the last change. */
  changed_at: Date;
}
