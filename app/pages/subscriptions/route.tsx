/** My Subscriptions: the company's active and ended subscriptions, with links to buy more licences and to renew. */

import { type SubmissionResult, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type OrderId, parseId } from "#db/ids.ts";
import { findCustomer } from "#server/accounts/customers.ts";
import { listAddOns } from "#server/catalogue/items.ts";
import { standardCountry } from "#server/countries/country.ts";
import { notFound } from "#server/errors.ts";
import { mayOrder, viewersLook } from "#server/orders/draft.ts";
import { findOrder, mayOpen } from "#server/orders/find.ts";
import { isPaid } from "#server/orders/order.ts";
import * as paths from "#server/paths.ts";
import { isPaymentWaiting, retrySettlement } from "#server/payments/return.ts";
import { listActiveSubscriptions, listEndedSubscriptions } from "#server/subscriptions/lists.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { orderOnlySchema } from "../../forms/schemas.ts";
import { limits } from "../../http/limits.ts";
import { listQuery } from "../../http/list-query.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { type RequestContext, requireSession } from "../../http/request-context.ts";
import { askerOf } from "../../journey/guard.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { DateText } from "../../ui/date-text.tsx";
import { OpenDialog } from "../../ui/dialog.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { EmptyList, ListPages, ListTable, ListTools } from "../../ui/list.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Actions, ServiceDetails } from "./row.tsx";
import { type RowView, rowView } from "./row-view.ts";

export const meta = unindexedPage("My Subscriptions");

export const loader = pageLoader(z.unknown(), async (request) => {
  const session = requireSession(request);
  const { customer } = session;
  const mayBuy = mayOrder(session);
  const { db, env } = request.context;
  const now = new Date();
  const company = customer === null ? null : await findCustomer(db, customer.id);
  const none = { rows: [], nextPage: null };
  const active =
    company === null ? none : await listActiveSubscriptions(db, company.id, listQuery(request.url), now);
  const ended =
    company === null
      ? none
      : await listEndedSubscriptions(db, company.id, listQuery(request.url, "ended"), now);
  const addOns = await listAddOns(db);
  const show = { country: company?.country ?? standardCountry, now, mayBuy, addOns, env } as const;
  return {
    looksOnly: mayBuy ? null : viewersLook,
    completed: await completedOrder(request),
    active: { rows: active.rows.map((row) => rowView(row, show)), nextPage: active.nextPage },
    ended: { rows: ended.rows.map((row) => rowView(row, show)), nextPage: ended.nextPage },
  };
});

/** A buy-more or renewal order that the asker may open, by the id in an address or a form. */
async function findChange(request: RequestContext, text: string | null) {
  const id = parseId<OrderId>(text);
  const order = id === null ? null : await findOrder(request.context.db, id);
  if (order === null || !mayOpen(order, askerOf(request)) || order.subscriptionId === null) return null;
  return order.kind === "ADD" || order.kind === "RENEW"
    ? { order, subscriptionId: order.subscriptionId }
    : null;
}

/**
 * The paid order that the popup offers to continue (docs/specification.md, section 4.6). Fulfilment may finish while the
 * buyer reads. The order is then shown as done.
 */
async function completedOrder(request: RequestContext): Promise<{ id: string; name: string } | null> {
  const found = await findChange(request, request.url.searchParams.get("completed"));
  if (found === null) return null;
  if (!isPaid(found.order) && !(await isPaymentWaiting(request.context, found.order))) return null;
  return { id: found.order.id, name: found.order.line.name };
}

/** Continue: rechecks a payment that is not accepted yet, and redirects to the last step. */
export const action = formAction({
  params: z.unknown(),
  limit: limits.pay,
  schema: orderOnlySchema,
  handler: async (request, _params, value) => {
    requireSession(request);
    const found = await findChange(request, value.order);
    if (found === null) throw notFound("order");
    const { order, subscriptionId } = found;
    if (!isPaid(order)) await retrySettlement(request.context, order.id);
    const flow = order.kind === "ADD" ? paths.buyMore : paths.renew;
    return redirect(flow(subscriptionId, { stage: "3" }), 303);
  },
});

export default function Subscriptions() {
  const { looksOnly, completed, active, ended } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result ?? null;
  return (
    <div className="page">
      {completed !== null && <CompletedDialog {...completed} lastResult={result} />}
      <div className="head">
        <h1>My Subscriptions</h1>
        {looksOnly === null && (
          <a className="button new-subscription" href={paths.explore({ TUP: "true" })}>
            <span aria-hidden="true">+</span>
            <span className="label">New Subscription</span>
          </a>
        )}
      </div>
      {looksOnly !== null && (
        <Callout type="info">
          <p>{looksOnly}</p>
        </Callout>
      )}
      <ListTools searchLabel="Domain or order id" />
      <section aria-labelledby="active-title">
        <h2 id="active-title">Active</h2>
        {active.rows.length === 0 ? (
          <EmptyList>No active subscriptions found.</EmptyList>
        ) : (
          <ListTable
            label="Active subscriptions"
            columns={[
              "Service Details",
              "Domain",
              "Purchased Licenses",
              "Start Date",
              "End Date",
              ...actionsIf(looksOnly),
            ]}
            rows={active.rows.map((row) => ({
              id: row.id,
              cells: [
                <ServiceDetails key="name" {...row} />,
                <Breakable key="domain">{row.domain}</Breakable>,
                row.quantity,
                <DateText key="start" {...row.start} />,
                <DateText key="end" {...row.end} />,
                ...actionsOf(row),
              ],
            }))}
          />
        )}
        <ListPages
          label="active subscriptions"
          next={active.nextPage}
          words={{ next: "Next", first: "First" }}
        />
      </section>
      <section aria-labelledby="expired-title">
        <h2 id="expired-title">Expired</h2>
        {ended.rows.length === 0 ? (
          <EmptyList>No expired subscriptions found.</EmptyList>
        ) : (
          <ListTable
            label="Expired subscriptions"
            columns={[
              "Service Details",
              "Purchased Licenses",
              "Start Date",
              "End Date",
              ...actionsIf(looksOnly),
            ]}
            rows={ended.rows.map((row) => ({
              id: row.id,
              cells: [
                <ServiceDetails key="name" {...row} withDomain />,
                row.quantity,
                <DateText key="start" {...row.start} />,
                <DateText key="end" {...row.end} />,
                ...actionsOf(row),
              ],
            }))}
          />
        )}
        <ListPages label="expired subscriptions" next={ended.nextPage} pageName="ended" />
      </section>
    </div>
  );
}

/** A viewer has no actions, so the column is left out. */
function actionsIf(looksOnly: string | null): string[] {
  return looksOnly === null ? ["Actions"] : [];
}

function actionsOf(row: RowView) {
  return row.actions === null
    ? []
    : [<Actions key="actions" of={`${row.name}, ${row.domain}`} {...row.actions} />];
}

function CompletedDialog(props: { id: string; name: string; lastResult: SubmissionResult<string[]> | null }) {
  const { id, name, lastResult } = props;
  const [form] = useForm({ id: "completed", lastResult });
  return (
    <OpenDialog id="completed" title={name}>
      <form method="post">
        <ErrorSummary form={form} fields={[]} />
        <input type="hidden" name="order" value={id} />
        <p>Your payment has been completed. Please click Continue to complete your order.</p>
        <p className="actions">
          <SubmitButton>Continue</SubmitButton> <a href={paths.subscriptions()}>Not now</a>
        </p>
      </form>
    </OpenDialog>
  );
}
