/** Queries on refunds. */
import type { Selectable } from "kysely";
import type { OrderId, RefundId } from "./ids.ts";
import type { ProviderPaymentKey } from "./payments.ts";
import type { Currency } from "./tables/enums.ts";
import type { Db, Trx } from "./tables/index.ts";
import type { PaymentAccount, RefundStatus, RefundsTable } from "./tables/payments.ts";

export interface Refund extends ProviderPaymentKey {
  /** The account that took the payment. */
  account: PaymentAccount;
  /** Also the idempotency key at the provider. */
  id: RefundId;
  orderId: OrderId;
  amountMinor: number;
  currency: Currency;
  /** In words for the buyer. */
  reason: string;
  status: RefundStatus;
}

export async function insertRefund(trx: Trx, refund: Omit<Refund, "status" | "account">): Promise<void> {
  await trx
    .insertInto("refunds")
    .values({
      id: refund.id,
      order_id: refund.orderId,
      provider: refund.provider,
      provider_payment_id: refund.providerPaymentId,
      amount_minor: refund.amountMinor,
      currency: refund.currency,
      reason: refund.reason,
      status: "requested",
      provider_refund_id: null,
      problem: null,
    })
    .execute();
}

const refunds = (db: Db) =>
  db
    .selectFrom("refunds")
    .innerJoin("payments", (join) =>
      join
        .onRef("payments.provider", "=", "refunds.provider")
        .onRef("payments.provider_payment_id", "=", "refunds.provider_payment_id"),
    )
    .selectAll("refunds")
    .select("payments.account");

export async function findRefund(db: Db, id: RefundId): Promise<Refund | null> {
  const row = await refunds(db).where("refunds.id", "=", id).executeTakeFirst();
  return row === undefined ? null : refundOf(row);
}

/** The newest refund of an order. */
export async function findRefundOf(db: Db, orderId: OrderId): Promise<Refund | null> {
  const row = await refunds(db)
    .where("refunds.order_id", "=", orderId)
    .orderBy("refunds.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : refundOf(row);
}

/** The provider's answer to a refund request. */
export interface RefundOutcome {
  status: Exclude<RefundStatus, "requested">;
  /** Null when it was refused. */
  providerRefundId: string | null;
  /** Why it failed, in the provider's words. */
  problem: string | null;
}

export async function updateRefund(
  db: Db,
  id: RefundId,
  { status, providerRefundId, problem }: RefundOutcome,
): Promise<void> {
  await db
    .updateTable("refunds")
    .set({ status, provider_refund_id: providerRefundId, problem, updated_at: new Date() })
    .where("id", "=", id)
    .execute();
}

function refundOf(row: Selectable<RefundsTable> & { account: PaymentAccount }): Refund {
  return {
    id: row.id,
    orderId: row.order_id,
    provider: row.provider,
    account: row.account,
    providerPaymentId: row.provider_payment_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    reason: row.reason,
    status: row.status,
  };
}
