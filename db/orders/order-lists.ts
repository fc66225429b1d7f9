/** Lists of a person's or a company's orders, filtered and paged. */

import { type RawBuilder, sql } from "kysely";
import type { TimeRange } from "#db/billing/books.ts";
import { namedPurchaseOrder } from "#db/billing/invoices.ts";
import {
  afterCursor,
  likePrefix,
  microsecondsOf,
  type PageOfRows,
  type PageQuery,
  pageOf,
} from "#db/keyset.ts";
import type { FulfilmentStatus, OrderKind, PaymentStatus } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { Order } from "./order.ts";
import type { OrderOwner } from "./orders.ts";
import { firstLine, ordersOf, which, withLine } from "./orders.ts";
import { domainInDetails } from "./requested-domain.ts";

export interface OrderQuery extends PageQuery {
  /** Paid, unpaid and in the cart, or of those the ones that expect a bank transfer. */
  which: "paid" | "cart" | "awaited";
  /** The search as an order number; null when it is not a number. */
  number: number | null;
  narrowing?: OrderNarrowing;
}

/** Filters in addition to the search. An undefined field filters nothing. */
export interface OrderNarrowing {
  kind?: OrderKind | undefined;
  state?: { payment: readonly PaymentStatus[]; fulfilment: readonly FulfilmentStatus[] } | undefined;
  begun?: TimeRange | undefined;
}

/**
 * Matches an order's id or number, its buyer's purchase order number (current or on a replaced invoice), or the domain of its
 * tenant, of its subscription, or as requested.
 * The company's own tenants and subscriptions are looked up first: with a subquery per order, PostgreSQL would read those of
 * all companies. Invoices do not name a company, so they are looked up per order (`offset 0`).
 */
function isFoundBy(search: string, number: number | null, owner: OrderOwner): RawBuilder<boolean> {
  const begins = (text: RawBuilder<unknown>) => sql<boolean>`lower(${text}) like ${likePrefix(search)}`;
  const itsOwn = (table: "tenants" | "subscriptions") =>
    "customerId" in owner
      ? sql`(select id from ${sql.table(table)} where customer_id = ${owner.customerId} and ${begins(sql`domain`)})`
      : sql`(select null::uuid where false)`;
  return sql<boolean>`(
    ${begins(sql`orders.id::text`)}
    or orders.number = ${number}
    or ${begins(sql`orders.po_number`)}
    or exists (select from invoices where order_id = orders.id and ${namedPurchaseOrder(likePrefix(search))} offset 0)
    or ${begins(domainInDetails)}
    or ${begins(sql`orders.signin ->> 'prefix' || '.onmicrosoft.com'`)}
    or orders.tenant_id in ${itsOwn("tenants")}
    or orders.subscription_id in ${itsOwn("subscriptions")})`;
}

function narrowed(orders: ReturnType<typeof ordersOf>, { kind, state, begun }: OrderNarrowing) {
  let found = orders;
  if (kind !== undefined) found = found.where("orders.kind", "=", kind);
  if (state !== undefined) {
    found = found
      .where("orders.payment_status", "in", state.payment)
      .where("orders.fulfilment_status", "in", state.fulfilment);
  }
  if (begun !== undefined) {
    found = found.where("orders.created_at", ">=", begun.from).where("orders.created_at", "<", begun.before);
  }
  return found;
}

function newestOf(db: Db, owner: OrderOwner, query: OrderQuery) {
  let orders = narrowed(ordersOf(db, owner).where(which[query.which]), query.narrowing ?? {});
  if (query.family !== null) orders = orders.where("orders.family", "=", query.family);
  if (query.search !== null) orders = orders.where(isFoundBy(query.search, query.number, owner));
  if (query.after !== null) {
    orders = orders.where(afterCursor(query.after, { at: "orders.created_at", id: "orders.id" }, "desc"));
  }
  return orders
    .selectAll("orders")
    .select(microsecondsOf("orders.created_at").as("at"))
    .orderBy("orders.created_at", "desc")
    .orderBy("orders.id", "desc")
    .limit(query.limit + 1);
}

/** Lists a page of these owners' orders together, newest first. */
export async function listOrders(
  db: Db,
  owners: readonly OrderOwner[],
  query: OrderQuery,
): Promise<PageOfRows<Order>> {
  const [first, ...others] = owners;
  if (first === undefined) return { rows: [], next: null };
  const all = others.reduce(
    (sofar, owner) => sofar.unionAll(db.selectFrom(newestOf(db, owner, query).as("orders")).selectAll()),
    db.selectFrom(newestOf(db, first, query).as("orders")).selectAll(),
  );
  const found = await db
    .selectFrom(all.as("orders"))
    .selectAll("orders")
    .select(firstLine)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(query.limit + 1)
    .execute();
  const { rows, next } = pageOf(found, query.limit);
  return { rows: rows.map(withLine), next };
}
