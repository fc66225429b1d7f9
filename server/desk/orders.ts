/** Orders as staff search them. */

import { readAwaitedTransfers } from "#db/billing/proformas.ts";
import type { OrderId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import type { OrderReferences } from "#db/orders/order.ts";
import { findOrders } from "#db/orders/order-search.ts";
import type { Db } from "#db/tables/index.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { type ListOrder, type ListPage, listPage, parsePageQuery } from "#server/foundation/list-paging.ts";
import { orderNumber, readOrderNumber } from "#server/orders/number.ts";
import { orderKindLabels, orderStateText, orderStateTone, type StateTone } from "./labels.ts";
import { type ListedQuote, quotesOf } from "./quotes.ts";

export interface ListedOrder {
  id: OrderId;
  number: string;
  createdAt: Date;
  what: string;
  total: string;
  amount: Money;
  state: string;
  tone: StateTone;
  company: string | null;
  email: string | null;
  references: OrderReferences;
  /** Null for an order that is not a quote. */
  quote: ListedQuote | null;
}

/** Filters of a list of orders, in addition to a search. */
export const orderFilters = ["quotes"] as const;
export type OrderFilter = (typeof orderFilters)[number];

/** Columns that a list of orders can be sorted by. */
export const sortableOrderColumns = ["started"] as const;

/** @returns null for all orders, and for an unknown filter */
export function parseOrderFilter(text: string | null): OrderFilter | null {
  return orderFilters.find((each) => each === text) ?? null;
}

/**
 * Lists all orders, or those that match a search: the number of an order, of one of its documents or of its quote, any part of an
 * email (also of an approver or a payer), a GSTIN, a company's name or a domain, or the beginning of a purchase order's number.
 * @param asked.only a filter; null for all
 * @param asked.order by their start; newest first when left out
 * @param asked.limit rows of a page, at most 200; 20 when left out
 * @throws DomainError bad_request for an invalid search or page
 */
export async function searchOrders(
  db: Db,
  {
    search,
    only,
    page,
    limit,
    order,
  }: {
    search: string | null;
    only: OrderFilter | null;
    page: string | null;
    limit?: number;
    order?: ListOrder<(typeof sortableOrderColumns)[number]>;
  },
): Promise<ListPage<ListedOrder>> {
  const query = parsePageQuery({ search: search ?? undefined, page: page ?? undefined, limit });
  const number = query.search === null ? null : readOrderNumber(query.search);
  const direction = order?.direction ?? "desc";
  const found = listPage(await findOrders(db, { ...query, number, isQuoted: only === "quotes", direction }));
  const ids = found.rows.map(({ id }) => id);
  const [quotes, transfers] = await Promise.all([quotesOf(db, ids), readAwaitedTransfers(db, ids)]);
  return {
    nextPage: found.nextPage,
    rows: found.rows.map((order) => {
      const amount = money(order.totalMinor, order.currency);
      return {
        id: order.id,
        number: orderNumber(order),
        createdAt: order.createdAt,
        what: `${order.item} × ${order.quantity}, ${orderKindLabels[order.kind]}`,
        total: formatMoney(amount),
        amount,
        state: orderStateText({ ...order, awaitsTransfer: transfers.has(order.id) }),
        tone: orderStateTone(order),
        company: order.company,
        email: order.email,
        references: order.references,
        quote: quotes.get(order.id) ?? null,
      };
    }),
  };
}
