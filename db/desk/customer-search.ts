/** Companies as staff look for them, and all that is stored of one. */
import { sql } from "kysely";
import { gstinsNamed } from "#db/accounts/gst-registrations.ts";
import type { CustomerId, OrderId, SubscriptionId, TenantId, UserId } from "#db/ids.ts";
import {
  afterCursor,
  type Cursor,
  type Direction,
  likeAnyPart,
  microsecondsOf,
  type PageOfRows,
  pageOf,
} from "#db/keyset.ts";
import type {
  ControlMethod,
  Country,
  Currency,
  FamilyId,
  FulfilmentStatus,
  MemberRole,
  OrderKind,
  PaymentStatus,
  Stage,
  SubscriptionStatus,
  Term,
} from "#db/tables/enums.ts";
import type { VendorReadingsTable } from "#db/tables/fulfilment.ts";
import type { Db } from "#db/tables/index.ts";
import type { RegistrationState } from "#db/tables/invoices.ts";

export interface FoundCustomer {
  id: CustomerId;
  name: string;
  country: Country;
  createdAt: Date;
  /** Of the address that was saved last; null for a company without one that is registered. */
  gstin: string | null;
  /** Whether another company has one of its GSTINs. */
  sharesGstin: boolean;
  /** Of the owner who joined first. */
  owner: string | null;
  /** Subscriptions that run. */
  subscriptions: number;
  orders: number;
}

/** Each has an index. */
interface CustomerOrder {
  by: "since" | "name";
  direction: Direction;
}

/** Ignores case and compares byte by byte, as the index customers_by_name does. */
const nameInOrder = sql<string>`lower(customers.name) collate "C"`;

/**
 * @param asked.search any part of a name, a GSTIN, an email or a domain, or an order's, an invoice's or a credit note's number; null for
 *   every company
 * @param asked.number what the search is as the number of an order, or null
 * @param asked.order the newest first when left out
 */
export async function findCustomers(
  db: Db,
  queryNow: {
    search: string | null;
    number: number | null;
    after: Cursor | null;
    limit: number;
    order?: CustomerOrder;
  },
): Promise<PageOfRows<FoundCustomer>> {
  const { search, number, after, limit, order = { by: "since", direction: "desc" } } = queryNow;
  const rows = await db
    .selectFrom("customers")
    .select([
      "customers.id",
      "customers.name",
      "customers.country",
      "customers.created_at as createdAt",
      sql<string | null>`(
        select gst_code from addresses a where a.customer_id = customers.id and gst_code is not null
        order by created_at desc limit 1)`.as("gstin"),
      sql<boolean>`exists (
        select from addresses a join addresses other on other.gst_code = a.gst_code
        where a.customer_id = customers.id and other.customer_id <> customers.id)`.as("sharesGstin"),
      sql<string | null>`(
        select u.email from members m join users u on u.id = m.user_id
        where m.customer_id = customers.id and m.role = 'owner' order by m.created_at, m.user_id limit 1)`.as(
        "owner",
      ),
      sql<number>`(
        select count(*) from subscriptions s where s.customer_id = customers.id and s.status = 'active')`.as(
        "subscriptions",
      ),
      sql<number>`(
        select count(*) from orders o where o.customer_id = customers.id and o.paid_at is not null)`.as(
        "orders",
      ),
      microsecondsOf("customers.created_at").as("at"),
    ])
    .$if(search !== null, (query) =>
      query.where(sql<boolean>`customers.id = any(array${idsFoundBy(search ?? "", number)})`),
    )
    .$if(after !== null, (query) => query.where(beyond(after ?? { at: 0, id: "" }, order)))
    .orderBy(order.by === "name" ? nameInOrder : "customers.created_at", order.direction)
    .orderBy("customers.id", order.direction)
    .limit(limit + 1)
    .execute();
  const { rows: page, next } = pageOf(rows, limit);
  return { rows: page.map(({ at: _at, ...customer }) => customer), next };
}

/** The companies beyond the last one of a page, which the cursor names: its name is read, as a cursor has none. */
function beyond(after: Cursor, { by, direction }: CustomerOrder) {
  if (by === "since")
    return afterCursor(after, { at: "customers.created_at", id: "customers.id" }, direction);
  const last = sql`(select lower(name) collate "C", id from customers where id = ${after.id}::uuid)`;
  return sql<boolean>`(${nameInOrder}, customers.id) ${sql.raw(direction === "asc" ? ">" : "<")} ${last}`;
}

/** Each part has an index of its own, as in the search for orders (desk-orders.ts). */
function idsFoundBy(search: string, number: number | null) {
  const part = likeAnyPart(search);
  const code = search.toUpperCase();
  return sql<CustomerId>`(
    select id from customers where lower(name) like ${part}
    union select customer_id from addresses where lower(gst_code) like ${part}
    union select customer_id from addresses where gst_code = any(${gstinsNamed(part)})
    union select m.customer_id from users u join members m on m.user_id = u.id where lower(u.email) like ${part}
    union select customer_id from orders where lower(account ->> 'email') like ${part} and customer_id is not null
    union select customer_id from tenants where lower(domain) like ${part}
    union select customer_id from subscriptions where lower(domain) like ${part}
    union select customer_id from orders where number = ${number} and customer_id is not null
    union select o.customer_id from invoices i join orders o on o.id = i.order_id
      where i.number = ${code} and o.customer_id is not null
    union select o.customer_id from credit_notes c join orders o on o.id = c.order_id
      where c.number = ${code} and o.customer_id is not null)`;
}

export interface GstinTwin {
  id: CustomerId;
  name: string;
  gstin: string;
}

/** The other companies that have one of a company's GSTINs: the same business, most often, that was taken for two. */
export async function listGstinTwins(db: Db, customerId: CustomerId): Promise<GstinTwin[]> {
  const { rows } = await sql<GstinTwin>`
    select distinct c.id, c.name, other.gst_code as gstin
    from addresses a
    join addresses other on other.gst_code = a.gst_code and other.customer_id <> a.customer_id
    join customers c on c.id = other.customer_id
    where a.customer_id = ${customerId}
    order by c.name, c.id, gstin limit ${maxTwins}`.execute(db);
  return rows;
}

const maxTwins = 20;

export interface CompanyPerson {
  userId: UserId;
  name: string;
  email: string;
  role: MemberRole;
  isProven: boolean;
  isDisabled: boolean;
  isLocked: boolean;
  /** The last one that is known: sessions are kept for a month after they end. */
  lastSignIn: Date | null;
}

/** A company's people, in the order of joining. */
export async function listPeople(db: Db, customerId: CustomerId): Promise<CompanyPerson[]> {
  return db
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(({ eb, selectFrom }) => [
      "users.id as userId",
      sql<string>`trim(concat(users.first_name, ' ', users.last_name))`.as("name"),
      "users.email",
      "members.role",
      eb("users.email_verified_at", "is not", null).$castTo<boolean>().as("isProven"),
      eb("users.disabled_at", "is not", null).$castTo<boolean>().as("isDisabled"),
      eb("users.locked_at", "is not", null).$castTo<boolean>().as("isLocked"),
      selectFrom("sessions")
        .select(({ fn }) => fn.max("sessions.created_at").as("last"))
        .whereRef("sessions.user_id", "=", "users.id")
        .$castTo<{ last: Date | null }>()
        .as("lastSignIn"),
    ])
    .where("members.customer_id", "=", customerId)
    .orderBy("members.created_at")
    .orderBy("members.user_id")
    .execute();
}

export interface LinkedTenant {
  id: TenantId;
  family: FamilyId;
  externalId: string;
  domain: string;
  createdAt: Date;
  /** How the company last showed that it controls it; null for never. */
  method: ControlMethod | null;
  /** Until when that counts; null where it does not age. */
  provenUntil: Date | null;
  evidence: string | null;
  reference: string | null;
  boundBy: string | null;
}

/** A company's tenants with the proof that lasts longest, by family and domain. */
export async function listLinkedTenants(db: Db, customerId: CustomerId): Promise<LinkedTenant[]> {
  const { rows } = await sql<LinkedTenant>`
    select t.id, t.family, t.external_id as "externalId", t.domain, t.created_at as "createdAt", p.method,
           p.expires_at as "provenUntil", p.evidence, p.reference, p.bound_by as "boundBy"
    from tenants t
    left join lateral (
      select method, expires_at, evidence, reference, bound_by from control_proofs p
      where p.customer_id = t.customer_id and p.family = t.family and lower(p.tenant_external_id) = lower(t.external_id)
      order by expires_at desc nulls first limit 1
    ) p on true
    where t.customer_id = ${customerId}
    order by t.family, t.domain, t.id`.execute(db);
  return rows;
}

/** A subscription, and what its vendor last said of it. */
export interface SubscriptionWithVendorState {
  id: SubscriptionId;
  name: string;
  family: FamilyId;
  domain: string;
  status: SubscriptionStatus;
  quantity: number;
  term: Term;
  start: Date;
  /** Of the running term. */
  end: Date;
  /** Of the next term, when it is paid for. */
  nextEnd: Date | null;
  isSuspended: boolean;
  readAt: Date | null;
  says: {
    isThere: boolean;
    state: VendorReadingsTable["state"];
    quantity: number | null;
    end: Date | null;
    atEnd: VendorReadingsTable["at_end"];
    readAt: Date;
  } | null;
}

/** Those that run first, the first to end at the top. @param limit the most of them */
export async function listSubscriptionsWithVendorState(
  db: Db,
  customerId: CustomerId,
  limit: number,
): Promise<SubscriptionWithVendorState[]> {
  const rows = await db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .leftJoin("vendor_readings", "vendor_readings.subscription_id", "subscriptions.id")
    .select([
      "subscriptions.id",
      "catalogue_items.name",
      "subscriptions.family",
      "subscriptions.domain",
      "subscriptions.status",
      "subscriptions.quantity",
      "subscriptions.term",
      "subscriptions.start_date",
      "subscriptions.end_date",
      "subscriptions.next_term_start",
      "subscriptions.suspended",
      "subscriptions.read_at",
      "vendor_readings.is_there",
      "vendor_readings.state",
      "vendor_readings.quantity as saidQuantity",
      "vendor_readings.term_end",
      "vendor_readings.at_end",
      "vendor_readings.read_at as saidAt",
    ])
    // Those of the page, before what vendors say is joined to them.
    .where(
      sql<boolean>`subscriptions.id = any(array(
        select id from subscriptions where customer_id = ${customerId}
        order by status = 'active' desc, end_date, id limit ${limit}))`,
    )
    .orderBy(sql`subscriptions.status = 'active'`, "desc")
    .orderBy("subscriptions.end_date")
    .orderBy("subscriptions.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    family: row.family,
    domain: row.domain,
    status: row.status,
    quantity: row.quantity,
    term: row.term,
    start: row.start_date,
    end: row.next_term_start ?? row.end_date,
    nextEnd: row.next_term_start === null ? null : row.end_date,
    isSuspended: row.suspended,
    readAt: row.read_at,
    says:
      row.saidAt === null || row.is_there === null
        ? null
        : {
            isThere: row.is_there,
            state: row.state,
            quantity: row.saidQuantity,
            end: row.term_end,
            atEnd: row.at_end,
            readAt: row.saidAt,
          },
  }));
}

export interface OrderOfCustomer {
  id: OrderId;
  number: number;
  createdAt: Date;
  kind: OrderKind;
  item: string;
  quantity: number;
  totalMinor: number;
  currency: Currency;
  stage: Stage;
  paymentStatus: PaymentStatus;
  fulfilmentStatus: FulfilmentStatus;
}

/** The newest first. */
export async function listOrdersOfCustomer(
  db: Db,
  customerId: CustomerId,
  limit: number,
): Promise<OrderOfCustomer[]> {
  return db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .select([
      "orders.id",
      "orders.number",
      "orders.created_at as createdAt",
      "orders.kind",
      "orders.total_minor as totalMinor",
      "orders.currency",
      "orders.stage",
      "orders.payment_status as paymentStatus",
      "orders.fulfilment_status as fulfilmentStatus",
      "order_lines.name as item",
      "order_lines.quantity",
    ])
    .where("orders.customer_id", "=", customerId)
    .where("order_lines.position", "=", 0)
    .orderBy("orders.created_at", "desc")
    .orderBy("orders.id")
    .limit(limit)
    .execute();
}

export interface DocumentOfCustomer {
  number: string;
  kind: "invoice" | "credit note";
  issuedAt: Date;
  orderId: OrderId;
  orderNumber: number;
  orderBegun: Date;
  totalMinor: number;
  currency: Currency;
  /** At the registration portal; null where documents are not registered. */
  registration: RegistrationState | null;
}

/** Invoices and credit notes, the newest first. */
export async function listDocumentsOfCustomer(
  db: Db,
  customerId: CustomerId,
  limit: number,
): Promise<DocumentOfCustomer[]> {
  const orders = sql`(select id from orders where customer_id = ${customerId})`;
  const { rows } = await sql<DocumentOfCustomer>`
    select d.*, e.state as registration from (
      select i.number, 'invoice' as kind, i.issued_at as "issuedAt", o.id as "orderId", o.number as "orderNumber",
             o.created_at as "orderBegun", o.total_minor as "totalMinor", o.currency
      from invoices i join orders o on o.id = i.order_id where i.order_id = any(array${orders})
      union all
      select c.number, 'credit note', c.issued_at, o.id, o.number, o.created_at, c.total_minor, c.currency
      from credit_notes c join orders o on o.id = c.order_id where c.order_id = any(array${orders})
    ) d
    left join e_invoices e on e.number = d.number
    order by d."issuedAt" desc, d.number limit ${limit}`.execute(db);
  return rows;
}
