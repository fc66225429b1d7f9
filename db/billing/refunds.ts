/** Queries on refunds. */
import { type Selectable, sql } from "kysely";
import type { CancellationId, OrderId, RefundId } from "#db/ids.ts";
import { afterCursor, type Cursor, microsecondsOf, type PageOfRows, pageOf } from "#db/keyset.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type {
  PaymentAccount,
  PaymentProviderId,
  RefundDecider,
  RefundStatus,
  RefundsTable,
} from "#db/tables/payments.ts";
import type { ProviderPaymentKey } from "./payment-keys.ts";
import type { NumberedOrder } from "./reconciliation.ts";

export interface Refund extends ProviderPaymentKey {
  /** The account that took the payment. */
  account: PaymentAccount;
  /** The payment method as the provider names it; null when it reported none. */
  method: string | null;
  /** Also the idempotency key at the provider. */
  id: RefundId;
  orderId: OrderId;
  /** The amount for the order, without the customer fee. */
  amountMinor: number;
  /** The part of the payment's customer fee that is refunded with it, in minor units. */
  customerFeeMinor: number;
  currency: Currency;
  /** Reason shown to the buyer. */
  reason: string;
  status: RefundStatus;
  /** Null until the provider reported it. */
  providerRefundId: string | null;
  /** Reference with which the buyer's bank finds the refund; null until the provider reported it. */
  bankReference: string | null;
  decidedBy: RefundDecider;
  createdAt: Date;
}

/** Inserts a refund. @returns false when one with the provider's id exists already */
export async function insertRefund(
  trx: Trx,
  refund: Omit<Refund, "account" | "method" | "createdAt"> & {
    problem?: string | null;
    surplusMinor: number;
    cancellationId: CancellationId | null;
  },
): Promise<boolean> {
  const result = await trx
    .insertInto("refunds")
    .values({
      id: refund.id,
      order_id: refund.orderId,
      provider: refund.provider,
      provider_payment_id: refund.providerPaymentId,
      amount_minor: refund.amountMinor,
      customer_fee_minor: refund.customerFeeMinor,
      currency: refund.currency,
      reason: refund.reason,
      status: refund.status,
      provider_refund_id: refund.providerRefundId,
      bank_reference: refund.bankReference,
      problem: refund.problem ?? null,
      decided_by: refund.decidedBy,
      surplus_minor: refund.surplusMinor,
      cancellation_id: refund.cancellationId,
    })
    .onConflict((oc) => oc.columns(["provider", "provider_refund_id"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
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
    .select(["payments.account", "payments.method"]);

export async function findRefund(db: Db, id: RefundId): Promise<Refund | null> {
  const row = await refunds(db).where("refunds.id", "=", id).executeTakeFirst();
  return row === undefined ? null : refundOf(row);
}

/** Finds the newest refund of an order. */
export async function findRefundOf(db: Db, orderId: OrderId): Promise<Refund | null> {
  const row = await refunds(db)
    .where("refunds.order_id", "=", orderId)
    .orderBy("refunds.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : refundOf(row);
}

/** Finds the refund that a provider reports, by the provider's id or by ours, which we sent with the request. */
export async function findReportedRefund(
  db: Db,
  { provider, providerPaymentId }: ProviderPaymentKey,
  report: { id: string; key: RefundId | null },
): Promise<Refund | null> {
  const row = await refunds(db)
    .where("refunds.provider", "=", provider)
    .where("refunds.provider_payment_id", "=", providerPaymentId)
    .where(({ eb, or }) =>
      or([
        eb("refunds.provider_refund_id", "=", report.id),
        ...(report.key === null ? [] : [eb("refunds.id", "=", report.key)]),
      ]),
    )
    .orderBy(sql`refunds.provider_refund_id nulls last`)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : refundOf(row);
}

/** The provider's response to a refund request, or its later report. */
export interface RefundOutcome {
  status: Exclude<RefundStatus, "requested">;
  /** Null when it was refused. */
  providerRefundId: string | null;
  bankReference: string | null;
  /** The provider's reason for a failure. */
  problem: string | null;
}

/**
 * Moves a refund forward only: processed and failed are final, and a pending one does not become requested again, in whichever
 * order responses and events arrive.
 * @returns false when it was already there or further
 */
export async function moveRefund(
  db: Db,
  id: RefundId,
  { status, providerRefundId, bankReference, problem }: RefundOutcome,
): Promise<boolean> {
  const result = await db
    .updateTable("refunds")
    .set({
      status,
      provider_refund_id: sql<string | null>`coalesce(provider_refund_id, ${providerRefundId})`,
      bank_reference: sql<string | null>`coalesce(${bankReference}, bank_reference)`,
      problem,
      updated_at: new Date(),
    })
    .where("id", "=", id)
    .where("status", "in", status === "pending" ? ["requested"] : ["requested", "pending"])
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Records why the provider has not accepted a requested refund yet. */
export async function recordRefundProblem(db: Db, id: RefundId, problem: string): Promise<void> {
  await db
    .updateTable("refunds")
    .set({ problem, updated_at: new Date() })
    .where("id", "=", id)
    .where("status", "=", "requested")
    .execute();
}

/** Finds an identical refund by a person since the given time that did not fail. */
export async function findRecentDuplicate(
  db: Db,
  input: ProviderPaymentKey & { amountMinor: number; reason: string; since: Date },
): Promise<{ id: RefundId; status: RefundStatus; createdAt: Date } | null> {
  const row = await db
    .selectFrom("refunds")
    .select(["id", "status", "created_at as createdAt"])
    .where("provider", "=", input.provider)
    .where("provider_payment_id", "=", input.providerPaymentId)
    .where("decided_by", "=", "operator")
    .where("amount_minor", "=", input.amountMinor)
    .where("reason", "=", input.reason)
    .where("status", "<>", "failed")
    .where("created_at", ">", input.since)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Lists unfinished refunds not checked since `notSince`, longest unchecked first. */
export async function listOpenRefunds(
  db: Db,
  { notSince, limit }: { notSince: Date; limit: number },
): Promise<Refund[]> {
  const rows = await refunds(db)
    .where("refunds.status", "in", ["requested", "pending"])
    .where(sql<boolean>`coalesce(refunds.looked_at, refunds.created_at) < ${notSince}`)
    .orderBy(sql`coalesce(refunds.looked_at, refunds.created_at)`)
    .limit(limit)
    .execute();
  return rows.map(refundOf);
}

/** A refund with its order and its credit note. */
export interface ListedRefund extends NumberedOrder {
  id: RefundId;
  amountMinor: number;
  currency: Currency;
  status: RefundStatus;
  reason: string;
  /** The provider's reason why it failed or waits. */
  problem: string | null;
  decidedBy: RefundDecider;
  provider: PaymentProviderId;
  providerPaymentId: string;
  providerRefundId: string | null;
  bankReference: string | null;
  creditNote: string | null;
  begunAt: Date;
  movedAt: Date;
}

/** Lists a page of refunds, newest first. @param listQuery.from and `before`: range of the time of decision */
export async function listRefunds(
  db: Db,
  listQuery: {
    status: RefundStatus | null;
    from: Date | null;
    before: Date | null;
    after: Cursor | null;
    limit: number;
  },
): Promise<PageOfRows<ListedRefund>> {
  const { status, from, before, after, limit } = listQuery;
  const rows = await db
    .selectFrom("refunds as r")
    .innerJoin("orders as o", "o.id", "r.order_id")
    .leftJoin("credit_notes as c", (join) =>
      join.onRef("c.refund_id", "=", "r.id").on("c.replaced_by", "is", null),
    )
    .select([
      "r.id",
      "o.id as orderId",
      "o.number",
      "o.created_at as createdAt",
      "r.amount_minor as amountMinor",
      "r.currency",
      "r.status",
      "r.reason",
      "r.problem",
      "r.decided_by as decidedBy",
      "r.provider",
      "r.provider_payment_id as providerPaymentId",
      "r.provider_refund_id as providerRefundId",
      "r.bank_reference as bankReference",
      "c.number as creditNote",
      "r.created_at as begunAt",
      "r.updated_at as movedAt",
      microsecondsOf("r.created_at").as("at"),
    ])
    .$if(status !== null, (query) => query.where("r.status", "=", status ?? "failed"))
    .$if(from !== null, (query) => query.where("r.created_at", ">=", from ?? new Date()))
    .$if(before !== null, (query) => query.where("r.created_at", "<", before ?? new Date()))
    .$if(after !== null, (query) =>
      query.where(afterCursor(after ?? { at: 0, id: "" }, { at: "r.created_at", id: "r.id" }, "desc")),
    )
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: page, next } = pageOf(rows, limit);
  return { rows: page.map(({ at: _at, ...refund }) => refund), next };
}

/** Counts unfinished and failed refunds and sums their amounts, by status and currency. */
export async function countRefunds(
  db: Db,
): Promise<{ status: RefundStatus; currency: Currency; count: number; sumMinor: number }[]> {
  return db
    .selectFrom("refunds")
    .select(({ fn }) => [
      "status",
      "currency",
      fn.countAll<number>().as("count"),
      sql<number>`sum(amount_minor)::bigint`.as("sumMinor"),
    ])
    .where("status", "in", ["requested", "pending", "failed"])
    .groupBy(["status", "currency"])
    .orderBy("status")
    .orderBy("currency")
    .execute();
}

export async function markChecked(db: Db, id: RefundId): Promise<void> {
  await db.updateTable("refunds").set({ looked_at: new Date() }).where("id", "=", id).execute();
}

function refundOf(
  row: Selectable<RefundsTable> & { account: PaymentAccount; method: string | null },
): Refund {
  return {
    id: row.id,
    orderId: row.order_id,
    provider: row.provider,
    account: row.account,
    method: row.method,
    providerPaymentId: row.provider_payment_id,
    amountMinor: row.amount_minor,
    customerFeeMinor: row.customer_fee_minor,
    currency: row.currency,
    reason: row.reason,
    status: row.status,
    providerRefundId: row.provider_refund_id,
    bankReference: row.bank_reference,
    decidedBy: row.decided_by,
    createdAt: row.created_at,
  };
}
