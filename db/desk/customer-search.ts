/** Queries of the company search in Desk. */
import { sql } from "kysely";
import { gstinsNamed } from "#db/accounts/gst-registrations.ts";
import type { CustomerId } from "#db/ids.ts";
import {
  afterCursor,
  type Cursor,
  type Direction,
  likeAnyPart,
  microsecondsOf,
  type PageOfRows,
  pageOf,
} from "#db/keyset.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";

export interface FoundCustomer {
  id: CustomerId;
  name: string;
  country: Country;
  createdAt: Date;
  /** GSTIN of the address that was saved last; null for a company without a registered one. */
  gstin: string | null;
  /** Whether another company has one of its GSTINs. */
  sharesGstin: boolean;
  /** Email of the owner who joined first. */
  owner: string | null;
  /** Number of active subscriptions. */
  subscriptions: number;
  orders: number;
}

/** Sort orders, each with an index. */
interface CustomerOrder {
  by: "since" | "name";
  direction: Direction;
}

/** Ignores case and compares byte by byte, as the index customers_by_name does. */
const nameInOrder = sql<string>`lower(customers.name) collate "C"`;

/**
 * @param asked.search any part of a name, a GSTIN, an email or a domain, or an order's, an invoice's or a credit note's number;
 * null for
 *   every company
 * @param asked.number the search parsed as an order's number, or null
 * @param asked.order newest first when left out
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

/** Returns the condition for companies after the last one of a page. The cursor contains only its id, so its name is read. */
function beyond(after: Cursor, { by, direction }: CustomerOrder) {
  if (by === "since")
    return afterCursor(after, { at: "customers.created_at", id: "customers.id" }, direction);
  const last = sql`(select lower(name) collate "C", id from customers where id = ${after.id}::uuid)`;
  return sql<boolean>`(${nameInOrder}, customers.id) ${sql.raw(direction === "asc" ? ">" : "<")} ${last}`;
}

/** Ids that the search finds. Each part uses a separate index, as in the search for orders (desk-orders.ts). */
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

/** Lists other companies with one of a company's GSTINs: usually the same business, entered twice. */
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
