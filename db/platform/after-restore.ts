/** Queries on a store that was restored to an earlier moment: numbers that were issued since, and orders in progress then. */
import { sql } from "kysely";
import type { ProviderPaymentKey } from "#db/billing/payment-keys.ts";
import type { CancellationId, OrderId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface SkippedSerials {
  series: string;
  first: number;
  last: number;
}

/** Skips the given number of serials of a series. @param by at least 1 */
export async function skipSerials(trx: Trx, series: string, by: number): Promise<SkippedSerials> {
  const { last_serial: last } = await trx
    .insertInto("invoice_series")
    .values({ series, last_serial: by, last_issued_at: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict.column("series").doUpdateSet({ last_serial: sql<number>`invoice_series.last_serial + ${by}` }),
    )
    .returning("last_serial")
    .executeTakeFirstOrThrow();
  return { series, first: last - by + 1, last };
}

export async function hasSeries(db: Db, series: string): Promise<boolean> {
  const row = await db
    .selectFrom("invoice_series")
    .select("series")
    .where("series", "=", series)
    .executeTakeFirst();
  return row !== undefined;
}

/** Skips the given number of order numbers. */
export async function skipOrderNumbers(db: Db, by: number): Promise<void> {
  const sequence = sql`pg_get_serial_sequence('orders', 'number')`;
  await sql`select setval(${sequence}, nextval(${sequence}) + ${by}::bigint)`.execute(db);
}

/** Lists orders that a worker, or their buyer, would continue. */
export async function listUnfinishedOrders(db: Db): Promise<OrderId[]> {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("fulfilment_status", "in", ["waiting_for_signin", "queued", "running"])
    .orderBy("paid_at")
    .execute();
  return rows.map(({ id }) => id);
}

/** Lists orders that need attention and that this action stopped, by the audit log; the longest paid first. */
export async function listStoppedBy(db: Db, action: string): Promise<OrderId[]> {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("fulfilment_status", "=", "needs_attention")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("audit_log")
          .select("audit_log.id")
          .where("action", "=", action)
          .where("subject", "=", sql<string>`'order:' || orders.id`),
      ),
    )
    .orderBy("paid_at")
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether the audit log has an entry of this action on a subject. */
export async function hasAuditEntry(db: Db, action: string, subject: string): Promise<boolean> {
  const row = await db
    .selectFrom("audit_log")
    .select("id")
    .where("subject", "=", subject)
    .where("action", "=", action)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists open cancellations of which a part concerns the order of a payment. */
export async function listOpenCancellationsOf(
  db: Db,
  { provider, providerPaymentId }: ProviderPaymentKey,
): Promise<CancellationId[]> {
  const rows = await db
    .selectFrom("cancellations")
    .innerJoin("cancellation_parts", "cancellation_parts.cancellation_id", "cancellations.id")
    .innerJoin("payments", "payments.order_id", "cancellation_parts.order_id")
    .select("cancellations.id")
    .distinct()
    .where("cancellations.state", "in", ["requested", "vendor_done"])
    .where("payments.provider", "=", provider)
    .where("payments.provider_payment_id", "=", providerPaymentId)
    .execute();
  return rows.map(({ id }) => id);
}
