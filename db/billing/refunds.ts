/** Queries on refunds, and on what is left of a payment after them. */
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { CancellationId, OrderId, RefundId } from "#db/ids.ts";
import { afterCursor, type Cursor, microsecondsOf, type PageOfRows, pageOf } from "#db/keyset.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type {
  PaymentAccount,
  PaymentProviderId,
  PaymentRowStatus,
  RefundDecider,
  RefundStatus,
  RefundsTable,
} from "#db/tables/payments.ts";
import { creditedOf, refundedOf } from "./credit-notes.ts";
import type { ProviderPaymentKey } from "./payments.ts";
import type { NumberedOrder } from "./reconciliation.ts";

export interface Refund extends ProviderPaymentKey {
  /** The account that took the payment. */
  account: PaymentAccount;
  /** What the payment was made with, in the provider's word; null where it told none. */
  method: string | null;
  /** Also the idempotency key at the provider. */
  id: RefundId;
  orderId: OrderId;
  /** The order's money, without the customer's fee. */
  amountMinor: number;
  /** The part of the payment's customer fee that goes back with it, in minor units. */
  customerFeeMinor: number;
  currency: Currency;
  /** In words for the buyer. */
  reason: string;
  status: RefundStatus;
  /** Null until the provider has told it. */
  providerRefundId: string | null;
  /** By which the buyer's bank finds it; null until the provider has told it. */
  bankReference: string | null;
  decidedBy: RefundDecider;
  createdAt: Date;
}

/** @returns false when a refund with the provider's id is there already */
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

/** The newest refund of an order. */
export async function findRefundOf(db: Db, orderId: OrderId): Promise<Refund | null> {
  const row = await refunds(db)
    .where("refunds.order_id", "=", orderId)
    .orderBy("refunds.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : refundOf(row);
}

/** The refund that a provider tells of: by the id it gave it, or by ours, which it was asked with. */
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

/** What a provider answered to a refund, or told of it later. */
export interface RefundOutcome {
  status: Exclude<RefundStatus, "requested">;
  /** Null when it was refused. */
  providerRefundId: string | null;
  bankReference: string | null;
  /** Why it failed, in the provider's words. */
  problem: string | null;
}

/**
 * Moves a refund forward: what is processed or failed stays so, and what is pending is not asked for again, in whichever order
 * answers and events arrive.
 * @returns false when it stands there or further already
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

/** Notes why a refund that was not taken yet waits. */
export async function recordRefundProblem(db: Db, id: RefundId, problem: string): Promise<void> {
  await db
    .updateTable("refunds")
    .set({ problem, updated_at: new Date() })
    .where("id", "=", id)
    .where("status", "=", "requested")
    .execute();
}

/** A payment that was received, and what of it is gone. */
export interface ReceivedPayment extends ProviderPaymentKey {
  orderId: OrderId;
  account: PaymentAccount;
  /** The order's money, without the customer's fee. Null while the provider has told no amount. */
  amountMinor: number | null;
  /** The part that has not gone back of the fee that the buyer paid on top, in minor units. */
  customerFeeLeftMinor: number;
  currency: string | null;
  /** The means that it was made with, in the provider's word; null where it told none. */
  method: string | null;
  status: PaymentRowStatus;
  receivedAt: Date;
  /** Refunds that did not fail, and what lost disputes took. */
  goneMinor: number;
}

/** What of a payment went back, in minor units: refunds that did not fail, and lost disputes. */
export const returnedMinorSql = sql<number>`(
  (select coalesce(sum(refunds.amount_minor), 0) from refunds
    where refunds.provider = payments.provider
      and refunds.provider_payment_id = payments.provider_payment_id and refunds.status <> 'failed')
  + (select coalesce(sum(disputes.deducted_minor), 0) from disputes
    where disputes.provider = payments.provider
      and disputes.provider_payment_id = payments.provider_payment_id and disputes.status = 'lost')
)::bigint`;

const received = (db: Db) =>
  db.selectFrom("payments").select([
    "order_id as orderId",
    "provider",
    "provider_payment_id as providerPaymentId",
    "account",
    "amount_minor as amountMinor",
    sql<number>`(customer_fee_minor - (select coalesce(sum(refunds.customer_fee_minor), 0) from refunds
        where refunds.provider = payments.provider
          and refunds.provider_payment_id = payments.provider_payment_id and refunds.status <> 'failed'))::bigint`.as(
      "customerFeeLeftMinor",
    ),
    "currency",
    "method",
    "status",
    "created_at as receivedAt",
    returnedMinorSql.as("goneMinor"),
  ]);

export async function findReceivedPayment(
  db: Db,
  { provider, providerPaymentId }: ProviderPaymentKey,
): Promise<ReceivedPayment | null> {
  const row = await received(db)
    .where("provider", "=", provider)
    .where("provider_payment_id", "=", providerPaymentId)
    .executeTakeFirst();
  return row ?? null;
}

/** The payments with a provider's id, at whichever provider. */
export function listReceivedPaymentsById(db: Db, providerPaymentId: string): Promise<ReceivedPayment[]> {
  return received(db).where("provider_payment_id", "=", providerPaymentId).execute();
}

/** What an order was paid with: the payment that completed it, and those that came before or made up for what was withheld. */
export interface OrderPayments {
  orderId: OrderId;
  /** The newest first. */
  payments: (ReceivedPayment & { amountMinor: number })[];
  /** What was paid beyond the invoice, whether it was given back or not. */
  surplusMinor: number;
  /** What of the surplus was given back. */
  returnedMinor: number;
}

const paidWith = (db: Db, orderIds: readonly OrderId[]) => {
  const orderId = sql.ref("payments.order_id");
  return received(db)
    .select([surplusOf(orderId).as("surplusMinor"), surplusReturnedOf(orderId).as("returnedMinor")])
    .where("order_id", "in", orderIds)
    .where((eb) =>
      eb.or([eb("status", "=", "captured"), eb.and([eb("status", "=", "part"), eb("problem", "is", null)])]),
    )
    .orderBy("created_at", "desc");
};

/** @returns an entry for each order that was paid */
export async function listOrderPayments(db: Db, orderIds: readonly OrderId[]): Promise<OrderPayments[]> {
  if (orderIds.length === 0) return [];
  const payments = await paidWith(db, orderIds).execute();
  return orderIds.flatMap((id) => {
    const [first, ...others] = payments.flatMap(({ amountMinor, ...payment }) =>
      payment.orderId === id && amountMinor !== null ? [{ ...payment, amountMinor }] : [],
    );
    if (first === undefined || ![first, ...others].some(({ status }) => status === "captured")) return [];
    const { surplusMinor, returnedMinor } = first;
    return [{ orderId: id, payments: [first, ...others], surplusMinor, returnedMinor }];
  });
}

/** In minor units. */
const surplusOf = (orderId: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(proformas.surplus_minor), 0)::bigint from proformas where proformas.order_id = ${orderId})`;
const surplusReturnedOf = (orderId: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(refunds.surplus_minor), 0)::bigint from refunds
  where refunds.order_id = ${orderId} and refunds.status <> 'failed')`;

/** What of an order's invoice went back, and was credited. */
export interface OrderCreditTotals {
  /** What was paid beyond the invoice and has not been given back. */
  surplusMinor: number;
  /** Refunds of what was invoiced that did not fail. */
  refundedMinor: number;
  /** Credit notes that hold. */
  creditedMinor: number;
}

export async function readOrderCreditTotals(trx: Trx, orderId: OrderId): Promise<OrderCreditTotals> {
  const id = sql`${orderId}`;
  const { rows } = await sql<OrderCreditTotals>`select
    ${surplusOf(id)} - ${surplusReturnedOf(id)} as "surplusMinor",
    ${refundedOf(id)} as "refundedMinor",
    ${creditedOf(id)} as "creditedMinor"`.execute(trx);
  const [found] = rows;
  if (found === undefined) throw new RangeError("A query without a row");
  return found;
}

/** An order's payments, oldest first. */
export function listReceivedPayments(db: Db, orderId: OrderId): Promise<ReceivedPayment[]> {
  return received(db).where("order_id", "=", orderId).orderBy("created_at").execute();
}

/** Payments that no order uses, of which something is left, the oldest first. */
export function listSurplus(db: Db, limit: number): Promise<ReceivedPayment[]> {
  return received(db)
    .where("status", "in", ["surplus", "mismatch"])
    .where("amount_minor", ">", returnedMinorSql)
    .orderBy("created_at")
    .limit(limit)
    .execute();
}

/** Whether a person asked for the same refund a short time ago, and it did not fail. */
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

/** What became of the payment that an order was completed with, and of the parts that came before it. */
export interface OrderMoney {
  paidMinor: number;
  /** Refunds that did not fail. */
  refundedMinor: number;
  isDisputed: boolean;
  isLost: boolean;
}

export async function readOrderMoney(trx: Trx, orderId: OrderId): Promise<OrderMoney> {
  const ofPayment = (table: "refunds" | "disputes") =>
    sql`from ${sql.table(table)} as t join payments as p
      on p.provider = t.provider and p.provider_payment_id = t.provider_payment_id
      where t.order_id = ${orderId} and p.status in ('captured', 'part')`;
  const { rows } = await sql<OrderMoney>`select
    (select coalesce(sum(amount_minor), 0)::bigint from payments
      where order_id = ${orderId} and status in ('captured', 'part')) as "paidMinor",
    (select coalesce(sum(t.amount_minor), 0)::bigint ${ofPayment("refunds")} and t.status <> 'failed') as "refundedMinor",
    exists (select ${ofPayment("disputes")} and t.status in ('open', 'review', 'action')) as "isDisputed",
    exists (select ${ofPayment("disputes")} and t.status = 'lost') as "isLost"`.execute(trx);
  const [found] = rows;
  if (found === undefined) throw new RangeError("A query without a row");
  return found;
}

/** Refunds that are not over and were not looked at for so long, the longest first. */
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

/** A refund beside its order and its credit note. */
export interface ListedRefund extends NumberedOrder {
  id: RefundId;
  amountMinor: number;
  currency: Currency;
  status: RefundStatus;
  reason: string;
  /** Why it failed or waits, in the provider's words. */
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

/** The newest first. @param asked.from and before: when it was decided */
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

/** How many refunds are not over, and how many have failed, with their sums. */
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
