/**
 * `/desk/customers/{company}`: everything stored about a company, next to its vendors' figures, with the available staff actions.
 */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type CustomerId, parseId } from "#db/ids.ts";
import { possibleActs } from "#server/desk/actions/registry.ts";
import { readCustomer } from "#server/desk/customers.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ActionLinks } from "../action-links.tsx";
import { deskHandle } from "../handle.ts";
import { deskLoader } from "../route-builders.ts";
import { Documents, Orders } from "./orders.tsx";
import { Part } from "./part.tsx";
import { People, Tenants } from "./people.tsx";
import { Subscriptions } from "./subscriptions.tsx";
import { customerPageView } from "./view.ts";

export const handle = deskHandle;
export const meta = noindexMeta<{ name: string }>((data) => data?.name ?? "");

const params = z.object({ company: z.string().max(100) });

export const loader = deskLoader("customer", params, async ({ context, desk }, { company }) => {
  const id = parseId<CustomerId>(company);
  if (id === null) throw notFound("company");
  const view = await readCustomer(context.db, id);
  const acts = await possibleActs(context, desk.staff.role, "customer", id);
  return {
    ...customerPageView(view),
    acts: acts.map(({ id: act, label }) => ({ label, href: paths.deskActionForm(act, id) })),
  };
});

export default function CustomerPage() {
  const { name, twins, facts, acts, people, tenants, subscriptions, orders, documents, entries } =
    useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>{name}</h1>
      {twins.map(({ href, name: other, gstin }) => (
        <Callout key={`${href} ${gstin}`} type="info">
          <a href={href}>{other}</a> has the same GSTIN, {gstin}. Check whether they're the same customer.
        </Callout>
      ))}
      <dl className="facts">
        {facts.map(([term, value]) => (
          <div key={`${term} ${value}`}>
            <dt>{term}</dt>
            <dd>
              <Breakable>{value}</Breakable>
            </dd>
          </div>
        ))}
      </dl>
      <ActionLinks acts={acts} />
      <People people={people} />
      <Tenants tenants={tenants} />
      <Subscriptions subscriptions={subscriptions} />
      <Orders orders={orders} />
      <Documents documents={documents} />
      <Part title="Notes and actions" none={entries.length === 0 && "No notes or actions yet."}>
        <ol className="moments">
          {entries.map(({ id, at, action, by, reason, details }) => (
            <li key={id}>
              <time dateTime={at.iso}>{at.text}</time>
              <span>
                {reason === "" ? action : <Breakable>{reason}</Breakable>}
                <small>
                  <Breakable>{`${reason === "" ? "" : `${action}, `}by ${by}${details === "" ? "" : `, ${details}`}`}</Breakable>
                </small>
              </span>
            </li>
          ))}
        </ol>
      </Part>
    </div>
  );
}
