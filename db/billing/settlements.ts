/**
 * Queries on what payment providers paid out, and on what of our payments and refunds is missing in it. One payout may be of
 * several providers, as transfers reach us through the company of the checkout: lines are matched by the ids of payments alone.
 */
import { type InferResult, type RawBuilder, sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import { afterTextCursor, type Cursor, microsecondsOf, type PageOfRows, pageOf } from "#db/keyset.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { PaymentAccount, PaymentProviderId } from "#db/tables/payments.ts";
import type { SettlementKind } from "#db/tables/reconciliation.ts";
import type { ProviderAccount } from "./payment-keys.ts";
import type { NumberedOrder } from "./reconciliation.ts";

/** A line of a payout, in minor units of its currency. */
export interface SettlementLine {
  /** The provider's id of the payment or refund. */
  entityId: string;
  settlementId: string;
  kind: SettlementKind;
  /** The payment it belongs to; null for one of none. */
  providerPaymentId: string | null;
  /** The dispute that took it or gave it back; null for a line of none. */
  providerDisputeId: string | null;
  /** ISO 4217. */
  currency: string;
  /** Before the fee. */
  amountMinor: number;
  creditMinor: number;
  debitMinor: number;
  /** With the tax on it. */
  feeMinor: number;
  taxMinor: number;
  /** The bank's number of the payout. */
  bankReference: string | null;
  settledAt: Date;
}

export interface StoredSettlementLine extends SettlementLine, ProviderAccount {}

/** Stores lines, each once. @returns how many were new */
export async function saveSettlementLines(
  trx: Trx,
  { provider, account }: ProviderAccount,
  lines: readonly SettlementLine[],
): Promise<number> {
  if (lines.length === 0) return 0;
  const rows = await trx
    .insertInto("settlement_lines")
    .values(
      lines.map((line) => ({
        provider,
        account,
        entity_id: line.entityId,
        settlement_id: line.settlementId,
        kind: line.kind,
        provider_payment_id: line.providerPaymentId,
        provider_dispute_id: line.providerDisputeId,
        currency: line.currency,
        amount_minor: line.amountMinor,
        credit_minor: line.creditMinor,
        debit_minor: line.debitMinor,
        fee_minor: line.feeMinor,
        tax_minor: line.taxMinor,
        bank_reference: line.bankReference,
        settled_at: line.settledAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning("entity_id")
    .execute();
  return rows.length;
}

/** Notes that all lines of a day are stored. @param day "2026-11-24" */
export async function markDayRead(
  db: Db,
  { provider, account }: ProviderAccount,
  day: string,
): Promise<void> {
  await db
    .insertInto("settlement_days")
    .values({ provider, account, day })
    .onConflict((conflict) =>
      conflict.columns(["provider", "account", "day"]).doUpdateSet({ read_at: sql<Date>`now()` }),
    )
    .execute();
}

/** The first and the last day of an account that were read whole; null before any was. */
export async function readDayRange(
  db: Db,
  { provider, account }: ProviderAccount,
): Promise<{ first: string; last: string } | null> {
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select min(day)::text as first, max(day)::text as last from settlement_days
    where provider = ${provider} and account is not distinct from ${account}`.execute(db);
  const [row] = rows;
  return row?.first == null || row.last === null ? null : { first: row.first, last: row.last };
}

/** When the first money came in at an account; null for one without any. */
export async function firstPaymentAt(db: Db, { provider, account }: ProviderAccount): Promise<Date | null> {
  const row = await db
    .selectFrom("payments")
    .select("settled_at")
    .where("provider", "=", provider)
    .where(sql<boolean>`account is not distinct from ${account}`)
    .where("settled_at", "is not", null)
    .orderBy("settled_at")
    .limit(1)
    .executeTakeFirst();
  return row?.settled_at ?? null;
}

/** Money that came or went, and is in no payout yet. */
export interface UnsettledMoney extends NumberedOrder {
  provider: PaymentProviderId;
  account: PaymentAccount;
  /** The provider's id of the payment or refund. */
  entityId: string;
  amountMinor: number;
  currency: Currency;
  at: Date;
}

/** The day from which payouts of an account are read: found once, and not for each payment. */
const readSince = sql`(select account, min(day) as day from settlement_days group by account)`;

/**
 * Payments that were captured on a day since payouts are read, and are in none; also those that no order uses and that are in its
 * currency, which are ours until a person gives them back.
 */
export async function listUnsettledPayments(db: Db): Promise<UnsettledMoney[]> {
  const { rows } = await sql<UnsettledMoney>`
    select p.provider, p.account, p.provider_payment_id as "entityId", o.id as "orderId",
           o.number, o.created_at as "createdAt", p.amount_minor as "amountMinor", o.currency, p.settled_at as at
    from payments p join orders o on o.id = p.order_id
    join ${readSince} s on s.account is not distinct from p.account and p.settled_at >= s.day
    where (p.status in ('captured', 'part', 'surplus', 'refunded') or (p.status = 'mismatch' and p.currency = o.currency))
      and p.settled_at is not null and p.amount_minor is not null
      and not exists (
        select from settlement_lines l
        where l.entity_id = p.provider_payment_id)
    order by p.settled_at`.execute(db);
  return rows;
}

/** Refunds that were carried out on a day since payouts are read, and are in none. */
export async function listUnsettledRefunds(db: Db): Promise<UnsettledMoney[]> {
  const { rows } = await sql<UnsettledMoney>`
    select r.provider, p.account, r.provider_refund_id as "entityId", o.id as "orderId",
           o.number, o.created_at as "createdAt", r.amount_minor as "amountMinor", r.currency, r.updated_at as at
    from refunds r join orders o on o.id = r.order_id
    join payments p on p.provider = r.provider and p.provider_payment_id = r.provider_payment_id
    join ${readSince} s on s.account is not distinct from p.account and r.updated_at >= s.day
    where r.status = 'processed' and r.provider_refund_id is not null
      and not exists (
        select from settlement_lines l
        where l.entity_id = r.provider_refund_id)
    order by r.updated_at`.execute(db);
  return rows;
}

/** A line of a payout beside the payment, refund or dispute that is known by its id. */
export interface SettledLine extends StoredSettlementLine {
  /** What we know of the payment, refund or dispute; null for one that is unknown here. */
  ours: { orderId: OrderId; amountMinor: number | null; currency: string | null } | null;
}

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
      // A dispute takes what was deducted once it is lost, and may hold all of it back before.
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

/** A transfer of a provider to our bank: the sums of its lines, in minor units. */
export interface Payout {
  settlementId: string;
  /** One payout may be of several. */
  providers: PaymentProviderId[];
  account: PaymentAccount;
  currency: string;
  /** The bank's number of it (UTR). */
  bankReference: string | null;
  settledAt: Date;
  lines: number;
  /** What came in, and what went back, before fees. */
  creditMinor: number;
  debitMinor: number;
  /** With the tax on it. */
  feeMinor: number;
  taxMinor: number;
}

export interface PayoutQuery {
  /** Paid out from then on, and before. */
  from: Date | null;
  before: Date | null;
  /** The id of a payout, a payment, a refund or a dispute, or the bank's number. */
  search: string | null;
}

/**
 * The newest first. The payouts of a page are found one after the other in the index, so that a page reads the lines of its own payouts
 * and no others.
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

/** The payouts that are found; all of them come in this order already, which is what lets PostgreSQL stop at the page's end. */
const newestFirst = sql`order by settled_at desc, settlement_id collate "C" desc`;

const payoutsFoundBy = (search: string) => sql`(
  select settlement_id from settlement_lines
  where settlement_id = ${search} or bank_reference = ${search} or entity_id = ${search}
    or provider_payment_id = ${search} or provider_dispute_id = ${search})`;

/** A line of a payout beside its order, where that is known. */
export interface ListedPayoutLine extends SettledLine {
  order: NumberedOrder | null;
}

/** The newest first. @param asked.payout null for the lines of all */
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

/** Which lines are on the page: decided before anything is joined to them. */
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

/** A line has no id of its own: it is what it is in its payout. */
function beforeLine({ at, id }: Cursor): RawBuilder<boolean> {
  const [payout = "", ...entity] = id.split(" ");
  return sql`(l.settled_at, l.settlement_id collate "C", l.entity_id collate "C")
    < (timestamptz 'epoch' + ${at}::double precision * interval '1 microsecond', ${payout}, ${entity.join(" ")})`;
}
