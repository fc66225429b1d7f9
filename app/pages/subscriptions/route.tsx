/** My Subscriptions: what the company has, active and expired. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listSubscriptions } from "#db/subscriptions.ts";
import { findCustomer } from "#server/accounts/customers.ts";
import { listDashboard } from "#server/catalogue/items.ts";
import { mayOrder, viewersLook } from "#server/orders/draft.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { pageLoader, requireSession } from "../../http/page.ts";
import { familyName } from "../../params.ts";
import { paths } from "../../paths.ts";

export const meta = () => [{ title: "My Subscriptions | Hubs of Happiness" }];

/** The header's provider selector narrows the lists. */
const asked = z.object({ service: familyName.optional().catch(undefined) });

export const loader = pageLoader(z.unknown(), async (page) => {
  const session = requireSession(page);
  const { customer } = session;
  const mayBuy = mayOrder(session);
  const { db } = page.context;
  const company = customer === null ? null : await findCustomer(db, customer.id);
  const { service } = asked.parse(Object.fromEntries(page.url.searchParams));
  const all = company === null ? [] : await listSubscriptions(db, company.id);
  const rows = all.filter(({ family }) => service === undefined || family === service);
  const country = company?.country ?? "IN";
  const { addOns } = await listDashboard(db, "microsoft");
  const view = rows.map((row) => ({
    id: row.id,
    isActive: row.status === "active",
    name: row.item_name,
    domain: row.domain,
    quantity: row.quantity,
    start: formatDate(row.start_date, country),
    end: formatDate(row.end_date, country),
    addOns: addOns
      .filter(({ baseItemIds }) => mayBuy && row.status === "active" && baseItemIds.includes(row.item_id))
      .map(({ name, sku }) => ({ name, href: paths.newAddOn({ sku_id: sku, base: row.id }) })),
  }));
  return {
    looksOnly: mayBuy ? null : viewersLook,
    active: view.filter((row) => row.isActive),
    expired: view.filter((row) => !row.isActive),
  };
});

type Row = Awaited<ReturnType<typeof useLoaderData<typeof loader>>>["active"][number];

export default function Subscriptions() {
  const { looksOnly, active, expired } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>My Subscriptions</h1>
      {looksOnly !== null && <p className="notice info">{looksOnly}</p>}
      {looksOnly === null && (
        <p>
          <a className="button new-subscription" href={paths.explore({ TUP: "true" })}>
            <span aria-hidden="true">+</span>
            <span className="label">New Subscription</span>
          </a>
        </p>
      )}
      <List title="Active" rows={active} empty="No active subscriptions found." />
      <List title="Expired" rows={expired} empty="No expired subscriptions found." />
    </div>
  );
}

function List({ title, rows, empty }: { title: string; rows: Row[]; empty: string }) {
  return (
    <section>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Service Details</th>
                <th scope="col">Domain</th>
                <th scope="col">Purchased Licenses</th>
                <th scope="col">Start Date</th>
                <th scope="col">End Date</th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.name}</th>
                  <td>{row.domain}</td>
                  <td>{row.quantity}</td>
                  <td>{row.start}</td>
                  <td>{row.end}</td>
                  <td>
                    {row.addOns.map(({ name, href }) => (
                      <a key={name} href={href} aria-label={`Add ${name} to ${row.name}, ${row.domain}`}>
                        Add {name}
                      </a>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
