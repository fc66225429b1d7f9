/** The orders of a filled store in every state, their fulfilment, and their subscriptions. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";
import { companyCount } from "./companies.ts";
import { draw, idOf, oneOf } from "./deterministic-random.ts";

/** Age of the oldest orders. */
const days = 1_095;
/** Share of the newest orders, which include carts: older ones were bought or deleted. */
const withCarts = 0.08;

/** @param db the connection of `fillCompanies`. Leaves the temporary table `filled_orders`. */
export async function fillOrders(
  db: Db,
  input: { orders: number; largest: number; now: Date },
): Promise<void> {
  const { now } = input;
  await planOrders(db, input);
  await insertOrders(db, sql`base is null`);
  await insertSubscriptions(db, sql`o.kind in ('NEW', 'TUP')`, now);
  await insertOrders(db, sql`base is not null`);
  await insertSubscriptions(db, sql`o.kind = 'ADDON'`, now);
  await insertRenewalChoices(db, now);
  await sql`select setval(pg_get_serial_sequence('orders', 'number'), (select max(number) from orders))`.execute(
    db,
  );
  // Reminders of ends until yesterday are already sent.
  await sql`
    update subscriptions set reminded_end = end_date,
      reminded_days = (
        select min(days) from unnest(array[60, 30, 14, 7, 1]) days
        where end_date <= ${now}::timestamptz + (days - 1) * interval '1 day'
      )
    where status = 'active' and end_date > ${now} and end_date <= ${now}::timestamptz + interval '59 days'`.execute(
    db,
  );
  await insertFulfilments(db, now);
}

async function planOrders(
  db: Db,
  { orders, largest, now }: { orders: number; largest: number; now: Date },
): Promise<void> {
  const all = orders + largest;
  const companies = companyCount(orders);
  const company =
    largest === 0
      ? // One company in a hundred has a tenth of all orders.
        sql`1 + floor(${companies} * power(${draw("g.n", 24)}, 2))::bigint`
      : sql`case when ${draw("g.n", 32)} < ${largest / all}::float8 then 1
          else 2 + floor(${companies - 1} * ${draw("g.n", 24)})::bigint end`;
  // One price per plan: the current one for a year, paid at once.
  await sql`
    create temporary table filled_items as
    select i.family, i.id as item_id, i.name, i.sku, p.currency, p.amount_minor as unit,
           row_number() over (partition by i.family, p.currency order by i.position, i.id) as place,
           count(*) over (partition by i.family, p.currency) as places
    from catalogue_items i
    join lateral (
      select distinct on (currency) currency, amount_minor from dated_prices
      where item_id = i.id and kind = 'regular' and term = 'P1Y' and billing_cycle = 'annual' and valid_from <= ${now}
      order by currency, valid_from desc
    ) p on true
    where i.active and i.section <> 'addon'`.execute(db);
  await sql`
    create temporary table filled_orders as
    select d.*, d.n + (select coalesce(max(number), 0) from orders) as number, ${idOf("order", "d.n")} as id, ${idOf("subscription", "d.n")} as subscription,
           d.created_at + ${draw("d.n", 21)} * interval '2 hours' as paid_at, null::timestamptz as fulfilled_at,
           null::text as stage, null::text as payment_status, null::text as fulfilment_status, null::bigint as base,
           round(d.unit * d.seats * case d.kind when 'ADD' then 0.5 else 1 end)::bigint as subtotal,
           null::bigint as tax, null::bigint as rounding, null::bigint as total
    from (
      select p.n, p.age, p.created_at, p.kind, p.is_paid, c.n as company, c.id as customer_id, c.owner_id, c.country,
             case c.country when 'IN' then 'INR' else 'USD' end as currency, f.family, t.id as tenant_id, t.external_id as tenant,
             coalesce(t.domain, c.domain) as domain, i.item_id, i.name, i.sku, i.unit,
             1 + floor(40 * power(${draw("p.n", 22)}, 3))::int as seats
      from (
        select g.n, g.age, ${now}::timestamptz - g.age * interval '${sql.raw(String(days))} days' as created_at,
               g.age >= ${withCarts} or ${draw("g.n", 23)} < 0.6 as is_paid,
               ${company} as company,
               (array['NEW', 'NEW', 'NEW', 'NEW', 'NEW', 'NEW', 'TUP', 'TUP', 'TUP', 'ADDON', 'ADD', 'ADD', 'ADD', 'RENEW',
                 'RENEW', 'RENEW', 'RENEW', 'RENEW', 'RENEW', 'RENEW'])[1 + floor(20 * ${draw("g.n", 25)})::int] as kind,
               (array['microsoft', 'microsoft', 'microsoft', 'microsoft', 'microsoft', 'microsoft', 'google', 'google', 'google',
                 'brio'])[1 + floor(10 * ${draw("g.n", 26)})::int] as family
        from (select n, (${all} - n)::float8 / ${all} as age from generate_series(1::bigint, ${all}) n) g
      ) p
      join filled_companies c on c.n = p.company
      cross join lateral (
        select case when p.family = 'google' and not exists (
          select from filled_tenants where n = c.n and family = 'google') then 'microsoft' else p.family end as family
      ) f
      left join filled_tenants t on t.n = c.n and t.family = f.family
      join filled_items i on i.family = f.family and i.currency = case c.country when 'IN' then 'INR' else 'USD' end
        and i.place = 1 + p.n % i.places
    ) d`.execute(db);
  await sql`create unique index on filled_orders (n)`.execute(db);
  await sql`
    update filled_orders o set
      tax = case currency when 'INR' then round(subtotal * 0.18) else 0 end,
      stage = case when not is_paid then (array['none', 'stage1', 'stage2', 'stage2'])[1 + (n % 4)]
        when age < 0.0005 or (age < 0.1 and ${draw("n", 27)} < 0.01) then 'stage3' else 'stage4' end,
      fulfilment_status = case when not is_paid then 'not_due'
        when age < 0.0005 then (array['queued', 'running', 'waiting_for_signin'])[1 + (n % 3)]
        when age < 0.1 and ${draw("n", 27)} < 0.01 then 'needs_attention' else 'done' end,
      payment_status = case when not is_paid then (array['none', 'none', 'pending', 'failed'])[1 + (n % 4)]
        when ${draw("n", 28)} < 0.01 then 'refunded' when ${draw("n", 28)} < 0.04 then 'partly_refunded'
        when ${draw("n", 28)} < 0.041 then 'disputed' when ${draw("n", 28)} < 0.0415 then 'lost' else 'completed' end`.execute(
    db,
  );
  await sql`
    update filled_orders set
      rounding = case currency when 'INR' then round((subtotal + tax) / 100.0) * 100 - subtotal - tax else 0 end,
      paid_at = case when is_paid then paid_at end,
      fulfilled_at = case when fulfilment_status = 'done'
        then paid_at + (20 + 600 * power(${draw("n", 29)}, 6)) * interval '1 second' end,
      kind = case when is_paid then kind else 'NEW' end`.execute(db);
  await sql`update filled_orders set total = subtotal + tax + rounding`.execute(db);
  // Changes and renewals refer to a subscription of the same company and vendor.
  await sql`
    create temporary table filled_bases as
    select n, company, family, row_number() over (partition by company, family order by n) as place,
           count(*) over (partition by company, family) as places
    from filled_orders where kind in ('NEW', 'TUP') and fulfilment_status = 'done'`.execute(db);
  await sql`create unique index on filled_bases (company, family, place)`.execute(db);
  await sql`analyze filled_bases`.execute(db);
  await sql`
    update filled_orders o set base = b.n from filled_bases b
    where o.kind in ('ADDON', 'ADD', 'RENEW') and b.company = o.company and b.family = o.family and b.place = 1 + o.n % b.places`.execute(
    db,
  );
  await sql`update filled_orders set kind = 'TUP' where kind in ('ADDON', 'ADD', 'RENEW') and base is null`.execute(
    db,
  );
  await sql`analyze filled_orders`.execute(db);
}

async function insertOrders(db: Db, which: ReturnType<typeof sql>): Promise<void> {
  const isVisitors = sql`(not is_paid and o.n % 2 = 0)`;
  await sql`
    insert into orders (id, number, kind, family, item_id, country, currency, stage, payment_status, fulfilment_status, user_id,
      customer_id, tenant_id, subscription_id, parent_subscription_id, draft_key, language, details, account, signin,
      tax_rate_basis_points, subtotal_minor, tax_minor, rounding_minor, total_minor, priced_at, terms_accepted_at, paid_at,
      fulfilled_at, created_at, updated_at)
    select o.id, o.number, o.kind, o.family, o.item_id, o.country,
      o.currency, o.stage, o.payment_status, o.fulfilment_status,
      case when not ${isVisitors} then o.owner_id end, case when not ${isVisitors} then o.customer_id end,
      case when o.is_paid then o.tenant_id end,
      case when o.kind in ('ADD', 'RENEW') then ${idOf("subscription", "o.base")} end,
      case when o.kind = 'ADDON' then ${idOf("subscription", "o.base")} end,
      case when ${isVisitors} then encode(sha256(convert_to(o.n::text, 'UTF8')), 'hex') end, 'en', '{}',
      case when o.stage not in ('none', 'stage1') and o.kind = 'NEW' then jsonb_build_object(
        'companyName', c.name, 'email', c.email, 'firstName', c.first_name, 'lastName', c.last_name, 'phoneCode', '+91',
        'phoneNumber', '9876543210', 'addressLine1', c.n || ' Market Road', 'addressLine2', 'Second floor', 'city', c.city,
        'state', c.state, 'pincode', c.pincode, 'country', c.country, 'organisationRegistrationNumber', coalesce(c.gstin, ''),
        'gst_code', c.gstin) end,
      case when o.is_paid and o.kind = 'NEW' and o.family = 'microsoft'
        then jsonb_build_object('mode', 'new', 'username', 'admin', 'prefix', c.slug) end,
      case o.currency when 'INR' then 1800 else 0 end, o.subtotal, o.tax, o.rounding, o.total, o.created_at, o.paid_at, o.paid_at,
      o.fulfilled_at, o.created_at, coalesce(o.fulfilled_at, o.paid_at + interval '1 hour', o.created_at + interval '10 minutes')
    from filled_orders o join filled_companies c on c.n = o.company where ${which} order by o.n`.execute(db);
  await sql`
    insert into order_lines (order_id, position, item_id, name, sku, term, billing_cycle, quantity, unit_price_minor, subtotal_minor)
    select id, 0, item_id, name, sku, 'P1Y', 'annual', seats, unit, subtotal from filled_orders where ${which} order by n`.execute(
    db,
  );
}

/** Inserts subscriptions, most of them active: the current term is the one that began last. */
async function insertSubscriptions(db: Db, which: ReturnType<typeof sql>, now: Date): Promise<void> {
  await sql`
    insert into subscriptions (id, customer_id, tenant_id, order_id, item_id, family, external_id, domain, quantity, term,
      billing_cycle, status, parent_subscription_id, start_date, end_date, created_at, read_at)
    select s.subscription, s.customer_id, s.tenant_id, s.id, s.item_id, s.family,
           case s.family when 'google' then s.tenant || '/entitlements/S' || s.n when 'microsoft' then ${idOf("purchase", "s.n")}::text
             else 'brio-' || s.n end,
           s.domain, s.seats, 'P1Y', 'annual', s.status, case when s.kind = 'ADDON' then ${idOf("subscription", "s.base")} end,
           s.fulfilled_at + s.years * interval '1 year', s.fulfilled_at + (s.years + 1) * interval '1 year', s.fulfilled_at,
           ${now}::timestamptz - interval '1 day'
    from (
      select o.*, case when ${draw("o.n", 30)} < 0.05 then 'cancelled'
                    when o.fulfilled_at < ${now}::timestamptz - interval '1 year' and ${draw("o.n", 30)} < 0.25 then 'expired'
                    else 'active' end as status,
             case when ${draw("o.n", 30)} < 0.25 then 0
               else floor(extract(epoch from ${now}::timestamptz - o.fulfilled_at) / 31557600)::int end as years
      from filled_orders o where o.fulfilled_at is not null and ${which}
    ) s`.execute(db);
}

/** Inserts choices that some companies made about subscriptions that end soon, and the events of their calendar feeds. */
async function insertRenewalChoices(db: Db, now: Date): Promise<void> {
  // Otherwise PostgreSQL assumes that the table is empty, and scans all companies for each of its rows.
  await sql`analyze subscriptions`.execute(db);
  await sql`
    insert into renewal_choices (subscription_id, term_end, decision, chosen_at, chosen_by, by_link)
    select s.id, s.end_date, case when c.n % 2 = 0 then 'keep' else 'stop' end, ${now}::timestamptz - interval '1 day', c.owner_id, true
    from subscriptions s join filled_companies c on c.id = s.customer_id
    where s.status = 'active' and s.end_date between ${now}::timestamptz and ${now}::timestamptz + interval '60 days' and c.n % 5 = 0
      and s.parent_subscription_id is null`.execute(db);
  await sql`
    insert into renewal_feed_events (subscription_id, content, sequence, changed_at)
    select s.id, encode(sha256(convert_to(s.id::text, 'UTF8')), 'hex'), 0, ${now}::timestamptz - interval '1 day'
    from subscriptions s join filled_companies c on c.id = s.customer_id
    where c.n % 10 = 0 and s.end_date > ${now}::timestamptz`.execute(db);
}

async function insertFulfilments(db: Db, now: Date): Promise<void> {
  await sql`
    insert into fulfilments (order_id, status, attempts, last_error, met, created_at, updated_at)
    select id, case fulfilment_status when 'waiting_for_signin' then 'queued' else fulfilment_status end,
           case fulfilment_status when 'needs_attention' then 7 else 0 end,
           case fulfilment_status when 'needs_attention' then ${oneOf("n", 31, [
             "The vendor refused the address: 2002",
             "The domain is taken",
             "The vendor does not answer",
           ])} end, '{}', paid_at, coalesce(fulfilled_at, paid_at + interval '1 hour')
    from filled_orders where is_paid`.execute(db);
  await sql`
    insert into provider_requests (order_id, step, request_id, status, unanswered, doubtful, result, created_at, finished_at)
    select o.id, s.step, ${idOf("request", "o.n || s.step")}, case when o.fulfilled_at is null then 'sent' else 'succeeded' end,
           false, false, case when o.fulfilled_at is not null then '{}'::jsonb end, o.paid_at, o.fulfilled_at
    from filled_orders o
    join (values ('customer', 'NEW'), ('order', 'NEW'), ('order', 'TUP'), ('order', 'ADDON'), ('order', 'ADD'), ('order', 'RENEW'))
      s (step, kind) on s.kind = o.kind
    where o.is_paid and o.fulfilment_status <> 'waiting_for_signin'`.execute(db);
  await sql`
    insert into invitations (id, order_id, username, domain, tenant_external_id, status, created_at, expires_at, accepted_at)
    select ${idOf("invitation", "n")}, id, 'admin', domain, tenant, 'accepted', paid_at, paid_at + interval '30 days', paid_at
    from filled_orders where is_paid and kind = 'TUP' and family = 'microsoft'`.execute(db);
  await sql`
    insert into agreement_acceptances (id, order_id, agreement, version, accepted_at, user_id, first_name, last_name, email, phone_number)
    select ${idOf("acceptance", "o.n")}, o.id, 'Microsoft Customer Agreement', '1', o.paid_at, o.owner_id, c.first_name, c.last_name,
           c.email, '9876543210'
    from filled_orders o join filled_companies c on c.n = o.company
    where o.is_paid and o.kind = 'NEW' and o.family = 'microsoft'`.execute(db);
  await sql`
    insert into vendor_pauses (account, family, country, reason, since)
    values ('google:IN', 'google', 'IN', 'The vendor takes no orders: the credit is used up.', ${now}::timestamptz - interval '2 hours')
    on conflict do nothing`.execute(db);
  // The clean-up job keeps those of some months.
  await sql`
    insert into provider_calls (order_id, at, provider, method, path, request_id, status, ms, attempt, answer)
    select r.order_id, r.created_at + each * interval '2 seconds', 'partner-center', case each when 1 then 'POST' else 'GET' end,
           '/v1/customers/orders', r.request_id::text, case each when 1 then 201 else 200 end, 300, 1, 'id: accepted'
    from provider_requests r, generate_series(1, 2) each
    where r.created_at > ${now}::timestamptz - interval '180 days' order by r.created_at`.execute(db);
  await sql`
    insert into vendor_readings (subscription_id, is_there, state, quantity, term_start, term_end, at_end, read_at)
    select id, true, 'active', quantity, start_date, end_date, 'renews', ${now}::timestamptz - interval '1 day'
    from subscriptions where status = 'active' and family <> 'brio'`.execute(db);
}
