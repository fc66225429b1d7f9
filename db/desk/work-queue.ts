/**
 * The work queue as one list. Each source is a select of the same columns; its labels and instructions are in
 * server/desk/work-queue.ts.
 */
import { type RawBuilder, sql } from "kysely";
import { returnedMinorSql } from "#db/billing/received-payments.ts";
import type { OrderId, StaffId } from "#db/ids.ts";
import type { Cursor, PageOfRows } from "#db/keyset.ts";
import type { MailKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/**
 * key: the item's id within its kind. since: start of the wait. due: deadline. what: description, or a message as text. lasts:
 * whether it waits until staff dismiss it; anything newer than the dismissal waits again.
 */
const columns = sql`kind, key, order_id, since, due, amount_minor, currency, what, lasts`;

/** Mails without which a user who does not know the password cannot sign in. */
const passwordMails = [
  "set-password",
  "reset-password",
  "confirm-email",
] as const satisfies readonly MailKind[];

const sources = {
  "stopped-order": sql`
    select 'stopped-order', o.id::text, o.id, o.updated_at, null::timestamptz, o.total_minor, o.currency, f.last_error, false
    from orders o left join fulfilments f on f.order_id = o.id
    where o.fulfilment_status = 'needs_attention' and o.stage = 'stage3' and o.payment_status not in ('refunded', 'lost')`,
  "given-back": sql`
    select 'given-back', o.id::text, o.id, o.updated_at, null::timestamptz, o.total_minor, o.currency, f.last_error, false
    from orders o left join fulfilments f on f.order_id = o.id
    where o.fulfilment_status = 'needs_attention' and o.payment_status in ('refunded', 'lost') and exists (
      select from provider_requests r
      where r.order_id = o.id and (r.status = 'succeeded' or r.unanswered or r.doubtful))`,
  cancellation: sql`
    select 'cancellation', c.id::text, c.order_id, c.created_at, null::timestamptz, null::bigint, null, c.last_error, false
    from cancellations c
    where c.needs_person and c.state in ('requested', 'vendor_done')`,
  payment: sql`
    select 'payment', provider || ':' || provider_payment_id, order_id, created_at, null::timestamptz,
           amount_minor, currency, coalesce(problem, status), false
    from payments
    where status in ('surplus', 'mismatch') and amount_minor > ${returnedMinorSql}`,
  refund: sql`
    select 'refund', r.id::text, r.order_id, r.updated_at, null::timestamptz, r.amount_minor, r.currency, r.problem, true
    from refunds r
    where r.status = 'failed'`,
  dispute: sql`
    select 'dispute', d.provider || ':' || d.provider_dispute_id, d.order_id, d.created_at, d.respond_by,
           d.amount_minor, d.currency, d.reason, false
    from disputes d
    where d.status in ('open', 'review', 'action')`,
  // A waiting event is retried for a day; `waitsMs` in server/billing/payments/report-sweep.ts has the same limit.
  event: sql`
    select 'event', e.provider || ':' || e.event_id, null::uuid,
           case e.state when 'waiting' then e.received_at + interval '1 day' else e.received_at end,
           null::timestamptz, null::bigint, null,
           e.type || ': ' || case e.state when 'waiting'
             then 'no order has payment ' || coalesce(e.payment_id, '') || '.' else coalesce(e.problem, '') end, true
    from provider_events e
    where e.state = 'unreadable' or (e.state = 'waiting' and e.received_at < now() - interval '1 day')`,
  document: sql`
    select 'document', e.number, e.order_id, e.issued_at, null::timestamptz, null::bigint, null,
           concat_ws(': ', e.error_code, e.error_words), false
    from e_invoices e
    where e.state = 'failed'`,
  "vendor-pause": sql`
    select 'vendor-pause', v.account, null::uuid, v.since, null::timestamptz, null::bigint, null, v.reason, false
    from vendor_pauses v`,
  "password-mail": sql`
    select 'password-mail', s.mail_id::text, null::uuid, min(m.refused_at), null::timestamptz, null::bigint, null,
           s.email || ' requested an email to set a password, ' || count(*) || case count(*) when 1 then ' time' else ' times' end
             || '. Nothing is sent there: ' || s.reason, true
    from mail_suppressions s
    join mails m on lower(m.recipient) = s.email and m.withheld and m.kind in (${sql.join(passwordMails)})
    left join waiting_items d on d.kind = 'password-mail' and d.key = s.mail_id::text
    where m.refused_at > coalesce(d.done_at, '-infinity')
    group by s.mail_id, s.email, s.reason`,
  // what: the mail's kind, " to ", its address, and the server's reply.
  mail: sql`
    select 'mail', m.id::text, m.order_id, m.refused_at, null::timestamptz, null::bigint, null,
           concat_ws(': ', m.kind || ' to ' || m.recipient, m.last_error), true
    from mails m
    where m.refused_at is not null and not m.withheld`,
  difference: sql`
    select 'difference', d.key, d.order_id, d.first_seen_at, null::timestamptz, d.amount_minor, d.currency, d.what, false
    from money_differences d
    where d.resolved_at is null and d.acknowledged_at is null`,
} as const satisfies Record<string, RawBuilder<unknown>>;

/** Neither complete nor dismissed. */
const isOpen = sql`not (w.lasts and i.done_at is not null and i.done_at >= w.since)`;

export type WorkItemKind = keyof typeof sources;
export const workItemKinds = Object.keys(sources).filter((kind): kind is WorkItemKind => kind in sources);

export interface WorkItem {
  kind: WorkItemKind;
  key: string;
  since: Date;
  due: Date | null;
  amountMinor: number | null;
  currency: string | null;
  what: string | null;
  /** Whether it waits until staff dismiss it. */
  lasts: boolean;
  order: { id: OrderId; number: number; createdAt: Date } | null;
  company: string | null;
  taken: { id: StaffId; by: string; at: Date } | null;
}

/**
 * Lists items that nobody has dismissed, the longest waiting first.
 * @param asked.after the cursor's id is an item's kind and key
 * @param asked.limit rows of a page; one more is read
 * @param asked.orderId only those of an order, with its stop first; such a list has one page
 */
export async function listWorkItems(
  db: Db,
  {
    after,
    limit,
    kind,
    orderId = null,
  }: { after: Cursor | null; limit: number; kind: WorkItemKind | null; orderId?: OrderId | null },
): Promise<PageOfRows<WorkItem>> {
  const requested = workItemKinds
    .filter((each) => kind === null || each === kind)
    .map((each) => sources[each]);
  const beyond =
    after === null
      ? sql`true`
      : sql`(w.since, (w.kind || ' ' || w.key) collate "C")
          > (timestamptz 'epoch' + ${after.at}::double precision * interval '1 microsecond', ${after.id})`;
  const ofOrder = orderId === null ? sql`true` : sql`w.order_id = ${orderId}`;
  // The stop of an order is its most important item.
  const first = orderId === null ? sql`` : sql`w.kind <> 'stopped-order',`;
  const { rows } = await sql<{
    kind: WorkItemKind;
    key: string;
    since: Date;
    at: number;
    due: Date | null;
    amountMinor: number | null;
    currency: string | null;
    what: string | null;
    lasts: boolean;
    orderId: OrderId | null;
    number: number | null;
    createdAt: Date | null;
    company: string | null;
    staffId: StaffId | null;
    staff: string | null;
    takenAt: Date | null;
  }>`
    with w (${columns}) as (${sql.join(requested, sql` union all `)})
    select w.kind, w.key, w.since, (extract(epoch from w.since) * 1000000)::bigint as at, w.due,
           w.amount_minor as "amountMinor", w.currency, w.what, w.lasts,
           o.id as "orderId", o.number, o.created_at as "createdAt", c.name as company,
           s.id as "staffId", s.email as staff, i.taken_at as "takenAt"
    from w
    left join waiting_items i on i.kind = w.kind and i.key = w.key
    left join staff s on s.id = i.taken_by
    left join orders o on o.id = w.order_id
    left join customers c on c.id = o.customer_id
    where ${isOpen} and ${beyond} and ${ofOrder}
    order by ${first} w.since, (w.kind || ' ' || w.key) collate "C"
    limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    rows: page.map(({ orderId: ofItem, number, createdAt, staffId, staff, takenAt, at: _at, ...item }) => ({
      ...item,
      order:
        ofItem === null || number === null || createdAt === null ? null : { id: ofItem, number, createdAt },
      taken:
        staffId === null || staff === null || takenAt === null
          ? null
          : { id: staffId, by: staff, at: takenAt },
    })),
    next: last === undefined ? null : { at: last.at, id: `${last.kind} ${last.key}` },
  };
}

/** Counts waiting items by kind. */
export async function countWorkItems(db: Db): Promise<ReadonlyMap<WorkItemKind, number>> {
  const all = workItemKinds.map((each) => sources[each]);
  const { rows } = await sql<{ kind: WorkItemKind; count: number }>`
    with w (${columns}) as (${sql.join(all, sql` union all `)})
    select w.kind, count(*) as count
    from w
    left join waiting_items i on i.kind = w.kind and i.key = w.key
    where ${isOpen}
    group by w.kind`.execute(db);
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

/** Counts waiting items of all kinds, up to `most`, because every Desk page shows the number. */
export async function countWaiting(db: Db, most: number): Promise<number> {
  const all = workItemKinds.map((each) => sources[each]);
  const { rows } = await sql<{ count: number }>`
    with w (${columns}) as (${sql.join(all, sql` union all `)})
    select count(*) as count from (
      select from w left join waiting_items i on i.kind = w.kind and i.key = w.key
      where ${isOpen} limit ${most}
    ) waiting`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns an open item; null for one that is not waiting, or no longer. */
export async function isWorkItemOpen(
  db: Db,
  { kind, key }: { kind: WorkItemKind; key: string },
): Promise<{ lasts: boolean; what: string | null; orderId: OrderId | null } | null> {
  const { rows } = await sql<{ lasts: boolean; what: string | null; orderId: OrderId | null }>`
    with w (${columns}) as (${sources[kind]})
    select w.lasts, w.what, w.order_id as "orderId" from w
    left join waiting_items i on i.kind = w.kind and i.key = w.key
    where w.key = ${key} and ${isOpen}`.execute(db);
  return rows[0] ?? null;
}

/** @returns false when another member of staff has claimed it */
export async function claimWorkItem(
  trx: Trx,
  { kind, key }: { kind: WorkItemKind; key: string },
  by: StaffId,
  at: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("waiting_items")
    .values({ kind, key, taken_by: by, taken_at: at, done_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "key"])
        .doUpdateSet({ taken_by: by, taken_at: at })
        .where((eb) =>
          eb.or([eb("waiting_items.taken_by", "is", null), eb("waiting_items.taken_by", "=", by)]),
        ),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** @param by the member of staff who must have claimed it; null for anyone @returns false when someone else has */
export async function releaseWorkItem(
  trx: Trx,
  { kind, key }: { kind: WorkItemKind; key: string },
  by: StaffId | null,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("waiting_items")
    .set({ taken_by: null, taken_at: null })
    .where("kind", "=", kind)
    .where("key", "=", key)
    .where("taken_by", "is not", null)
    .$if(by !== null, (query) => query.where("taken_by", "=", by))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function dismissWorkItem(
  trx: Trx,
  { kind, key }: { kind: WorkItemKind; key: string },
): Promise<void> {
  // The clock that also sets `since`.
  const done_at = sql<Date>`now()`;
  await trx
    .insertInto("waiting_items")
    .values({ kind, key, taken_by: null, taken_at: null, done_at })
    .onConflict((conflict) => conflict.columns(["kind", "key"]).doUpdateSet({ done_at }))
    .execute();
}
