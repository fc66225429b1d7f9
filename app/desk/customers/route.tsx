/** `/desk/customers`: every company, searchable by anything that a customer can name. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { searchCustomers, sortableCustomerColumns } from "#server/desk/customers.ts";
import { maySee } from "#server/desk/roles.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { parseListOrder } from "#server/foundation/list-paging.ts";
import * as paths from "#server/foundation/paths.ts";
import { dateView } from "#server/orders/subscriptions/dates.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { columnSort } from "../column-sort.ts";
import { CsvLink } from "../csv-link.tsx";
import { Filters } from "../filters.tsx";
import { deskHandle } from "../handle.ts";
import { ListPaging } from "../list-paging.tsx";
import { deskLoader } from "../route-builders.ts";
import { Word } from "../word.tsx";

export const handle = deskHandle;
export const meta = noindexMeta("Customers");

export const loader = deskLoader("customers", z.unknown(), async ({ context, desk, url }) => {
  const search = url.searchParams.get("search");
  const page = url.searchParams.get("page");
  const sort = url.searchParams.get("sort");
  const order = parseListOrder(sortableCustomerColumns, sort);
  const { rows, nextPage } = await searchCustomers(context.db, { search, page, order });
  const kept = search === null ? {} : { search };
  const sorted = { ...kept, ...(sort !== null && { sort }) };
  const sortedBy = (column: string) => paths.deskCustomers({ ...kept, sort: column });
  return {
    search,
    customers: rows.map(({ createdAt, ...customer }) => ({
      ...customer,
      since: dateView(createdAt, standardCountry),
    })),
    file: maySee(desk.staff.role, "customersFile") ? paths.deskCustomersCsv(kept) : null,
    byName: columnSort("name", order, sortedBy),
    byAge: columnSort("since", order, sortedBy),
    first: page === null ? null : paths.deskCustomers(sorted),
    next: nextPage === null ? null : paths.deskCustomers({ ...sorted, page: nextPage }),
  };
});

export default function Customers() {
  const { search, customers, byName, byAge, file, first, next } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>Customers</h1>
      <Filters
        fields={[
          {
            name: "search",
            label: "Company, GSTIN, email, domain, order or invoice number",
            value: search,
            type: "search",
          },
        ]}
      />
      {customers.length === 0 ? (
        <EmptyState message={search === null ? "No customers yet." : `No results for "${search}".`} />
      ) : (
        <>
          {file !== null && <CsvLink href={file} />}
          <ListTable
            label="Customers"
            columns={[
              { label: "Company", holds: "words", sort: byName },
              { label: "Owner", holds: "words" },
              "GSTIN",
              "Country",
              { label: "Active subscriptions", holds: "amount" },
              { label: "Paid orders", holds: "amount" },
              { label: "Since", sort: byAge },
            ]}
            rows={customers.map((customer) => ({
              id: customer.id,
              cells: [
                <a key="name" href={paths.deskCustomer(customer.id)}>
                  {customer.name}
                </a>,
                customer.owner === null ? "nobody" : <Word key="owner">{customer.owner}</Word>,
                <span key="gstin" className="stacked">
                  {customer.gstin ?? "none"}
                  {customer.sharesGstin && (
                    <small>
                      <mark>also used by another customer</mark>
                    </small>
                  )}
                </span>,
                customer.country,
                customer.subscriptions,
                customer.orders,
                <time key="since" dateTime={customer.since.iso}>
                  {customer.since.text}
                </time>,
              ],
            }))}
          />
        </>
      )}
      <ListPaging first={first} next={next} />
    </div>
  );
}
