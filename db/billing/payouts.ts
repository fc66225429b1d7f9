/** Payouts of payment providers and their lines, as Desk lists them. */
import { type InferResult, type RawBuilder, sql } from "kysely";
import { afterTextCursor, type Cursor, microsecondsOf, type PageOfRows, pageOf } from "#db/keyset.ts";
import type { Db } from "#db/tables/index.ts";
import type { PaymentAccount, PaymentProviderId } from "#db/tables/payments.ts";
import type { NumberedOrder } from "./reconciliation.ts";
import type { SettledLine } from "./settlements.ts";

const settledLines = (db: Db) =>
  db
    .selectFrom("settlement_lines as l")
    .leftJoin("payments as p", (join) =>
      join.onRef("p.provider_payment_id", "=", "l.entity_id").on("l.kind", "=", "payment"),
    )
    .leftJoin("refunds as r", (join) =>
      join.onRef("r.provider_refund_id", "=", "l.entity_id").on("l.kind", "=", "refund"),
    )
    .leftJoin("disputes as d", (join) =>
      join.onRef("d.provider_dispute_id", "=", "l.provider_dispute_id").on("l.kind", "=", "other"),
    )
    .selectAll("l")
    .select(({ fn }) => [
      fn.coalesce("p.order_id", "r.order_id", "d.order_id").as("our_order"),
      // A dispute takes the deducted amount once it is lost; before that it may hold back the whole amount.
      sql<
        number | null
      >`coalesce(p.amount_minor + p.customer_fee_minor, r.amount_minor + r.customer_fee_minor,
        case when d.status = 'lost' then d.deducted_minor else d.amount_minor end)`.as("our_amount"),
      fn.coalesce("p.currency", "r.currency", "d.currency").as("our_currency"),
    ]);

type SettledRow = InferResult<ReturnType<typeof settledLines>>[number];

function lineOf(row: SettledRow): SettledLine {
  return {
    provider: row.provider,
    account: row.account,
    entityId: row.entity_id,
    settlementId: row.settlement_id,
    kind: row.kind,
    providerPaymentId: row.provider_payment_id,
    providerDisputeId: row.provider_dispute_id,
    currency: row.currency,
    amountMinor: row.amount_minor,
    creditMinor: row.credit_minor,
    debitMinor: row.debit_minor,
    feeMinor: row.fee_minor,
    taxMinor: row.tax_minor,
    bankReference: row.bank_reference,
    settledAt: row.settled_at,
    ours:
      row.our_order === null
        ? null
        : { orderId: row.our_order, amountMinor: row.our_amount, currency: row.our_currency },
  };
}

/** A transfer from a provider to our bank account, with the sums of its lines in minor units. */
export interface Payout {
  settlementId: string;
  /** One payout may cover several providers. */
  providers: PaymentProviderId[];
  account: PaymentAccount;
  currency: string;
  /** The bank's reference (UTR). */
  bankReference: string | null;
  settledAt: Date;
  lines: number;
  /** Money in and money out, before fees. */
  creditMinor: number;
  debitMinor: number;
  /** Includes the tax on the fee. */
  feeMinor: number;
  taxMinor: number;
}

export interface PayoutQuery {
  /** Paid out at or after `from`, and before `before`. */
  from: Date | null;
  before: Date | null;
  /** Id of a payout, payment, refund or dispute, or the bank's reference. */
  search: string | null;
}

/**
 * Lists payouts, newest first. Steps through the index from payout to payout, so that a page reads only its payouts'
 * lines.
 */
export async function listPayouts(
  db: Db,
  { from, before, search }: PayoutQuery,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<PageOfRows<Payout>> {
  const conditions = sql.join(
    [
      sql`true`,
      ...(from === null ? [] : [sql`l.settled_at >= ${from}`]),
      ...(before === null ? [] : [sql`l.settled_at < ${before}`]),
    ],
    sql` and `,
  );
  const newest = (place: RawBuilder<boolean>) => sql`
    select l.settled_at, l.settlement_id from settlement_lines l
    where ${conditions} and ${place}
    order by l.settled_at desc, l.settlement_id collate "C" desc limit 1`;
  const start =
    after === null
      ? sql<boolean>`true`
      : afterTextCursor(after, { at: "l.settled_at", id: "l.settlement_id" }, "desc");
  const all = sql`
    with recursive p as (
      (${newest(start)})
      union all
      select n.settled_at, n.settlement_id from p
      cross join lateral (${newest(
        sql`(l.settled_at, l.settlement_id collate "C") < (p.settled_at, p.settlement_id)`,
      )}) n)`;
  const found = (text: string) => sql`
    with l as materialized (
      select settled_at, settlement_id from settlement_lines where settlement_id = any(array${payoutsFoundBy(text)})
    ), p as (
      select distinct l.settled_at, l.settlement_id from l where ${conditions} and ${start})`;
  const { rows } = await sql<Payout & { id: string; at: number }>`
    ${search === null ? all : found(search)}
    select f.settlement_id as "settlementId", f.settlement_id as id,
           (extract(epoch from f.settled_at) * 1000000)::bigint as at, f.settled_at as "settledAt",
           s.providers, s.account, s.currency, s.bank_reference as "bankReference", s.lines, s.credit as "creditMinor",
           s.debit as "debitMinor", s.fee as "feeMinor", s.tax as "taxMinor"
    from (select * from p ${search === null ? sql`` : newestFirst} limit ${limit + 1}) f
    cross join lateral (
      select array_agg(distinct l.provider) as providers, min(l.account) as account, min(l.currency) as currency,
             min(l.bank_reference) as bank_reference, count(*) as lines, sum(l.credit_minor)::bigint as credit,
             sum(l.debit_minor)::bigint as debit, sum(l.fee_minor)::bigint as fee, sum(l.tax_minor)::bigint as tax
      from settlement_lines l
      where l.settlement_id = f.settlement_id and l.settled_at = f.settled_at) s
    order by f.settled_at desc, f.settlement_id collate "C" desc`.execute(db);
  const { rows: page, next } = pageOf(rows, limit);
  return { rows: page.map(({ id: _id, at: _at, ...payout }) => payout), next };
}

/**
 * Only for a search. Without one the rows already come in this order, and no sort lets PostgreSQL stop at the end of the page.
 */
const newestFirst = sql`order by settled_at desc, settlement_id collate "C" desc`;

const payoutsFoundBy = (search: string) => sql`(
  select settlement_id from settlement_lines
  where settlement_id = ${search} or bank_reference = ${search} or entity_id = ${search}
    or provider_payment_id = ${search} or provider_dispute_id = ${search})`;

/** A line of a payout with its order; null when the order is unknown. */
export interface ListedPayoutLine extends SettledLine {
  order: NumberedOrder | null;
}

/** Lists lines of payouts, newest first. @param query.payout null for the lines of all payouts */
export async function listPayoutLines(
  db: Db,
  query: PayoutQuery & { payout: string | null },
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<PageOfRows<ListedPayoutLine>> {
  const rows = await settledLines(db)
    .leftJoin("orders as o", (join) =>
      join.on(sql<boolean>`o.id = coalesce(p.order_id, r.order_id, d.order_id)`),
    )
    .select(["o.number", "o.created_at", microsecondsOf("l.settled_at").as("at")])
    .select(sql<string>`l.settlement_id || ' ' || l.entity_id`.as("id"))
    .where(isLineOfPage(query, { after, limit }))
    .orderBy("l.settled_at", "desc")
    .orderBy(sql`l.settlement_id collate "C"`, "desc")
    .orderBy(sql`l.entity_id collate "C"`, "desc")
    .limit(limit + 1)
    .execute();
  const { rows: page, next } = pageOf(rows, limit);
  return {
    rows: page.map((row) => ({
      ...lineOf(row),
      order:
        row.our_order === null || row.number === null || row.created_at === null
          ? null
          : { orderId: row.our_order, number: row.number, createdAt: row.created_at },
    })),
    next,
  };
}

/** SQL condition: whether a line is on the page. Selects the page before anything is joined to it. */
function isLineOfPage(
  { payout, from, before, search }: PayoutQuery & { payout: string | null },
  { after, limit }: { after: Cursor | null; limit: number },
): RawBuilder<boolean> {
  const conditions = [
    sql`true`,
    ...(payout === null ? [] : [sql`l.settlement_id = ${payout}`]),
    ...(from === null ? [] : [sql`l.settled_at >= ${from}`]),
    ...(before === null ? [] : [sql`l.settled_at < ${before}`]),
    ...(after === null ? [] : [beforeLine(after)]),
  ];
  const lines =
    search === null
      ? sql`settlement_lines`
      : sql`(
        select * from settlement_lines
        where settlement_id = ${search} or bank_reference = ${search} or entity_id = ${search}
          or provider_payment_id = ${search} or provider_dispute_id = ${search}
        offset 0)`;
  return sql<boolean>`(l.provider, l.entity_id, l.settlement_id) in (
    select l.provider, l.entity_id, l.settlement_id from ${lines} l where ${sql.join(conditions, sql` and `)}
    order by l.settled_at desc, l.settlement_id collate "C" desc, l.entity_id collate "C" desc limit ${limit + 1})`;
}

/** SQL condition for the lines after a cursor. A line has no id, so payout and entity identify it. */
function beforeLine({ at, id }: Cursor): RawBuilder<boolean> {
  const [payout = "", ...entity] = id.split(" ");
  return sql`(l.settled_at, l.settlement_id collate "C", l.entity_id collate "C")
    < (timestamptz 'epoch' + ${at}::double precision * interval '1 microsecond', ${payout}, ${entity.join(" ")})`;
}
