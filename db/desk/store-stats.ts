/**
 * Figures of the whole store, for whoever watches it: what waits now, and what has happened in a time. Every statement reads an index of the few rows
 * that are open, or of the time it asks about; none reads a big table whole.
 */
import { type RawBuilder, sql } from "kysely";
import { returnedMinorSql } from "#db/billing/received-payments.ts";
import { type JobState, jobState } from "#db/platform/jobs.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { PaymentProviderId, PaymentRowStatus } from "#db/tables/payments.ts";

/** A count, and since when the oldest of them waits; null where there is none. */
export interface Backlog {
  count: number;
  since: Date | null;
}

export interface OpenOrders extends Backlog {
  family: FamilyId;
  country: Country;
  /** Unpaid = at the checkout within the last day; the others are paid. */
  state: "unpaid" | "waiting_for_signin" | "queued" | "running" | "needs_attention";
}

/** Orders that are neither over nor left behind, without those whose money went back. */
export async function countOpenOrders(db: Db): Promise<OpenOrders[]> {
  const { rows } = await sql<OpenOrders>`
    select family, country, 'unpaid' as state, count(*) as count, min(updated_at) as since
    from orders where payment_status = 'pending' and updated_at > now() - interval '1 day'
    group by family, country
    union all
    select family, country, fulfilment_status, count(*), min(paid_at)
    from orders where fulfilment_status = 'waiting_for_signin' and payment_status not in ('refunded', 'lost')
    group by family, country, fulfilment_status
    union all
    select family, country, fulfilment_status, count(*), min(paid_at)
    from orders
    where stage = 'stage3' and fulfilment_status in ('queued', 'running', 'needs_attention')
      and payment_status not in ('refunded', 'lost')
    group by family, country, fulfilment_status`.execute(db);
  return rows;
}

export interface JobCount extends Backlog {
  isFulfilment: boolean;
  state: JobState;
}

/** Jobs of the queue, which holds no finished ones; since when the oldest is due. */
export async function countJobs(db: Db): Promise<JobCount[]> {
  const { rows } = await sql<JobCount>`
    select task_identifier = 'fulfil-order' as "isFulfilment",
      ${jobState} as state,
      count(*) as count, min(run_at) as since
    from graphile_worker.jobs group by 1, 2`.execute(db);
  return rows;
}

/** Payments that no order is completed by yet, and of which money is left. */
export async function countUnsettledPayments(
  db: Db,
): Promise<{ status: "returned" | "mismatch" | "surplus"; count: number }[]> {
  const { rows } = await sql<{ status: "returned" | "mismatch" | "surplus"; count: number }>`
    select status, count(*) as count from payments
    where status in ('returned', 'mismatch', 'surplus')
      and (status = 'returned' or amount_minor > ${returnedMinorSql})
    group by status`.execute(db);
  return rows;
}

/** Mails that were asked for and are not sent. */
export async function countWaitingMails(db: Db): Promise<Backlog> {
  return one(
    db,
    sql<Backlog>`select count(*) as count, min(created_at) as since from mails
      where sent_at is null and refused_at is null`,
  );
}

/** Cancellations that a person looks after. */
export async function countCancellations(db: Db): Promise<Backlog> {
  return one(
    db,
    sql<Backlog>`select count(*) as count, min(created_at) as since from cancellations
      where needs_person and finished_at is null`,
  );
}

/** Documents that are to be registered for GST, and those that were refused. */
export async function countUnregisteredDocuments(
  db: Db,
): Promise<({ state: "pending" | "failed" } & Backlog)[]> {
  const { rows } = await sql<{ state: "pending" | "failed" } & Backlog>`
    select state, count(*) as count, min(issued_at) as since from e_invoices
    where state in ('pending', 'failed') group by state`.execute(db);
  return rows;
}

/** Differences of the books that are there and nobody has acknowledged, by kind. */
export async function countMoneyDifferences(db: Db): Promise<{ kind: string; count: number }[]> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*) as count from money_differences
    where resolved_at is null and acknowledged_at is null group by kind`.execute(db);
  return rows;
}

/** Until when the next undecided dispute has to be answered; null where none has to be. */
export async function nextDisputeDate(db: Db): Promise<Date | null> {
  const found = await db
    .selectFrom("disputes")
    .select("respond_by")
    .where(sql<boolean>`status in ('open', 'review', 'action')`)
    .where("respond_by", "is not", null)
    .orderBy("respond_by")
    .limit(1)
    .executeTakeFirst();
  return found?.respond_by ?? null;
}

/** When each payment provider last sent an event; one that never did is left out. */
export async function lastEvents(db: Db): Promise<{ provider: PaymentProviderId; at: Date }[]> {
  const { rows } = await sql<{ provider: PaymentProviderId; at: Date | null }>`
    select id as provider, (select max(received_at) from provider_events where provider = id) as at
    from payment_providers`.execute(db);
  return rows.flatMap(({ provider, at }) => (at === null ? [] : [{ provider, at }]));
}

/** A time whose beginning counts and whose end does not; without a beginning all that was before. */
export interface OpenTimeRange {
  from: Date | null;
  until: Date | null;
}

export interface OrderCount {
  family: FamilyId;
  country: Country;
  state: "paid" | "fulfilled";
  count: number;
}

/** Orders that were paid, and that were fulfilled, in a time. */
export async function countOrdersIn(db: Db, span: OpenTimeRange): Promise<OrderCount[]> {
  const { rows } = await sql<OrderCount>`
    select family, country, 'paid' as state, count(*) as count from orders
    where paid_at is not null and ${within("paid_at", span)} group by family, country
    union all
    select family, country, 'fulfilled', count(*) from orders
    where fulfilled_at is not null and ${within("fulfilled_at", span)} group by family, country`.execute(db);
  return rows;
}

/** Payments that were decided on in a time. */
export async function countPaymentsIn(
  db: Db,
  span: OpenTimeRange,
): Promise<{ method: string | null; result: PaymentRowStatus; count: number }[]> {
  const { rows } = await sql<{ method: string | null; result: PaymentRowStatus; count: number }>`
    select method, status as result, count(*) as count
    from payments where settled_at is not null and ${within("settled_at", span)}
    group by method, status`.execute(db);
  return rows;
}

/** Refunds that were carried out, or failed, in a time. */
export async function countRefundsIn(
  db: Db,
  span: OpenTimeRange,
): Promise<{ result: "processed" | "failed"; count: number }[]> {
  const { rows } = await sql<{ result: "processed" | "failed"; count: number }>`
    select status as result, count(*) as count
    from refunds where status in ('processed', 'failed') and ${within("updated_at", span)}
    group by status`.execute(db);
  return rows;
}

export interface MoneyMoved {
  /** Lost = taken back by a bank after a dispute. */
  kind: "paid" | "refunded" | "lost";
  /** As the provider says; not always one of ours. */
  currency: string;
  amountMinor: number;
}

/** Money that came in, went back or was lost in a time, in minor units. Money that fits no order came in too. */
export async function sumMoneyIn(db: Db, span: OpenTimeRange): Promise<MoneyMoved[]> {
  const { rows } = await sql<MoneyMoved>`
    select 'paid' as kind, currency, sum(amount_minor)::bigint as "amountMinor" from payments
    where settled_at is not null and ${within("settled_at", span)}
      and status in ('captured', 'part', 'mismatch', 'surplus', 'refunded')
      and currency is not null and amount_minor is not null
    group by currency
    union all
    select 'refunded', currency, sum(amount_minor)::bigint from refunds
    where status = 'processed' and ${within("updated_at", span)}
    group by currency
    union all
    select 'lost', currency, sum(deducted_minor)::bigint from disputes
    where status = 'lost' and ${within("updated_at", span)} group by currency`.execute(db);
  return rows;
}

/** Mails that their recipient's server refused for good in a time, at once or later. */
export async function countRefusedMailsIn(db: Db, span: OpenTimeRange): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from mails where refused_at is not null and not withheld and ${within("refused_at", span)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** From payment to end of the orders that were fulfilled in a time, in seconds; null without any. */
export interface FulfilmentTimes {
  median: number | null;
  /** Of 100 orders 95 were quicker. */
  slow: number | null;
}

export async function fulfilmentTimesIn(db: Db, span: OpenTimeRange): Promise<FulfilmentTimes> {
  const seconds = sql`extract(epoch from fulfilled_at - paid_at)`;
  const { rows } = await sql<FulfilmentTimes>`
    select percentile_cont(0.5) within group (order by ${seconds})::float8 as median,
      percentile_cont(0.95) within group (order by ${seconds})::float8 as slow
    from orders where fulfilled_at is not null and paid_at is not null and ${within("fulfilled_at", span)}`.execute(
    db,
  );
  return rows[0] ?? { median: null, slow: null };
}

/** Orders that were paid in a time, whose money is still ours, and that wait for a person now. */
export async function countStuckIn(db: Db, span: OpenTimeRange): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from orders
    where stage = 'stage3' and fulfilment_status = 'needs_attention' and payment_status not in ('refunded', 'lost')
      and ${within("paid_at", span)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * A day, month or year by the clock of a zone, whose changes of the clock it follows.
 * @param asked.on a date in it: "2026-11-25"
 */
export async function calendarRange(
  db: Db,
  { unit, on, timeZone }: { unit: "day" | "month" | "year"; on: string; timeZone: string },
): Promise<{ from: Date; until: Date }> {
  const { rows } = await sql<{ from: Date; until: Date }>`
    select begins at time zone ${timeZone} as from,
      (begins + make_interval(years => ${unit === "year" ? 1 : 0}::int, months => ${unit === "month" ? 1 : 0}::int,
        days => ${unit === "day" ? 1 : 0}::int)) at time zone ${timeZone} as until
    from (select date_trunc(${unit}::text, ${on}::timestamp) as begins) calendar`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new RangeError(`Not a date: ${on}`);
  return row;
}

function within(column: string, { from, until }: OpenTimeRange): RawBuilder<boolean> {
  const at = sql.ref(column);
  const begins = from === null ? sql`true` : sql`${at} >= ${from}`;
  return until === null ? sql<boolean>`${begins}` : sql<boolean>`${begins} and ${at} < ${until}`;
}

async function one(db: Db, query: RawBuilder<Backlog>): Promise<Backlog> {
  const { rows } = await query.execute(db);
  return rows[0] ?? { count: 0, since: null };
}
