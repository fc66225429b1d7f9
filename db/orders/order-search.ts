/** Search of orders for staff: all orders, or those that match a number, a name or an address. */
import { sql } from "kysely";
import { gstinsNamed } from "#db/accounts/gst-registrations.ts";
import { namedPurchaseOrder } from "#db/billing/invoices.ts";
import type { OrderId } from "#db/ids.ts";
import {
  afterCursor,
  type Cursor,
  type Direction,
  likeAnyPart,
  likePrefix,
  microsecondsOf,
  type PageOfRows,
  pageOf,
} from "#db/keyset.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { OrderReferences } from "./order.ts";
import { type OrderSummary, orderSummaries } from "./order-summary.ts";

export interface FoundOrder extends OrderSummary {
  totalMinor: number;
  currency: Currency;
  email: string | null;
  references: OrderReferences;
}

interface OrderSearchQuery {
  number: number | null;
  isQuoted: boolean;
  after: Cursor | null;
  limit: number;
  direction?: Direction;
}

/**
 * Lists a page of orders that match a search.
 * @param listQuery.search number of a document or quote, part of an email, GSTIN, company name or domain, or the beginning of a
 * purchase order number; null for every order
 * @param listQuery.number the search as an order number, or null
 * @param listQuery.isQuoted limits the list to orders with a quote
 * @param listQuery.direction by time of creation; newest first by default
 */
export async function findOrders(
  db: Db,
  listQuery: OrderSearchQuery & { search: string | null },
): Promise<PageOfRows<FoundOrder>> {
  const { search, after, limit, isQuoted, direction = "desc" } = listQuery;
  const rows = await orderSummaries(db)
    .select([
      "orders.total_minor as totalMinor",
      "orders.currency",
      sql<string | null>`orders.account ->> 'email'`.as("email"),
      "orders.po_number",
      "orders.cost_centre",
      "orders.buyer_note",
      microsecondsOf("orders.created_at").as("at"),
    ])
    .$if(search !== null, (query) => query.where(isOfPage({ ...listQuery, search: search ?? "" })))
    .$if(isQuoted, (query) => query.where("orders.quoted", "=", true))
    .$if(after !== null, (query) =>
      query.where(
        afterCursor(after ?? { at: 0, id: "" }, { at: "orders.created_at", id: "orders.id" }, direction),
      ),
    )
    .orderBy("orders.created_at", direction)
    .orderBy("orders.id", direction)
    .limit(limit + 1)
    .execute();
  const { rows: page, next } = pageOf(rows, limit);
  return {
    rows: page.map(({ at: _at, po_number, cost_centre, buyer_note, ...order }) => ({
      ...order,
      references: { purchaseOrder: po_number, costCentre: cost_centre, note: buyer_note },
    })),
    next,
  };
}

/**
 * Selects the matching orders of the page before anything is joined to them. The arrays make PostgreSQL look up the matches
 * first; given the choice, it scans all orders in sequence until enough of them match.
 */
function isOfPage(query: OrderSearchQuery & { search: string }) {
  const { search, number, after, limit, isQuoted, direction = "desc" } = query;
  const way = sql.raw(direction);
  const place =
    after === null ? sql`true` : afterCursor(after, { at: "found.created_at", id: "found.id" }, direction);
  return sql<boolean>`orders.id = any(array(
    select found.id from orders found
    where found.id = any(array${idsFoundBy(search, number)}) and ${place} ${isQuoted ? sql`and found.quoted` : sql``}
    order by found.created_at ${way}, found.id ${way} limit ${limit + 1}))`;
}

/** Subquery of the ids of matching orders. Each part uses its own index, so that a search reads only its matches. */
export function idsFoundBy(search: string, number: number | null) {
  const words = likePrefix(search);
  const part = likeAnyPart(search);
  const code = search.toUpperCase();
  const quote = quoteIn(code);
  return sql<OrderId>`(
    select id from orders where number = ${number}
    union select id from orders where po_number is not null and lower(po_number) like ${words}
    union select order_id from invoices where ${namedPurchaseOrder(words)}
    union select order_id from invoices where number = ${code}
    union select order_id from credit_notes where number = ${code}
    union select order_id from proformas where number = ${code}
    union select order_id from quotes where number = ${code}
    union select order_id from quotes where number = ${quote.number} and version = ${quote.version}
    union select q.order_id from quote_requests r join quotes q on q.id = r.quote_id where lower(r.email) like ${part}
    union select id from orders where lower(account ->> 'email') like ${part}
    union select o.id from users u join orders o on o.user_id = u.id where lower(u.email) like ${part}
    union select id from orders
      where customer_id = any(array(select id from customers where lower(name) like ${part}))
    union select o.id from addresses a join orders o on o.customer_id = a.customer_id where lower(a.gst_code) like ${part}
    union select o.id from addresses a join orders o on o.customer_id = a.customer_id
      where a.gst_code = any(${gstinsNamed(part)})
    union select s.order_id from subscriptions s where lower(s.domain) like ${part} and s.order_id is not null
    union select id from orders where tenant_id = any(array(select id from tenants where lower(domain) like ${part})))`;
}

/** Splits a quote's number into number and version ("…/2"); both null when the search cannot be one. */
function quoteIn(code: string): { number: string | null; version: number | null } {
  const [, number = null, version = null] = /^(.+)\/([1-9]\d{0,5})$/.exec(code) ?? [];
  return { number, version: version === null ? null : Number(version) };
}
