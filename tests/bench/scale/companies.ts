/** The companies of a filled store: their names, people, addresses and tenants. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";
import { gstinCheckDigit } from "#server/foundation/countries/gstin.ts";
import { draw, idOf, oneOf } from "./deterministic-random.ts";

/**
 * Places of Indian companies: the state's GST code and name, a city and its pincode. None is in the seller's state, so all tax is
 * IGST.
 */
const places = [
  { code: "27", state: "Maharashtra", city: "Mumbai", pincode: "400001" },
  { code: "07", state: "Delhi", city: "New Delhi", pincode: "110001" },
  { code: "33", state: "Tamil Nadu", city: "Chennai", pincode: "600001" },
  { code: "24", state: "Gujarat", city: "Ahmedabad", pincode: "380001" },
  { code: "09", state: "Uttar Pradesh", city: "Noida", pincode: "201301" },
  { code: "36", state: "Telangana", city: "Hyderabad", pincode: "500001" },
  { code: "19", state: "West Bengal", city: "Kolkata", pincode: "700001" },
] as const;

/** The first word begins the name of one company in forty, which makes a search for it expensive. */
const firstWords =
  "Shree Acme Bright Coral Delta Eastern Falcon Golden Harbour Indus Jade Kaveri Lotus Metro Narmada Orchid Pioneer Quartz Royal Sagar Trident Unity Vertex Western Xenon Yamuna Zenith Amber Beacon Cedar Dhruv Everest Frontier Granite Himalaya Ivory Jupiter Krishna Laxmi Marigold".split(
    " ",
  );
const secondWords =
  "Textiles Foods Logistics Software Exports Chemicals Motors Pharma Studios Traders Builders Clinics Schools Advisers Printers Hotels".split(
    " ",
  );
const endings = ["Private Limited", "LLP", "and Sons", "Limited"];
const firstNames = "Asha Vikram Meera Arjun Kavya Rohan Priya Sanjay Nisha Dev Isha Kabir".split(" ");
const lastNames = "Rao Iyer Sharma Patel Singh Nair Das Mehta Gupta Reddy".split(" ");

/** Average number of orders per company. The largest has many more: see `orders.ts`. */
const ordersOfEach = 10;

export function companyCount(orders: number): number {
  return Math.max(1, Math.ceil(orders / ordersOfEach));
}

/**
 * Inserts companies, and leaves two temporary tables: `filled_companies`, and `filled_tenants` for the families that have any.
 * @param db one connection
 */
export async function fillCompanies(db: Db, { orders, now }: { orders: number; now: Date }): Promise<void> {
  const count = companyCount(orders);
  const gstins = Array.from({ length: count }, (_, index) => gstinOf(index));
  const placeRows = places.map(
    ({ code, state, city, pincode }, index) =>
      sql`(${sql.lit(index)}, ${sql.lit(code)}, ${sql.lit(state)}, ${sql.lit(city)}, ${sql.lit(pincode)})`,
  );
  await sql`
    create temporary table filled_companies as
    select c.*, lower(c.first_word) || c.n || '.example' as domain, lower(c.first_word) || c.n as slug, p.code, p.state, p.city,
           p.pincode,
           lower(c.first_name) || '.' || lower(c.last_name) || '@' || lower(c.first_word) || c.n || '.example' as email
    from (
      select g.n, ${idOf("company", "g.n")} as id, ${idOf("owner", "g.n")} as owner_id, g.gstin,
             g.first_word, g.first_word || ' ' || ${oneOf("g.n", 2, secondWords)} || ' ' || ${oneOf("g.n", 3, endings)} as name,
             ${oneOf("g.n", 4, firstNames)} as first_name, ${oneOf("g.n", 5, lastNames)} as last_name,
             case when ${draw("g.n", 6)} < 0.9 then 'IN' else 'US' end as country,
             ${now}::timestamptz - ${draw("g.n", 7)} * interval '1095 days' as created_at,
             (g.n % ${sql.lit(places.length)})::int as place
      from (
        select n, gstin, ${oneOf("n", 1, firstWords)} as first_word
        from unnest(${gstins}::text[]) with ordinality as given (gstin, n)
      ) g
    ) c
    join (values ${sql.join(placeRows)}) p (place, code, state, city, pincode) on p.place = c.place`.execute(
    db,
  );
  await sql`update filled_companies set gstin = null where country <> 'IN' or ${draw("n", 8)} < 0.15`.execute(
    db,
  );
  await sql`create unique index on filled_companies (n)`.execute(db);
  await sql`analyze filled_companies`.execute(db);

  await sql`
    insert into users (id, email, first_name, last_name, phone, email_verified_at, language, created_at)
    select owner_id, email, first_name, last_name, '98' || lpad((n % 100000000)::text, 8, '0'), created_at, 'en', created_at
    from filled_companies`.execute(db);
  await sql`
    insert into users (id, email, first_name, last_name, phone, created_at)
    select ${idOf("member", "n")}, 'accounts@' || domain, 'Accounts', last_name, '', created_at
    from filled_companies where n % 3 = 0`.execute(db);
  await sql`
    insert into customers (id, name, country, created_at) select id, name, country, created_at from filled_companies`.execute(
    db,
  );
  await sql`
    insert into members (customer_id, user_id, role, created_at)
    select id, owner_id, 'owner', created_at from filled_companies
    union all
    select id, ${idOf("member", "n")}, case when n % 2 = 0 then 'buyer' else 'viewer' end, created_at
    from filled_companies where n % 3 = 0`.execute(db);
  await sql`
    insert into member_invites (id, customer_id, email, role, invited_by, created_at, expires_at)
    select ${idOf("invite", "n")}, id, 'new@' || domain, 'viewer', owner_id, ${now}::timestamptz - interval '1 day',
           ${now}::timestamptz + interval '6 days'
    from filled_companies where n % 50 = 0`.execute(db);
  await sql`
    insert into addresses (id, customer_id, gst_code, add1, add2, city, state, pincode, country, organisation_registration_number,
      email, first_name, last_name, phone, created_at)
    select ${idOf("address", "n")}, id, gstin, n || ' Market Road', 'Second floor',
           case when country = 'IN' then city else 'Austin' end, case when country = 'IN' then state else 'Texas' end,
           case when country = 'IN' then pincode else '73301' end, country, coalesce(gstin, ''), email, first_name, last_name,
           '9876543210', created_at
    from filled_companies`.execute(db);
  await sql`
    insert into gst_registrations (gstin, legal_name, status, taxpayer_type, seen_at)
    select gstin, upper(name), case when n % 97 = 0 then 'Cancelled' else 'Active' end, 'Regular', created_at
    from filled_companies where gstin is not null`.execute(db);
  // The clean-up job keeps those that ended within a month.
  await sql`
    insert into sessions (id, user_id, created_at, last_seen_at, expires_at, revoked_at)
    select ${idOf("session", "n * 10 + each")}, owner_id, at, at + interval '1 hour', at + interval '30 days',
           case when each = 2 then at + interval '2 hours' end
    from (
      select n, owner_id, each, ${now}::timestamptz - ${draw("n * 10 + each", 9)} * interval '40 days' as at
      from filled_companies, generate_series(1, 2) each where n % 2 = 0
    ) s`.execute(db);

  await fillChoices(db, now);

  await sql`
    create temporary table filled_tenants as
    select c.n, f.family, ${idOf("tenant", "c.n || f.family")} as id, c.id as customer_id, c.country, c.created_at,
           case f.family when 'microsoft' then ${idOf("vendor", "c.n")}::text
             else 'accounts/C012345/customers/S' || lpad(c.n::text, 10, '0') end as external_id,
           case f.family when 'microsoft' then c.slug || '.onmicrosoft.com' else c.domain end as domain, c.name
    from filled_companies c
    join (values ('microsoft', 0.0), ('google', 0.4)) f (family, least) on ${draw("c.n", 10)} >= f.least`.execute(
    db,
  );
  await sql`create unique index on filled_tenants (n, family)`.execute(db);
  await sql`analyze filled_tenants`.execute(db);
  await sql`
    insert into tenants (id, customer_id, family, external_id, domain, name, country, created_at, sync_asked_at)
    select id, customer_id, family, external_id, domain, name, country, created_at,
           ${now}::timestamptz - ${draw("n", 11)} * interval '1 day'
    from filled_tenants`.execute(db);
  await sql`
    insert into control_proofs (id, customer_id, family, tenant_external_id, method, authenticated_at, created_at)
    select ${idOf("proof", "n || family")}, customer_id, family, external_id, 'made', created_at, created_at
    from filled_tenants`.execute(db);
}

/** Inserts settings of owners and companies. No rule stops an order. */
async function fillChoices(db: Db, now: Date): Promise<void> {
  await sql`
    insert into company_rules (customer_id, approval_above_minor)
    select id, 100000000000 from filled_companies where n % 10 = 0`.execute(db);
  await sql`
    insert into buyer_limits (customer_id, user_id, per_order_minor, per_month_minor)
    select customer_id, user_id, 10000000000, 100000000000 from members
    where role = 'buyer' and customer_id in (select id from filled_companies where n % 12 = 0)`.execute(db);
  await sql`
    insert into company_tax_details (customer_id, deductor_number, section, rate_basis_points, changed_at)
    select id, 'DELA' || lpad((n % 100000)::text, 5, '0') || 'B', '194J', 1000, created_at
    from filled_companies where country = 'IN' and n % 10 = 5`.execute(db);
  await sql`
    insert into billing_contacts (id, customer_id, email, gets_invoices, gets_proformas, created_at, confirmed_at)
    select ${idOf("billing contact", "n")}, id, 'invoices@' || domain, true, false, created_at, created_at
    from filled_companies where n % 4 = 0`.execute(db);
  await sql`
    insert into renewal_feeds (customer_id, hash, with_amounts, language, created_at)
    select id, encode(sha256(convert_to('calendar ' || n, 'UTF8')), 'hex'), n % 20 = 0, 'en', created_at
    from filled_companies where n % 10 = 0`.execute(db);
  await sql`
    insert into muted_mails (user_id, topic, muted_at)
    select owner_id, 'reminders', created_at from filled_companies where n % 10 = 3`.execute(db);
  await sql`
    insert into passkeys (id, user_id, public_key, counter, name, created_at)
    select 'key-' || n, owner_id, '\\x00', 0, 'Phone', created_at from filled_companies where n % 20 = 1`.execute(
    db,
  );
  await sql`
    insert into known_devices (user_id, key_hash, last_used_at)
    select owner_id, encode(sha256(convert_to('device ' || n, 'UTF8')), 'hex'), ${now}::timestamptz - interval '3 days'
    from filled_companies where n % 2 = 0`.execute(db);
  await sql`
    insert into data_exports (id, user_id, customer_id, state, place, files, done, planned, asked_at, ready_at, expires_at)
    select ${idOf("export", "n")}, owner_id, id, 'ready', '{"what": "end"}', 1, 1, 1, at, at + interval '1 minute', at + interval '7 days'
    from (select *, ${now}::timestamptz - interval '2 days' as at from filled_companies where n % 100 = 0) e`.execute(
    db,
  );
  await sql`
    insert into data_export_files (export_id, position, name, made_at, bytes)
    select id, 0, 'about.json', ready_at, '{}' from data_exports`.execute(db);
}

/** A unique GSTIN with a valid check digit. */
function gstinOf(index: number): string {
  const place = places[(index + 1) % places.length] ?? places[0];
  const letter = (of: number) => String.fromCharCode(65 + (of % 26));
  const digits = String(index % 10_000).padStart(4, "0");
  const block = Math.floor(index / 10_000);
  const first14 = `${place.code}AA${letter(block)}C${letter(index)}${digits}${letter(Math.floor(block / 26))}1Z`;
  return first14 + gstinCheckDigit(first14);
}
