/** Orders as staff find them. */
import { findOrders } from "#db/desk-orders.ts";
import type { OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import { type ListPage, listPage, pageAsked } from "#server/lists.ts";
import { orderNumber, readOrderNumber } from "#server/orders/number.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { orderKindWords, orderStateWords } from "./words.ts";

export interface ListedOrder {
  id: OrderId;
  number: string;
  createdAt: Date;
  what: string;
  total: string;
  state: string;
  company: string | null;
  email: string | null;
}

/**
 * All orders, the newest first, or those that a search finds: an order's, an invoice's or a credit note's number, an email, a GSTIN,
 * or how a company or a domain begins.
 * @throws DomainError bad_request for an invalid search or page
 */
export async function searchOrders(
  db: Db,
  { search, page }: { search: string | null; page: string | null },
): Promise<ListPage<ListedOrder>> {
  const asked = pageAsked({ search: search ?? undefined, page: page ?? undefined });
  const number = asked.search === null ? null : readOrderNumber(asked.search);
  const found = listPage(await findOrders(db, { ...asked, number }));
  return {
    nextPage: found.nextPage,
    rows: found.rows.map((order) => ({
      id: order.id,
      number: orderNumber(order),
      createdAt: order.createdAt,
      what: `${order.item} × ${order.quantity}, ${orderKindWords[order.kind]}`,
      total: formatMoney(money(order.totalMinor, order.currency)),
      state: orderStateWords(order),
      company: order.company,
      email: order.email,
    })),
  };
}
