/** `/desk/orders`: every order, searched by what a customer can name. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { searchOrders } from "#server/desk/orders.ts";
import * as paths from "#server/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Empty } from "../../ui/empty.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { CsvLink } from "../csv-link.tsx";
import { deskLoader } from "../door.ts";
import { deskHandle } from "../handle.ts";
import { More } from "../more.tsx";
import { SearchForm } from "../search-form.tsx";
import { timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = unindexedPage("Orders");

export const loader = deskLoader("orders", z.unknown(), async ({ context, url }) => {
  const search = url.searchParams.get("search");
  const page = url.searchParams.get("page");
  const { rows, nextPage } = await searchOrders(context.db, { search, page });
  const kept = search === null ? {} : { search };
  return {
    search,
    orders: rows.map(({ createdAt, ...order }) => ({ ...order, begun: timeView(createdAt) })),
    file: paths.deskOrdersFile(kept),
    first: page === null ? null : paths.deskOrders(kept),
    next: nextPage === null ? null : paths.deskOrders({ ...kept, page: nextPage }),
  };
});

export default function Orders() {
  const { search, orders, file, first, next } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>Orders</h1>
      <SearchForm
        label="Order or invoice number, purchase order, email, company, GSTIN or domain"
        search={search}
      />
      {orders.length === 0 ? (
        <Empty message={search === null ? "There are no orders yet." : `Nothing is found for "${search}".`} />
      ) : (
        <>
          <p>
            <CsvLink href={file} />
          </p>
          <ListTable
            label="Orders"
            columns={["Number", { label: "Customer", holds: "words" }, "What", "Total", "Begun", "State"]}
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
                      <Breakable>{order.email}</Breakable>
                    </small>
                  )}
                </span>,
                order.what,
                <Money key="total">{order.total}</Money>,
                <time key="begun" dateTime={order.begun.iso}>
                  {order.begun.text}
                </time>,
                order.state,
              ],
            }))}
          />
        </>
      )}
      <More first={first} next={next} />
    </div>
  );
}
