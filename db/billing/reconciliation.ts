/** Queries on payments and documents that do not agree, and on the discrepancies found. */
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import { afterTextCursor, type Cursor, microsecondsOf, type PageOfRows, pageOf } from "#db/keyset.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { MoneyDifferencesTable } from "#db/tables/reconciliation.ts";

/** An order, with the fields that its number is formatted from. */
export interface NumberedOrder {
  orderId: OrderId;
  number: number;
  createdAt: Date;
}

/** A captured payment of an order without an invoice, or with one of another total. */
export interface MisinvoicedPayment extends NumberedOrder {
  providerPaymentId: string;
  amountMinor: number;
  currency: Currency;
  /** Null when there is no invoice. */
  invoice: { number: string; totalMinor: number } | null;
}

/**
 * Lists captured payments whose order has no invoice, or one of another total. A bank transfer counts with its partial payments
 * and the tax withheld, less the surplus.
 */
export async function listMisinvoicedPayments(db: Db): Promise<MisinvoicedPayment[]> {
  const { rows } = await sql<
    Omit<MisinvoicedPayment, "invoice"> & { invoice: string | null; total: number | null }
  >`
    select o.id as "orderId", o.number, o.created_at as "createdAt", p.provider_payment_id as "providerPaymentId",
           paid.minor as "amountMinor", o.currency, i.number as invoice, (i.facts->>'totalMinor')::bigint as total
    from payments p
    join orders o on o.id = p.order_id
    left join invoices i on i.order_id = p.order_id and i.replaced_by is null
    cross join lateral (
      select (p.amount_minor
        + (select coalesce(sum(q.amount_minor), 0) from payments q
           where q.order_id = p.order_id and q.status = 'part' and q.problem is null)
        + (select coalesce(sum(f.withheld_minor - f.surplus_minor), 0) from proformas f
           where f.order_id = p.order_id))::bigint as minor) paid
    where p.status = 'captured' and p.amount_minor is not null
      and (i.number is null or (i.facts->>'totalMinor')::bigint <> paid.minor)
    order by p.created_at`.execute(db);
  return rows.map(({ invoice, total, ...row }) => ({
    ...row,
    invoice: invoice === null || total === null ? null : { number: invoice, totalMinor: total },
  }));
}

/** An invoice without a payment. */
export interface UnpaidInvoice extends NumberedOrder {
  invoice: string;
  totalMinor: number;
  currency: Currency;
}

/** Lists invoices of orders without a captured payment, refunded or not. */
export async function listUnpaidInvoices(db: Db): Promise<UnpaidInvoice[]> {
  const { rows } = await sql<UnpaidInvoice>`
    select o.id as "orderId", o.number, o.created_at as "createdAt", i.number as invoice, o.currency,
           (i.facts->>'totalMinor')::bigint as "totalMinor"
    from invoices i
    join orders o on o.id = i.order_id
    where i.replaced_by is null and not exists (
      select from payments p where p.order_id = i.order_id and p.status in ('captured', 'refunded'))
    order by i.number`.execute(db);
  return rows;
}

/** A difference between two sides of the books. */
export interface Discrepancy {
  /** Stable: the same discrepancy has the same key every day. */
  key: string;
  kind: string;
  /** Minor units. */
  amountMinor: number;
  currency: Currency;
  /** A sentence for the operator. */
  what: string;
  /** The order concerned; null when it is not an order known here. */
  orderId: OrderId | null;
}

export interface StoredDiscrepancy extends Discrepancy {
  firstSeenAt: Date;
  resolvedAt: Date | null;
  acknowledged: { at: Date; because: string } | null;
}

/** Lets one comparison at a time store its result. */
async function lockDifferences(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('money-differences', 0))`.execute(trx);
}

/**
 * Stores the result of a comparison: adds new discrepancies, reopens those that returned or changed their amount, and resolves
 * those that are gone.
 */
export async function saveDiscrepancies(trx: Trx, found: readonly Discrepancy[], now: Date): Promise<void> {
  await lockDifferences(trx);
  const keys = found.map(({ key }) => key);
  const rows = await trx
    .selectFrom("money_differences")
    .selectAll()
    .where("resolved_at", "is", null)
    .union(trx.selectFrom("money_differences").selectAll().where(sql<boolean>`key = any(${keys}::text[])`))
    .execute();
  const stored = new Map(rows.map((row) => [row.key, row]));
  for (const { key, kind, amountMinor, currency, what, orderId } of found) {
    const earlier = stored.get(key);
    stored.delete(key);
    const says = { kind, amount_minor: amountMinor, currency, what, order_id: orderId };
    if (earlier === undefined) {
      await trx
        .insertInto("money_differences")
        .values({
          key,
          ...says,
          first_seen_at: now,
          resolved_at: null,
          told_at: null,
          acknowledged_at: null,
          acknowledged_because: null,
        })
        .execute();
      continue;
    }
    const isOther = earlier.resolved_at !== null || earlier.amount_minor !== amountMinor;
    const anew = { resolved_at: null, told_at: null, acknowledged_at: null, acknowledged_because: null };
    await trx
      .updateTable("money_differences")
      .set({ ...says, ...(isOther && anew) })
      .where("key", "=", key)
      .execute();
  }
  const gone = [...stored.values()].filter(({ resolved_at }) => resolved_at === null);
  for (const { key } of gone)
    await trx.updateTable("money_differences").set({ resolved_at: now }).where("key", "=", key).execute();
}

/** Lists open, unacknowledged discrepancies, or with `all` every one ever found; oldest first. */
export async function listOpenDiscrepancies(db: Db, { all = false } = {}): Promise<StoredDiscrepancy[]> {
  const rows = await db
    .selectFrom("money_differences")
    .selectAll()
    .$if(!all, (query) => query.where("resolved_at", "is", null).where("acknowledged_at", "is", null))
    .orderBy("first_seen_at")
    .orderBy("key")
    .execute();
  return rows.map(differenceOf);
}

function differenceOf(row: Selectable<MoneyDifferencesTable>): StoredDiscrepancy {
  return {
    key: row.key,
    kind: row.kind,
    amountMinor: row.amount_minor,
    currency: row.currency,
    what: row.what,
    orderId: row.order_id,
    firstSeenAt: row.first_seen_at,
    resolvedAt: row.resolved_at,
    acknowledged:
      row.acknowledged_at === null || row.acknowledged_because === null
        ? null
        : { at: row.acknowledged_at, because: row.acknowledged_because },
  };
}

/** A discrepancy with its order's number. */
export interface ListedDiscrepancy extends StoredDiscrepancy {
  order: NumberedOrder | null;
}

/** open: neither resolved nor acknowledged. */
export const discrepancyStates = ["open", "acknowledged", "resolved"] as const;
export type DiscrepancyState = (typeof discrepancyStates)[number];

const inState: Readonly<Record<DiscrepancyState, RawBuilder<boolean>>> = {
  open: sql`d.resolved_at is null and d.acknowledged_at is null`,
  acknowledged: sql`d.resolved_at is null and d.acknowledged_at is not null`,
  resolved: sql`d.resolved_at is not null`,
};

/** Lists a page of discrepancies, oldest first. @param kind null for every kind */
export async function listDiscrepancies(
  db: Db,
  {
    state,
    kind,
    after,
    limit,
  }: { state: DiscrepancyState; kind: string | null; after: Cursor | null; limit: number },
): Promise<PageOfRows<ListedDiscrepancy>> {
  const rows = await db
    .selectFrom("money_differences as d")
    .leftJoin("orders as o", "o.id", "d.order_id")
    .selectAll("d")
    .select(["d.key as id", "o.number", "o.created_at", microsecondsOf("d.first_seen_at").as("at")])
    .where(inState[state])
    .$if(kind !== null, (query) => query.where("d.kind", "=", kind ?? ""))
    .$if(after !== null, (query) =>
      query.where(afterTextCursor(after ?? { at: 0, id: "" }, { at: "d.first_seen_at", id: "d.key" }, "asc")),
    )
    .orderBy("d.first_seen_at")
    .orderBy(sql`d.key collate "C"`)
    .limit(limit + 1)
    .execute();
  const { rows: page, next } = pageOf(rows, limit);
  return {
    rows: page.map((row) => ({
      ...differenceOf(row),
      order:
        row.order_id === null || row.number === null || row.created_at === null
          ? null
          : { orderId: row.order_id, number: row.number, createdAt: row.created_at },
    })),
    next,
  };
}

/** Lists the kinds of all discrepancies ever found, by name. */
export async function listDiscrepancyKinds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("money_differences").select("kind").distinct().orderBy("kind").execute();
  return rows.map(({ kind }) => kind);
}

/** Claims the open discrepancies that were not reported yet: marks them as reported and returns them. */
export async function claimUnreported(trx: Trx, now: Date): Promise<Discrepancy[]> {
  const rows = await trx
    .updateTable("money_differences")
    .set({ told_at: now })
    .where("told_at", "is", null)
    .where("resolved_at", "is", null)
    .where("acknowledged_at", "is", null)
    .returning(["key", "kind", "amount_minor as amountMinor", "currency", "what", "order_id as orderId"])
    .execute();
  return rows.toSorted((one, other) => one.key.localeCompare(other.key));
}

/** Acknowledges a discrepancy. @returns false when there is no open one with this key */
export async function acknowledgeDiscrepancy(
  trx: Trx,
  key: string,
  { because, now }: { because: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("money_differences")
    .set({ acknowledged_at: now, acknowledged_because: because })
    .where("key", "=", key)
    .where("resolved_at", "is", null)
    .where("acknowledged_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
