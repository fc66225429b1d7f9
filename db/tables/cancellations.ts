/** Tables of cancellations and reductions before the end of a term, and of each paid order's share of the refund. */
import type { ColumnType, Generated } from "kysely";
import type { CancellationId, OrderId, RefundId, SubscriptionId, UserId } from "../ids.ts";
import type { CancellationKind, CancellationState, Currency } from "./enums.ts";

export interface CancellationsTable {
  id: CancellationId;
  subscription_id: SubscriptionId;
  /** Order for which the requests to the vendor are stored, and that holds the subscription lock. */
  order_id: OrderId;
  kind: CancellationKind;
  seats_before: number;
  /** 0 for a cancellation. */
  seats_after: number;
  state: CancellationState;
  asked_by: UserId;
  /**
   * Reason for the vendor's refusal, for the buyer: a message as text (`serializeMessage` in
   * server/foundation/languages/text.ts).
   */
  problem: string | null;
  /** Error of the last try, for the operator. */
  last_error: string | null;
  /** Refusals met so far, as in `fulfilments`. */
  met: ColumnType<unknown, string | undefined, string>;
  /** Whether a refusal outlasted the fast retries: slow ones continue, and staff get a work item. */
  needs_person: Generated<boolean>;
  /** Decision of a person about it, validated by zod in db/billing/cancellations.ts. */
  decision: ColumnType<unknown, string | undefined, string>;
  created_at: Generated<Date>;
  vendor_done_at: Generated<Date | null>;
  finished_at: Generated<Date | null>;
}

export interface CancellationPartsTable {
  cancellation_id: CancellationId;
  order_id: OrderId;
  seats: number;
  amount_minor: number;
  currency: Currency;
  /** Null before the refund is requested, and without one. */
  refund_id: Generated<RefundId | null>;
}
