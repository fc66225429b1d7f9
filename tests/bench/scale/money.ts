/** The money of a filled store: payments, documents, refunds, disputes, payouts, vendors' bills, and differences. */
import { type RawBuilder, sql } from "kysely";
import type { Db } from "#db/tables/index.ts";
import { draw, idOf, oneOf } from "./deterministic-random.ts";

const isoOf = (column: string) =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** SQL for the year of a series, like `seriesOf` in server/billing/documents/number.ts. @param c the letter before the year */
const seriesAt = (column: string, country: string, c: string) =>
  sql.raw(`case ${country} when 'IN' then 'IN/${c}'
    || to_char((${column} at time zone 'Asia/Kolkata') - interval '3 months', 'YY') || '-'
    || to_char((${column} at time zone 'Asia/Kolkata') + interval '9 months', 'YY')
    else 'US/${c}' || to_char(${column} at time zone 'America/New_York', 'YYYY') end`);

/** @param db the connection of `fillOrders`, to a store whose demo data has issued invoices: their facts are the pattern */
export async function fillMoney(db: Db, { now }: { now: Date }): Promise<void> {
  await fillPayments(db, now);
  await fillInvoices(db);
  await fillRefunds(db);
  await fillRegistrations(db, now);
  await fillProformas(db, now);
  await fillPayouts(db);
  await fillVendorBills(db);
  await fillDifferences(db, now);
}

async function fillPayments(db: Db, now: Date): Promise<void> {
  await sql`
    create temporary table filled_payments as
    select n, id as order_id, ${idOf("payment", "n")} as id, 'pay_' || lpad(n::text, 14, '0') as payment,
           'order_' || lpad(n::text, 14, '0') as provider_order, country, total, currency, paid_at, fulfilled_at, payment_status,
           case when ${draw("n", 40)} < 0.03 then 'bank-transfer' when ${draw("n", 40)} < 0.08 then 'payment-link'
             else 'razorpay' end as provider
    from filled_orders where is_paid`.execute(db);
  await sql`create unique index on filled_payments (n)`.execute(db);
  await sql`
    insert into payment_intents (id, order_id, receipt, provider, account, provider_order_id, amount_minor, currency, status,
      next_look_at, created_at)
    select ${idOf("intent", "n")}, order_id, 'receipt-' || n, provider, country, provider_order, total, currency, 'paid', null,
           paid_at
    from filled_payments
    union all
    select ${idOf("intent", "n")}, id, 'receipt-' || n, 'razorpay', country, 'order_' || lpad(n::text, 14, '0'), total,
           currency, 'open', case when age < 0.002 then ${now}::timestamptz + interval '10 minutes' end, created_at
    from filled_orders where stage = 'stage2'`.execute(db);
  await sql`
    insert into payment_links (intent_id, url, expires_at)
    select ${idOf("intent", "n")}, 'https://rzp.example/' || n, paid_at + interval '7 days'
    from filled_payments where provider = 'payment-link'`.execute(db);
  await sql`
    insert into payments (id, order_id, provider, account, provider_payment_id, provider_order_id, amount_minor, currency, method,
      status, problem, created_at, settled_at)
    select id, order_id, provider, country, payment, provider_order, total, currency,
           ${oneOf("n", 41, ["card", "upi", "upi", "netbanking", "emi"])}, 'captured', null, paid_at, paid_at
    from filled_payments
    union all
    select ${idOf("failed payment", "n")}, order_id, provider, country, payment || 'x', provider_order, total, currency, 'card',
           'failed', 'The bank declined the card.', paid_at - interval '5 minutes', paid_at - interval '5 minutes'
    from filled_payments where ${draw("n", 42)} < 0.04
    union all
    select ${idOf("surplus", "n")}, order_id, provider, country, payment || 's', provider_order, total, currency, 'upi',
           case when n % 3 = 0 then 'mismatch' else 'surplus' end, 'Paid a second time.', paid_at, paid_at
    from filled_payments where ${draw("n", 42)} > 0.9995`.execute(db);
  // The clean-up job keeps the events of three months.
  await sql`
    insert into provider_events (provider, account, event_id, type, payload, received_at, processed_at)
    select provider, country, 'event_' || n || '_' || each, (array['payment.captured', 'order.paid'])[each],
           jsonb_build_object('event', 'payment.captured', 'payload', jsonb_build_object('payment', payment)), paid_at, paid_at
    from filled_payments, generate_series(1, 2) each where paid_at > ${now}::timestamptz - interval '90 days'`.execute(
    db,
  );
}

/** Inserts invoices, with the facts of one that the store has issued, and the order's own figures and recipient. */
async function fillInvoices(db: Db): Promise<void> {
  await numberSeries(
    db,
    "filled_invoices",
    "",
    sql`
    select n, id as order_id, country, currency, paid_at as issued_at, subtotal, tax, rounding, total, total as of_total, company,
           seats, unit, number
    from filled_orders where is_paid`,
  );
  await sql`
    insert into invoices (number, order_id, series, serial, issued_at, language, facts)
    select i.document, i.order_id, i.series, i.serial, i.issued_at, 'en', ${factsOf("i")}
    from filled_invoices i join filled_companies c on c.n = i.company
    cross join (select facts from invoices where series like 'IN/%' and facts ? 'parties' order by number limit 1) pattern
    order by i.issued_at`.execute(db);
}

/** Numbers a query's documents in their series, as the store's counters would, and advances the counters. */
async function numberSeries(
  db: Db,
  table: string,
  letter: string,
  documents: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    create temporary table ${sql.table(table)} as
    select s.*, s.series || '/' || lpad(s.serial::text, 6, '0') as document
    from (
      select d.*, coalesce(e.last_serial, 0) + row_number() over (partition by d.series order by d.issued_at, d.n) as serial
      from (select q.*, ${seriesAt("q.issued_at", "q.country", letter)} as series from (${documents}) q) d
      left join invoice_series e on e.series = d.series
    ) s`.execute(db);
  await sql`create unique index on ${sql.table(table)} (n)`.execute(db);
  await sql`analyze ${sql.table(table)}`.execute(db);
  await sql`
    insert into invoice_series (series, last_serial, last_issued_at)
    select series, max(serial), max(issued_at) from ${sql.table(table)} group by series
    on conflict (series) do update set last_serial = excluded.last_serial,
      last_issued_at = greatest(invoice_series.last_issued_at, excluded.last_issued_at)`.execute(db);
}

/** SQL for a document's facts, from `pattern.facts`, its row and the company `c`. */
function factsOf(row: string): RawBuilder<unknown> {
  const of = (column: string) => sql.raw(`${row}.${column}`);
  const isIndian = sql`${of("country")} = 'IN'`;
  return sql`
    (case when ${isIndian} then pattern.facts else pattern.facts - 'supply' - 'parties' end)
    || jsonb_build_object('country', ${of("country")}, 'currency', ${of("currency")},
      'recipient', jsonb_build_object('name', c.name, 'gstin', c.gstin,
        'addressLines', jsonb_build_array(c.n || ' Market Road', 'Second floor', c.city || ', ' || c.state || ' ' || c.pincode)),
      'placeOfSupply', case when ${isIndian} then jsonb_build_object('code', c.code, 'name', c.state) end,
      'lines', jsonb_build_array((pattern.facts -> 'lines' -> 0) || jsonb_build_object('quantity', ${of("seats")},
        'unitPriceMinor', ${of("unit")}, 'amountMinor', ${of("subtotal")})),
      'subtotalMinor', ${of("subtotal")},
      'taxes', case when ${isIndian}
        then jsonb_build_array(jsonb_build_object('name', 'IGST', 'rateBasisPoints', 1800, 'amountMinor', ${of("tax")}))
        else '[]'::jsonb end,
      'roundingMinor', ${of("rounding")}, 'totalMinor', ${of("total")}, 'paidAt', ${isoOf(`${row}.issued_at`)},
      'orderNumber', 'HUB-' || to_char(${of("issued_at")}, 'YY') || '-' || lpad(${of("number")}::text, 6, '0'))
    || case when ${isIndian} then jsonb_build_object(
        'supply', (pattern.facts -> 'supply') || jsonb_build_object('type', case when c.gstin is null then 'B2C' else 'B2B' end),
        'parties', jsonb_set(pattern.facts -> 'parties', '{recipient}', jsonb_build_object('street', c.n || ' Market Road',
          'locality', c.city, 'pincode', c.pincode, 'stateCode', c.code))) else '{}'::jsonb end`;
}

/** Inserts refunds with their credit notes, buyers' cancellations, and chargebacks. */
async function fillRefunds(db: Db): Promise<void> {
  await sql`
    create temporary table filled_refunds as
    select p.n, ${idOf("refund", "p.n")} as id, p.order_id, p.provider, p.payment, p.currency, p.country, p.total as of_total,
           case p.payment_status when 'refunded' then p.total else greatest(1, p.total / 4) end as amount,
           p.paid_at + ${draw("p.n", 43)} * interval '20 days' as created_at,
           case when ${draw("p.n", 44)} < 0.01 then 'failed' when ${draw("p.n", 44)} < 0.02 then 'pending' else 'processed' end as status
    from filled_payments p where p.payment_status in ('refunded', 'partly_refunded')`.execute(db);
  await sql`
    insert into refunds (id, order_id, provider, provider_payment_id, amount_minor, currency, reason, status, provider_refund_id,
      bank_reference, problem, decided_by, created_at, updated_at)
    select id, order_id, provider, payment, amount, currency, 'The order was cancelled.', status, 'rfnd_' || n,
           case status when 'processed' then 'ARN' || n end, case status when 'failed' then 'The account is closed.' end,
           (array['operator', 'buyer', 'store'])[1 + n % 3], created_at, created_at + interval '3 hours'
    from filled_refunds`.execute(db);
  await numberSeries(
    db,
    "filled_notes",
    "C",
    sql`
    select f.n, f.order_id, f.id as refund_id, f.country, f.currency, f.created_at as issued_at, f.amount as total,
           f.of_total, i.document as invoice, i.issued_at as invoiced_at, i.company, i.seats, i.number, i.unit,
           round(i.subtotal * f.amount / f.of_total::numeric)::bigint as subtotal,
           round(i.tax * f.amount / f.of_total::numeric)::bigint as tax,
           f.amount - round(i.subtotal * f.amount / f.of_total::numeric)::bigint
             - round(i.tax * f.amount / f.of_total::numeric)::bigint as rounding
    from filled_refunds f join filled_invoices i on i.n = f.n where f.status = 'processed'`,
  );
  await sql`
    insert into credit_notes (number, refund_id, order_id, invoice_number, series, serial, issued_at, language, total_minor,
      currency, facts)
    select f.document, f.refund_id, f.order_id, f.invoice, f.series, f.serial, f.issued_at, 'en', f.total, f.currency,
           ${factsOf("f")} || jsonb_build_object('reason', 'The order was cancelled.', 'invoice', jsonb_build_object(
             'number', f.invoice, 'issuedAt', ${isoOf("f.invoiced_at")}, 'totalMinor', f.of_total))
    from filled_notes f join filled_companies c on c.n = f.company
    cross join (select facts from invoices where series like 'IN/%' and facts ? 'parties' order by number limit 1) pattern
    order by f.issued_at`.execute(db);
  await sql`
    insert into cancellations (id, subscription_id, order_id, kind, seats_before, seats_after, state, asked_by, last_error, met,
      needs_person, created_at, vendor_done_at, finished_at)
    select ${idOf("cancellation", "o.n")}, o.subscription, o.id, case when f.amount = f.of_total then 'cancel' else 'reduce' end,
           o.seats + 1, case when f.amount = f.of_total then 0 else 1 end,
           case when o.n % 100 = 1 then 'requested' else 'refund_requested' end, o.owner_id,
           case when o.n % 100 = 1 then 'The vendor does not answer' end, '{}', o.n % 100 = 1, f.created_at,
           case when o.n % 100 <> 1 then f.created_at end, case when o.n % 100 <> 1 then f.created_at end
    from filled_orders o join filled_refunds f on f.n = o.n
    where o.kind in ('NEW', 'TUP') and o.fulfilment_status = 'done'`.execute(db);
  await sql`
    insert into cancellation_parts (cancellation_id, order_id, seats, amount_minor, currency, refund_id)
    select c.id, f.order_id, 1, f.amount, f.currency, case when c.finished_at is not null then f.id end
    from filled_refunds f join cancellations c on c.id = ${idOf("cancellation", "f.n")}`.execute(db);
  await sql`
    insert into disputes (id, order_id, provider, provider_payment_id, provider_dispute_id, amount_minor, deducted_minor, currency,
      reason, phase, status, respond_by, told_at, created_at, updated_at)
    select ${idOf("dispute", "n")}, order_id, provider, payment, 'disp_' || n, total, case when is_lost then total else 0 end,
           currency, 'chargeback_authorization', 'chargeback',
           case when is_lost then 'lost' when at > now() - interval '60 days' then (array['open', 'review', 'action'])[1 + n % 3]
             else 'won' end,
           at + interval '10 days', at, at, at + interval '9 days'
    from (
      select p.*, payment_status = 'lost' as is_lost, paid_at + interval '10 days' as at
      from filled_payments p where payment_status in ('disputed', 'lost')
    ) d`.execute(db);
}

/** Inserts the portal's responses: nearly all documents are registered. */
async function fillRegistrations(db: Db, now: Date): Promise<void> {
  await sql`
    insert into e_invoices (number, kind, account, order_id, issued_at, body, state, irn, ack_number, acknowledged_at, signed_qr,
      signed_invoice, error_code, error_words, tries, asked_at, next_try_at, late_told_at, updated_at)
    select number, kind, 'IN', order_id, issued_at, jsonb_build_object('Version', '1.1', 'DocDtls', jsonb_build_object('No', number)),
           state, encode(sha256(convert_to(number, 'UTF8')), 'hex'),
           case state when 'final' then '1126' || lpad(n::text, 11, '0') end, case state when 'final' then issued_at end,
           case state when 'final' then repeat('q', 300) end, case state when 'final' then repeat('s', 600) end,
           case state when 'failed' then '3028' end, case state when 'failed' then 'The GSTIN is invalid' end, 1, issued_at,
           case state when 'pending' then ${now}::timestamptz end,
           case when state = 'failed' and issued_at < ${now}::timestamptz - interval '7 days' then issued_at + interval '7 days' end,
           issued_at
    from (
      select d.*, case when d.issued_at > ${now}::timestamptz - interval '1 hour' then 'pending'
                    when ${draw("d.n", 45)} < 0.0005 then 'failed' else 'final' end as state
      from (
        select i.n, i.document as number, 'INV' as kind, i.order_id, i.issued_at
        from filled_invoices i join filled_companies c on c.n = i.company where c.gstin is not null and i.country = 'IN'
        union all
        select i.n, i.document, 'CRN', i.order_id, i.issued_at
        from filled_notes i join filled_companies c on c.n = i.company where c.gstin is not null and i.country = 'IN'
      ) d
    ) s`.execute(db);
  // One in a hundred was refused once, and registered after a correction.
  await sql`
    insert into document_revisions (number, revision, order_id, facts, body, error_code, error_words, replaced_at)
    select i.number, 0, i.order_id, i.facts, e.body, '3028', 'The GSTIN is invalid', i.issued_at + interval '1 day'
    from invoices i join e_invoices e on e.number = i.number
    where e.state = 'final' and i.serial % 100 = 0`.execute(db);
  await sql`update e_invoices set revision = 1 where number in (select number from document_revisions)`.execute(
    db,
  );
}

async function fillProformas(db: Db, now: Date): Promise<void> {
  await numberSeries(
    db,
    "filled_proformas",
    "",
    sql`
    select i.n, i.order_id, i.country, i.currency, i.issued_at - interval '2 days' as issued_at, i.subtotal, i.tax, i.rounding,
           i.total, i.company, i.seats, i.unit, i.number, i.of_total
    from filled_invoices i join filled_payments p on p.n = i.n where p.provider = 'bank-transfer'`,
  );
  await sql`
    insert into invoice_series (series, last_serial, last_issued_at)
    select 'PF/' || series, max(serial), max(issued_at) from filled_proformas group by 1
    on conflict (series) do update set last_serial = greatest(invoice_series.last_serial, excluded.last_serial)`.execute(
    db,
  );
  await sql`
    insert into proformas (number, order_id, intent_id, series, serial, issued_at, valid_until, language, facts, withheld_minor)
    select 'PF/' || f.document, f.order_id, ${idOf("intent", "f.n")}, 'PF/' || f.series, f.serial, f.issued_at,
           f.issued_at + interval '7 days', 'en', ${factsOf("f")}, case when f.n % 10 = 0 then f.subtotal / 50 else 0 end
    from filled_proformas f join filled_companies c on c.n = f.company
    cross join (select facts from invoices where series like 'IN/%' and facts ? 'parties' order by number limit 1) pattern`.execute(
    db,
  );
  await sql`
    insert into tds_certificates (proforma_number, number, dated, amount_minor, booked_by, booked_at)
    select number, 'TDS' || serial, issued_at::date + 60, withheld_minor, 'finance@staff.example', issued_at + interval '60 days'
    from proformas where withheld_minor > 0 and issued_at < ${now}::timestamptz - interval '90 days'`.execute(
    db,
  );
  await sql`
    update proformas set certified = true
    where number in (select proforma_number from tds_certificates)`.execute(db);
}

/** Inserts a payout per day and account, two days later. */
async function fillPayouts(db: Db): Promise<void> {
  await sql`
    insert into settlement_lines (provider, account, entity_id, settlement_id, kind, provider_payment_id, currency, amount_minor,
      credit_minor, debit_minor, fee_minor, tax_minor, bank_reference, settled_at, imported_at)
    select provider, country, entity, 'setl_' || country || to_char(day, 'YYYYMMDD'), kind, payment, currency, amount,
           case kind when 'payment' then amount - fee else 0 end, case kind when 'refund' then amount else 0 end, fee, fee * 18 / 118,
           'UTR' || country || to_char(day, 'YYYYMMDD'), day + interval '10 hours', day + interval '20 hours'
    from (
      select provider, country, payment as entity, 'payment' as kind, payment, currency, total as amount, total / 50 as fee,
             date_trunc('day', paid_at) + interval '2 days' as day
      from filled_payments where provider <> 'bank-transfer'
      union all
      select provider, country, 'rfnd_' || n, 'refund', payment, currency, amount, 0, date_trunc('day', created_at) + interval '3 days'
      from filled_refunds where status = 'processed' and provider <> 'bank-transfer'
    ) l where day < now()`.execute(db);
  await sql`
    insert into settlement_days (provider, account, day, read_at)
    select distinct provider, account, settled_at::date, max(imported_at) from settlement_lines group by 1, 2, 3
    on conflict do nothing`.execute(db);
}

/** Inserts a bill per month and vendor, with a line for each fulfilled order. */
async function fillVendorBills(db: Db): Promise<void> {
  const billOf = (column: string) => sql.raw(`'G' || to_char(${column}, 'YYYYMM')`);
  await sql`
    create temporary table filled_bill_lines as
    select n, family, country as account, ${billOf("fulfilled_at")} as statement, to_char(fulfilled_at, 'YYYY-MM') as month,
           case family when 'google' then tenant || '/entitlements/S' || coalesce(base, n)
             else ${idOf("purchase", "coalesce(base, n)")}::text end as external_id,
           case when kind in ('ADD', 'RENEW') then ${idOf("subscription", "base")} else subscription end as subscription, kind, seats,
           unit * 9 / 10 as unit, subtotal * 9 / 10 as amount, currency, fulfilled_at
    from filled_orders where fulfilled_at is not null and family <> 'brio'`.execute(db);
  await sql`
    insert into vendor_statements (family, account, statement, month, asked_at, imported_at)
    select distinct family, account, statement, month, min(fulfilled_at), max(fulfilled_at) + interval '5 days'
    from filled_bill_lines group by 1, 2, 3, 4`.execute(db);
  await sql`
    insert into vendor_bill_lines (family, line_key, account, statement, external_id, subscription_id, kind, seats, unit_minor,
      amount_minor, currency, starts_at, ends_at, imported_at)
    select family, 'line-' || n, account, statement, external_id, subscription, case kind when 'ADD' then 'seats' else 'term' end,
           seats, unit, amount, currency, fulfilled_at, fulfilled_at + interval '1 year', fulfilled_at + interval '5 days'
    from filled_bill_lines`.execute(db);
}

/** Inserts differences, nearly all of them resolved. */
async function fillDifferences(db: Db, now: Date): Promise<void> {
  await sql`
    insert into money_differences (key, kind, amount_minor, currency, what, first_seen_at, resolved_at, told_at, acknowledged_at,
      acknowledged_because)
    select 'payment-unsettled:' || payment, 'payment-unsettled', total, currency, 'Payment ' || payment || ' is in no payout.', at,
           case when n % 5 <> 0 then at + interval '3 days' end, at,
           case when n % 5 = 0 and at < ${now}::timestamptz - interval '60 days' then at + interval '5 days' end,
           case when n % 5 = 0 and at < ${now}::timestamptz - interval '60 days' then 'Paid out by hand.' end
    from (
      select *, paid_at + interval '6 days' as at from filled_payments where ${draw("n", 46)} < 0.004
    ) d where at < ${now}::timestamptz`.execute(db);
}
