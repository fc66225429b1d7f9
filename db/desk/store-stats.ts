/**
 * Figures of the whole store for monitoring: what waits now, and what happened in a period. Every statement reads an index of the
 * few open rows, or of the period; none scans a big table.
 */
import { type RawBuilder, sql } from "kysely";
import { returnedMinorSql } from "#db/billing/received-payments.ts";
import { type JobState, jobState } from "#db/platform/jobs.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { PaymentProviderId, PaymentRowStatus } from "#db/tables/payments.ts";

/** A count, and the time since which the oldest item waits; null when there is none. */
export interface Backlog {
  count: number;
  since: Date | null;
}

export interface OpenOrders extends Backlog {
  family: FamilyId;
  country: Country;
  /** unpaid: in checkout within the last day. All other states are of paid orders. */
  state: "unpaid" | "waiting_for_signin" | "queued" | "running" | "needs_attention";
}

/** Counts orders that are neither complete nor abandoned, without refunded ones. */
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

/** Counts the queue's jobs, which exclude finished ones, with the due time of the oldest. */
export async function countJobs(db: Db): Promise<JobCount[]> {
  const { rows } = await sql<JobCount>`
    select task_identifier = 'fulfil-order' as "isFulfilment",
      ${jobState} as state,
      count(*) as count, min(run_at) as since
    from graphile_worker.jobs group by 1, 2`.execute(db);
  return rows;
}

/** Counts payments that do not complete an order yet and are not fully refunded. */
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

/** Counts mails that were requested and are not sent. */
export async function countWaitingMails(db: Db): Promise<Backlog> {
  return one(
    db,
    sql<Backlog>`select count(*) as count, min(created_at) as since from mails
      where sent_at is null and refused_at is null`,
  );
}

/** Counts cancellations that need a person. */
export async function countCancellations(db: Db): Promise<Backlog> {
  return one(
    db,
    sql<Backlog>`select count(*) as count, min(created_at) as since from cancellations
      where needs_person and finished_at is null`,
  );
}

/** Counts documents that are waiting for registration for GST, and refused ones. */
export async function countUnregisteredDocuments(
  db: Db,
): Promise<({ state: "pending" | "failed" } & Backlog)[]> {
  const { rows } = await sql<{ state: "pending" | "failed" } & Backlog>`
    select state, count(*) as count, min(issued_at) as since from e_invoices
    where state in ('pending', 'failed') group by state`.execute(db);
  return rows;
}

/** Counts open reconciliation differences that nobody has acknowledged, by kind. */
export async function countMoneyDifferences(db: Db): Promise<{ kind: string; count: number }[]> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*) as count from money_differences
    where resolved_at is null and acknowledged_at is null group by kind`.execute(db);
  return rows;
}

/** Returns the response deadline of the next undecided dispute; null when there is none. */
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

/** Lists the time of each payment provider's last event, without providers that never sent one. */
export async function lastEvents(db: Db): Promise<{ provider: PaymentProviderId; at: Date }[]> {
  const { rows } = await sql<{ provider: PaymentProviderId; at: Date | null }>`
    select id as provider, (select max(received_at) from provider_events where provider = id) as at
    from payment_providers`.execute(db);
  return rows.flatMap(({ provider, at }) => (at === null ? [] : [{ provider, at }]));
}

/** Half-open time range: `from` inclusive, `before` exclusive; null for no lower limit. */
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

/** Counts orders that were paid, and that were fulfilled, in a time range. */
export async function countOrdersIn(db: Db, span: OpenTimeRange): Promise<OrderCount[]> {
  const { rows } = await sql<OrderCount>`
    select family, country, 'paid' as state, count(*) as count from orders
    where paid_at is not null and ${within("paid_at", span)} group by family, country
    union all
    select family, country, 'fulfilled', count(*) from orders
    where fulfilled_at is not null and ${within("fulfilled_at", span)} group by family, country`.execute(db);
  return rows;
}

/** Counts payments that were decided in a time range. */
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

/** Counts refunds that were processed, or failed, in a time range. */
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
  /** lost: withdrawn by a bank after a dispute. */
  kind: "paid" | "refunded" | "lost";
  /** Currency that the provider reports; not always one of ours. */
  currency: string;
  amountMinor: number;
}

/** Sums money received, refunded or lost in a time range, in minor units. Includes money that fits no order. */
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

/** Counts mails that the recipient's server permanently refused in a time range, immediately or later. */
export async function countRefusedMailsIn(db: Db, span: OpenTimeRange): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from mails where refused_at is not null and not withheld and ${within("refused_at", span)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Seconds from payment to the end of fulfilment for orders fulfilled in a time range; null without any. */
export interface FulfilmentTimes {
  median: number | null;
  /** 95th percentile. */
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

/** Counts orders that were paid in a time range, are not fully refunded, and need attention now. */
export async function countStuckIn(db: Db, span: OpenTimeRange): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from orders
    where stage = 'stage3' and fulfilment_status = 'needs_attention' and payment_status not in ('refunded', 'lost')
      and ${within("paid_at", span)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Returns a day, month or year in a time zone, including its daylight saving changes.
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
