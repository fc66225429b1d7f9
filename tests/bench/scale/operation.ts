/** Data from operating a filled store: mails, the audit log, jobs, staff, price lists, and expired rows. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";
import type { JobName } from "#server/foundation/outbox/jobs.ts";
import { draw, idOf, oneOf } from "./deterministic-random.ts";

const staffCount = 12;
/** The staff account that imports its price lists. */
const importer = "desk1@staff.example";
const jobNames: readonly JobName[] = [
  "send-mail",
  "send-mail",
  "fulfil-order",
  "refresh-subscription",
  "handle-provider-event",
  "register-document",
  "check-invitation",
];

/** @param db the connection of `fillMoney` */
export async function fillOperation(db: Db, { orders, now }: { orders: number; now: Date }): Promise<void> {
  await fillStaff(db, now);
  await fillMails(db, now);
  await fillAudit(db);
  await fillJobs(db, orders);
  await fillPriceLists(db, now);
  await fillRest(db, now);
}

async function fillStaff(db: Db, now: Date): Promise<void> {
  await sql`
    insert into staff (id, email, role, created_at, removed_at)
    select ${idOf("staff", "n")}, 'desk' || n || '@staff.example', (array['support', 'finance', 'admin', 'viewer'])[1 + n % 4],
           ${now}::timestamptz - interval '900 days', case when n > 9 then ${now}::timestamptz - interval '100 days' end
    from generate_series(1, ${staffCount}) n`.execute(db);
  await sql`
    insert into staff_sessions (id, staff_id, token_hash, client, created_at, last_seen_at, expires_at, verified_at, ended_at)
    select ${idOf("staff session", "n")}, ${idOf("staff", "1 + n % 9")}, encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), 'Firefox',
           at, at + interval '1 hour', at + interval '12 hours', at, case when n % 3 = 0 then at + interval '1 hour' end
    from (select n, ${now}::timestamptz - n * interval '4 hours' as at from generate_series(1, 2000) n) s`.execute(
    db,
  );
}

async function fillMails(db: Db, now: Date): Promise<void> {
  await sql`
    create temporary table filled_mails as
    select row_number() over (order by m.at, o.n, m.kind) as n, m.kind, m.kind || ':' || o.id as key, c.email, o.owner_id, o.id as order_id,
           m.at
    from filled_orders o
    join filled_companies c on c.n = o.company
    cross join lateral (
      values ('order-confirmation', o.fulfilled_at), ('invoice-ready', o.paid_at), ('set-password', case when o.kind = 'NEW' then o.paid_at end),
        ('renewal-reminder', case when o.kind = 'RENEW' then o.created_at - interval '7 days' end),
        ('resume-order', case when o.stage = 'stage2' then o.created_at + interval '2 hours' end),
        ('refund', case when o.payment_status in ('refunded', 'partly_refunded') then o.fulfilled_at + interval '5 days' end),
        ('operator-alert', case when o.fulfilment_status = 'needs_attention' then o.paid_at end)
    ) m (kind, at)
    where m.at is not null and m.at < ${now}`.execute(db);
  const isRefused = sql`(${draw("n", 50)} < 0.002)`;
  await sql`
    insert into mails (id, kind, dedupe_key, recipient, user_id, order_id, data, created_at, sent_at, refused_at, last_error)
    select ${idOf("mail", "n")}, kind, key, case kind when 'operator-alert' then 'operator' else email end, owner_id, order_id, '{}', at,
           case when not ${isRefused} and at < ${now}::timestamptz - interval '10 minutes' then at + interval '3 seconds' end,
           case when ${isRefused} then at + interval '5 seconds' end, case when ${isRefused} then '550 5.1.1' end
    from filled_mails order by n`.execute(db);
  await sql`
    insert into mail_suppressions (email, reason, mail_id, since)
    select distinct on (recipient) lower(recipient), last_error, id, refused_at from mails
    where refused_at is not null and recipient <> 'operator' order by recipient, refused_at`.execute(db);
  // Old ones are dismissed; some of the new ones are claimed.
  await sql`
    insert into waiting_items (kind, key, taken_by, taken_at, done_at)
    select 'mail', id::text, ${idOf("staff", "1")}, refused_at, case when refused_at < ${now}::timestamptz - interval '20 days'
      then refused_at + interval '1 day' end
    from mails where refused_at is not null
      and (refused_at < ${now}::timestamptz - interval '20 days' or ${draw("extract(epoch from refused_at)::bigint", 51)} < 0.3)
    union all
    select 'refund', id::text, ${idOf("staff", "2")}, updated_at, updated_at + interval '1 day'
    from refunds where status = 'failed' and updated_at < ${now}::timestamptz - interval '20 days'
    union all
    select 'stopped-order', id::text, ${idOf("staff", "3")}, updated_at, null from orders
    where fulfilment_status = 'needs_attention' and ${draw("number", 52)} < 0.3
    on conflict do nothing`.execute(db);
}

/** Inserts about one audit entry per order: a third by staff, the rest by users, commands and the store itself. */
async function fillAudit(db: Db): Promise<void> {
  await sql`
    insert into audit_log (at, user_id, staff_id, action, subject, data)
    select at, case when who = 1 then owner_id end, case when who = 0 then ${idOf("staff", "1 + n % 12")} end,
           case who
             when 0 then ${oneOf("n", 53, ["order.note", "order.note", "order.retry", "order.refund", "order.resend-mail", "document.retry"])}
             when 1 then ${oneOf("n", 54, ["user.create", "member.set", "control.prove", "password.set"])}
             else ${oneOf("n", 55, ["subscription.follow", "subscription.take-in", "order.certificate"])} end,
           'order:' || id, jsonb_build_object('reason', 'Asked for by telephone, case ' || n, 'by', 'operator', 'amount', total)
    from (
      select n, id, owner_id, total, n % 3 as who, coalesce(paid_at, created_at) + interval '1 day' as at from filled_orders
      order by n
    ) a order by at`.execute(db);
}

/** Inserts waiting and permanently failed jobs: the queue does not keep completed ones. */
async function fillJobs(db: Db, orders: number): Promise<void> {
  const count = Math.max(20, Math.round(orders / 100));
  await sql`
    select graphile_worker.add_job(name, payload => jsonb_build_object('orderId', ${idOf("order", "n")})::json,
      run_at => now() + (n % 200 - 20) * interval '1 minute', max_attempts => 25)
    from (select n, ${oneOf("n", 56, jobNames)} as name from generate_series(1::bigint, ${count}) n) j`.execute(
    db,
  );
  await sql`
    select graphile_worker.permanently_fail_jobs(array(select id from graphile_worker.jobs where id % 20 = 0), 'The vendor does not answer')`.execute(
    db,
  );
}

/** Inserts a list per month, with the current prices, so that the store sells as before. */
async function fillPriceLists(db: Db, now: Date): Promise<void> {
  await sql`
    create temporary table filled_prices as
    select distinct on (item_id, currency, kind, term, billing_cycle) item_id, currency, kind, term, billing_cycle, amount_minor,
           list_minor, row_number() over (order by item_id, currency, kind, term, billing_cycle) as line
    from dated_prices where valid_from <= ${now} order by item_id, currency, kind, term, billing_cycle, valid_from desc`.execute(
    db,
  );
  await sql`
    insert into price_lists (source, digest, from_day, imported_by, imported_at, state, state_by, state_at)
    select 'prices-' || n || '.csv', encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), to_char(at, 'YYYY-MM-DD'),
           ${importer}, at - interval '5 days', case when n % 7 = 0 then 'discarded' when n = 36 then 'waiting' else 'applied' end,
           ${importer}, at - interval '4 days'
    from (select n, date_trunc('month', ${now}::timestamptz) - (36 - n) * interval '1 month' as at from generate_series(1, 36) n) l`.execute(
    db,
  );
  await sql`
    insert into price_list_rows (list_id, line, item, item_id, currency, kind, term, billing_cycle, amount_minor, list_minor)
    select l.id, p.line, p.item_id, p.item_id, p.currency, p.kind, p.term, p.billing_cycle, greatest(1, p.amount_minor), p.list_minor
    from price_lists l cross join filled_prices p
    where l.imported_by = ${importer} and (p.list_minor is null or p.list_minor > 0)`.execute(db);
  await sql`
    insert into dated_prices (item_id, currency, kind, term, billing_cycle, valid_from, amount_minor, list_minor, list_id, set_at)
    select p.item_id, p.currency, p.kind, p.term, p.billing_cycle, l.from_day::date::timestamptz, p.amount_minor, p.list_minor, l.id,
           l.imported_at
    from price_lists l cross join filled_prices p
    where l.imported_by = ${importer} and l.state = 'applied' and l.from_day::date::timestamptz <= ${now}
    on conflict do nothing`.execute(db);
}

/** Inserts data that is kept only briefly, or that few users have. */
async function fillRest(db: Db, now: Date): Promise<void> {
  await sql`
    insert into one_time_tokens (hash, purpose, user_id, order_id, created_at, expires_at, used_at)
    select encode(sha256(convert_to('token ' || n, 'UTF8')), 'hex'), 'resume-order', owner_id, id, created_at,
           created_at + interval '14 days', case when n % 2 = 0 then created_at + interval '1 day' end
    from filled_orders where stage = 'stage2' and created_at > ${now}::timestamptz - interval '44 days'`.execute(
    db,
  );
  await sql`
    insert into identities (provider, issuer, subject, email, user_id, proof, created_at)
    select case when n % 20 = 0 then 'google' else 'outlook' end, 'https://login.example/', 'subject-' || n, null, owner_id, 'email', created_at from filled_companies where n % 10 = 0`.execute(
    db,
  );
  await sql`
    insert into credentials (order_id, purpose, username, secret_ciphertext, created_at, first_shown_at, expires_at)
    select id, 'sign-in', 'admin@' || domain, 'none', paid_at, paid_at, ${now}::timestamptz + interval '5 days'
    from filled_orders where kind = 'NEW' and family = 'microsoft' and paid_at > ${now}::timestamptz - interval '20 days'`.execute(
    db,
  );
  await sql`
    insert into store_views (id, staff_session_id, customer_id, user_id, token_hash, created_at, expires_at, ended_at)
    select ${idOf("look", "c.n")}, ${idOf("staff session", "1 + c.n % 2000")}, c.id, c.owner_id,
           encode(sha256(convert_to('look ' || c.n, 'UTF8')), 'hex'), ${now}::timestamptz - interval '9 days',
           ${now}::timestamptz - interval '9 days' + interval '1 hour', ${now}::timestamptz - interval '9 days' + interval '5 minutes'
    from filled_companies c where c.n % 50 = 0`.execute(db);
  await sql`
    insert into webhook_pulses (source, kind, last_at)
    select provider, type, max(received_at) from provider_events group by provider, type on conflict do nothing`.execute(
    db,
  );
  await sql`
    insert into provider_limits (provider, day, count, last_at)
    select 'partner-center', ${now}::date - n, n % 7 + 1, ${now}::timestamptz - n * interval '1 day'
    from generate_series(1, 60) n on conflict do nothing`.execute(db);
}
