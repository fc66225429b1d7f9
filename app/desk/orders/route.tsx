/** `/desk/orders`: every order, searchable by anything that a customer can name. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import {
  type ListedOrder,
  parseOrderFilter,
  searchOrders,
  sortableOrderColumns,
} from "#server/desk/orders.ts";
import { parseListOrder } from "#server/foundation/list-paging.ts";
import * as paths from "#server/foundation/paths.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { columnSort } from "../column-sort.ts";
import { CsvLink } from "../csv-link.tsx";
import { Filters } from "../filters.tsx";
import { deskHandle } from "../handle.ts";
import { ListPaging } from "../list-paging.tsx";
import { deskLoader } from "../route-builders.ts";
import { StateBadge } from "../state-badge.tsx";
import { timeView } from "../view.ts";
import { Word } from "../word.tsx";

export const handle = deskHandle;
export const meta = noindexMeta("Orders");

export const loader = deskLoader("orders", z.unknown(), async ({ context, url }) => {
  const search = url.searchParams.get("search");
  const page = url.searchParams.get("page");
  const only = parseOrderFilter(url.searchParams.get("only"));
  const sort = url.searchParams.get("sort");
  const order = parseListOrder(sortableOrderColumns, sort);
  const { rows, nextPage } = await searchOrders(context.db, { search, only, page, order });
  const kept = { ...(search !== null && { search }), ...(only !== null && { only }) };
  const sorted = { ...kept, ...(sort !== null && { sort }) };
  return {
    search,
    only,
    orders: rows.map(orderView),
    file: paths.deskOrdersCsv(kept),
    started: columnSort("started", order, (text) => paths.deskOrders({ ...kept, sort: text })),
    first: page === null ? null : paths.deskOrders(sorted),
    next: nextPage === null ? null : paths.deskOrders({ ...sorted, page: nextPage }),
  };
});

const orderView = ({ createdAt, quote, ...order }: ListedOrder) => ({
  ...order,
  begun: timeView(createdAt),
  quote: quote && { number: quote.number, until: timeView(quote.validUntil) },
});

export default function Orders() {
  const { search, only, orders, started, file, first, next } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>Orders</h1>
      <Filters
        fields={[
          {
            name: "search",
            label: "Order, document or quote number, purchase order, email, company, GSTIN or domain",
            value: search,
          },
          {
            name: "only",
            label: "Which",
            value: only,
            options: [{ value: "quotes", label: "Quotes" }],
          },
        ]}
      />
      {orders.length === 0 ? (
        <EmptyState message={nothing(search, only)} />
      ) : (
        <>
          <CsvLink href={file} />
          <ListTable
            label="Orders"
            columns={[
              "Number",
              { label: "Customer", holds: "words" },
              { label: "What", holds: "words" },
              { label: "State", holds: "words" },
              { label: "Total", holds: "amount" },
              { label: "Started", sort: started },
            ]}
            rows={orders.map((order) => ({
              id: order.id,
              cells: [
                <a key="number" href={paths.deskOrder(order.id)}>
                  {order.number}
                </a>,
                <span key="who" className="stacked">
                  {order.company ?? "no company yet"}
                  {order.email !== null && (
                    <small>
                      <Word>{order.email}</Word>
                    </small>
                  )}
                </span>,
                order.what,
                <State key="state" {...order} />,
                <Money key="total">{order.total}</Money>,
                <Begun key="begun" {...order} />,
              ],
            }))}
          />
        </>
      )}
      <ListPaging first={first} next={next} />
    </div>
  );
}

function Begun({ begun }: Pick<ReturnType<typeof orderView>, "begun">) {
  return <time dateTime={begun.iso}>{begun.text}</time>;
}

function State({ state, tone, quote }: Pick<ReturnType<typeof orderView>, "state" | "tone" | "quote">) {
  return (
    <span className="stacked">
      <StateBadge tone={tone}>{state}</StateBadge>
      {quote !== null && (
        <small>
          {quote.number}, valid until <time dateTime={quote.until.iso}>{quote.until.text}</time>
        </small>
      )}
    </span>
  );
}

function nothing(search: string | null, only: "quotes" | null): string {
  if (search !== null && search !== "") return `No results for "${search}".`;
  return only === null ? "No orders yet." : "No quotes yet.";
}
