/** What companies say of their renewals, before anything is paid for. */
import type { SubscriptionId, UserId } from "#db/ids.ts";
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
