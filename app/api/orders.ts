/** GET /api/get/orders: the orders of the account's company, or its cart. */

import type { Order } from "#db/orders/order.ts";
import { creditNotesOf, type ListedCreditNote } from "#server/billing/documents/credit-note.ts";
import { invoiceNumbersOf } from "#server/billing/documents/issue.ts";
import { toMajor } from "#server/catalogue/pricing/money.ts";
import { currencies } from "#server/foundation/countries/registry.ts";
import type { ListPage } from "#server/foundation/list-paging.ts";
import { listCart, listPaidOrders } from "#server/orders/lists.ts";
import { requesterOf } from "../journey/guard.ts";
import type { SignedInContext } from "./shared/endpoint.ts";
import {
  countryField,
  cycleField,
  cycleOf,
  dateField,
  familyField,
  major,
  orderIdField,
  rowLimit,
  termField,
} from "./shared/fields.ts";
import { shippingField, shippingOf } from "./shared/order-details.ts";
import { apiLoader, notFound, sessionAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

const row = z.object({
  id: orderIdField,
  itemName: z.string(),
  commitment_plan: termField,
  billing_cycle: cycleField,
  quantity: z.int(),
  created_on: dateField,
  order_type: z
    .enum(["NEW", "TUP", "ADDON", "ADD", "RENEW"])
    .describe("a purchase, a further subscription, an add-on, more licenses, a renewal"),
  total: major.describe("before tax"),
  tax_amount: major,
  grand_total: major.describe("what is paid: whole rupees, or dollars and cents"),
  currency: z.enum(currencies),
  invoice_number: z.string().describe("of its invoice; empty while there is none"),
  credit_notes: z.array(z.object({ id: z.string(), number: z.string(), amount: major })),
  shipping_address: shippingField,
  properties: z.object({ country: countryField }),
  itemFamily: familyField,
  item_id: z.string(),
});

export const loader = apiLoader(
  {
    summary: "The company's paid orders, or its cart, newest first.",
    notes: "Up to `limit` rows; the Link header leads to the next ones.",
    linksNextPage: true,
    tag: "Order",
    access: sessionAccess,
    refuses: [404],
    query: z.object({
      category: z.enum(["ORD", "CRT"]).describe("ORD = orders that are paid, CRT = the cart"),
      user: z.string().max(64).describe("the account's own userId"),
      service: familyField.optional().describe("all if omitted"),
      limit: rowLimit,
      page: z.string().max(200).optional().describe("as in the Link header"),
    }),
    reply: z.array(row),
  },
  async (request, { category, user, service: family, limit, page: cursor }) => {
    if (user !== request.session.userId) throw notFound("user");
    const list = category === "ORD" ? listPaidOrders : listCart;
    const query = { family, limit, page: cursor };
    const found = await list(request.context.db, requesterOf(request), query);
    nameNextPage(request, found);
    const { db } = request.context;
    const ids = found.rows.map(({ id }) => id);
    const invoices = await invoiceNumbersOf(db, ids);
    const notes = await creditNotesOf(db, ids);
    return found.rows.map((order) =>
      rowOf(order, {
        invoiceNumber: invoices.get(order.id) ?? "",
        notes: notes.filter(({ orderId }) => orderId === order.id),
      }),
    );
  },
);

function nameNextPage(
  { url, responseHeaders: headers }: SignedInContext,
  { nextPage }: ListPage<Order>,
): void {
  if (nextPage === null) return;
  // The named fields only: nothing else of the request belongs in a header.
  const known = ["category", "user", "service", "limit"];
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => known.includes(name)));
  query.set("page", nextPage);
  headers.set("Link", `<${url.pathname}?${query}>; rel="next"`);
}

function rowOf(
  order: Order,
  { invoiceNumber, notes }: { invoiceNumber: string; notes: readonly ListedCreditNote[] },
): z.input<typeof row> {
  const { line, total } = order;
  return {
    id: order.id,
    itemName: line.name,
    commitment_plan: line.term,
    billing_cycle: cycleOf(line.billingCycle),
    quantity: line.quantity,
    created_on: order.createdAt.toISOString(),
    order_type: order.kind,
    total: toMajor(order.subtotal),
    tax_amount: toMajor(order.tax),
    grand_total: toMajor(total),
    currency: total.currency,
    invoice_number: invoiceNumber,
    credit_notes: notes.map(({ id, number, amount }) => ({
      id,
      number,
      amount: toMajor(amount),
    })),
    shipping_address: shippingOf(order),
    properties: { country: order.country },
    itemFamily: order.family,
    item_id: order.itemId,
  };
}
