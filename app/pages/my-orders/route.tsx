/** My Orders, `/myorders` and `/Myorders`: the company's paid orders, each with its details in a popup. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { Order } from "#db/order.ts";
import { orderPath } from "#server/orders/address.ts";
import { mayOpen } from "#server/orders/find.ts";
import { listPaidOrders } from "#server/orders/lists.ts";
import { orderNumber } from "#server/orders/number.ts";
import { isRefunded } from "#server/orders/order.ts";
import * as paths from "#server/paths.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { dateView } from "#server/subscriptions/dates.ts";
import { screens } from "../../families/family.ts";
import { listQuery } from "../../http/list-query.ts";
import { pageLoader } from "../../http/page.ts";
import { requireSession } from "../../http/request-context.ts";
import { askerOf } from "../../journey/guard.ts";
import { orderTypeWords, planWords, statusWords } from "../../journey/order-words.ts";
import { soldToOf } from "../../journey/review-data.ts";
import { DateText } from "../../ui/date-text.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { EmptyList, exploreServices, ListPages, ListTable, ListTools } from "../../ui/list.tsx";
import { Details, type OrderDetailsView } from "./details.tsx";

export const meta = unindexedPage("My Orders");

/** The page that lists orders waiting for a family's sign-in. */
const signInPage = ({ family }: Order) => screens[family].signIn?.listedOn ?? null;

export const loader = pageLoader(z.unknown(), async (request) => {
  requireSession(request);
  const asker = askerOf(request);
  const { rows, nextPage } = await listPaidOrders(request.context.db, asker, listQuery(request.url));
  const waiting = rows.find(
    (order) => order.fulfilmentStatus === "waiting_for_signin" && signInPage(order) !== null,
  );
  return {
    nextPage,
    signIn: waiting === undefined || !mayOpen(waiting, asker) ? null : signInPage(waiting),
    orders: rows.map((order) => {
      const href = mayOpen(order, asker) ? orderPath(order) : null;
      return {
        id: order.id,
        name: order.line.name,
        plan: planWords(order.line),
        status: statusWords(order),
        // The only state in which the buyer has to act.
        signInHref: order.fulfilmentStatus === "waiting_for_signin" ? href : null,
        quantity: order.line.quantity,
        created: dateView(order.createdAt, order.country),
        type: orderTypeWords[order.kind],
        details: detailsOf(order, href),
      };
    }),
  };
});

function detailsOf(order: Order, href: string | null): OrderDetailsView {
  const { line, subtotal, tax, rounding, total } = order;
  return {
    id: order.id,
    name: line.name,
    href,
    // A refunded order counts as not sold.
    invoice: isRefunded(order) ? null : paths.invoice(order.id),
    summary: {
      rows: [
        { label: "Item", value: line.name },
        { label: "Item id", value: line.itemId },
        { label: "Order id", value: orderNumber(order) },
        { label: "Status", value: statusWords(order) },
        { label: "Quantity", value: String(line.quantity) },
      ],
      totals: [
        { label: "Total before tax", value: formatMoney(subtotal) },
        { label: "Tax amount", value: formatMoney(tax) },
        ...(rounding.minor === 0 ? [] : [{ label: "Rounding", value: formatMoney(rounding) }]),
        { label: "Grand total", value: formatMoney(total), strong: true },
      ],
      soldTo: soldToOf(order),
    },
  };
}

export default function MyOrders() {
  const { orders, nextPage, signIn } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>My Orders</h1>
      <ListTools searchLabel="Order id or domain" />
      {signIn !== null && (
        <p className="notice info">
          An order is paid and waits for you to say which account it goes to:{" "}
          <a href={signIn.href}>{signIn.text}</a>
        </p>
      )}
      {orders.length === 0 ? (
        <EmptyList wayOn={exploreServices}>Orders not found.</EmptyList>
      ) : (
        <ListTable
          label="Orders"
          columns={["Service Details", "Purchased Licenses", "Created On", "Order Type", "Details"]}
          rows={orders.map((order) => ({
            id: order.id,
            cells: [
              <ServiceDetails key="name" {...order} />,
              order.quantity,
              <DateText key="created" {...order.created} />,
              order.type,
              <Details key="details" {...order.details} />,
            ],
          }))}
        />
      )}
      <ListPages label="orders" next={nextPage} />
    </div>
  );
}

function ServiceDetails(props: { name: string; plan: string; status: string; signInHref: string | null }) {
  const { name, plan, status, signInHref } = props;
  return (
    <>
      {name}
      <span className="hint">{plan}</span>
      {signInHref === null ? (
        <span className="hint">{status}</span>
      ) : (
        <a href={signInHref}>
          {status}
          <span className="visually-hidden"> for {name}</span>
        </a>
      )}
    </>
  );
}
