/** My Subscriptions: the company's active and ended subscriptions, with links to buy more licences and to renew. */

import { type SubmissionResult, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type OrderId, parseId } from "#db/ids.ts";
import { listReductionDeadlines } from "#server/billing/cancellations/options.ts";
import { isPaymentWaiting, retrySettlement } from "#server/billing/payments/payment-return.ts";
import { listAddOns } from "#server/catalogue/items.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { mayOrder, viewerOnlyMessageKey } from "#server/orders/draft.ts";
import { findOrder, mayOpenOrder } from "#server/orders/find.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import { readRenewalChoices } from "#server/orders/renewal-choice.ts";
import { type RenewalPrice, readRenewalPrices } from "#server/orders/renewal-forecast.ts";
import { licencesInUse } from "#server/orders/subscriptions/licences-in-use.ts";
import { listActiveSubscriptions, listEndedSubscriptions } from "#server/orders/subscriptions/lists.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { orderOnlySchema } from "../../forms/schemas.ts";
import { listQuery } from "../../http/list-query.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { type RequestContext, requireSession } from "../../http/request-context.ts";
import { requesterOf } from "../../journey/guard.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { DateText } from "../../ui/date-text.tsx";
import { InitiallyOpenDialog } from "../../ui/dialog.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { type Column, EmptyList, Licences, ListPages, ListTable, ListTools } from "../../ui/list.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { DueCard, Overview } from "./overview.tsx";
import { endingInOverview, overviewOf, spendInOverview } from "./overview-data.ts";
import { Actions, closedOf, End, EndedActions, ServiceDetails } from "./row.tsx";
import { rowView } from "./row-view.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  const session = requireSession(request);
  const { customer } = session;
  const mayBuy = mayOrder(session);
  const { text } = request;
  const { db } = request.context;
  const now = new Date();
  const none = { rows: [], nextPage: null };
  const [active, ended, ending, addOns] = await Promise.all([
    customer === null ? none : listActiveSubscriptions(db, customer.id, listQuery(request.url), now),
    customer === null ? none : listEndedSubscriptions(db, customer.id, listQuery(request.url, "ended"), now),
    customer === null ? null : endingInOverview(request, customer, now),
    listAddOns(db),
  ]);
  const priced = [...active.rows, ...ended.rows, ...(ending ?? [])];
  const [costs, choices, inUse, windows, spend] = await Promise.all([
    customer === null
      ? new Map<string, RenewalPrice | null>()
      : readRenewalPrices(db, request.context.env.sellers, customer.id, priced),
    readRenewalChoices(db, [...active.rows, ...(ending ?? [])]),
    licencesInUse(db, active.rows),
    listReductionDeadlines(db, active.rows, now),
    customer === null || ending === null ? [] : spendInOverview(request, customer, now),
  ]);
  const show = {
    request,
    country: customer?.country ?? standardCountry,
    now,
    mayBuy,
    costs,
    choices,
    inUse,
    windows,
    addOns,
  };
  return {
    title: text("subscriptions.title"),
    looksOnly: mayBuy ? null : text(viewerOnlyMessageKey),
    completed: await completedOrder(request),
    overview:
      customer === null || ending === null
        ? null
        : await overviewOf(request, customer, { ending, costs, choices, spend, mayBuy, now }),
    active: { rows: active.rows.map((row) => rowView(row, show)), nextPage: active.nextPage },
    ended: { rows: ended.rows.map((row) => rowView(row, show)), nextPage: ended.nextPage },
  };
});

/** A buy-more or renewal order that the requester may open, by the id in an address or a form. */
async function findChange(request: RequestContext, text: string | null) {
  const id = parseId<OrderId>(text);
  const order = id === null ? null : await findOrder(request.context.db, id);
  if (order === null || !mayOpenOrder(order, requesterOf(request)) || order.subscriptionId === null)
    return null;
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
  limit: rateLimits.pay,
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
  const { title, looksOnly, completed, overview, active, ended } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result ?? null;
  const text = useTranslate();
  const mayBuy = looksOnly === null;
  const whyClosed = new Set(ended.rows.flatMap(({ actions }) => (actions === null ? [] : closedOf(actions))));
  const isEmpty = active.rows.length + ended.rows.length === 0;
  const service: Column = { label: text("subscriptions.serviceDetails"), holds: "words" };
  const domain: Column = { label: text("subscriptions.domain"), holds: "words" };
  const common: Column[] = [
    { label: text("subscriptions.purchased"), holds: "amount" },
    text("subscriptions.start"),
    text("subscriptions.end"),
    // A viewer has no actions, so the column is left out.
    ...(mayBuy ? [{ label: text("subscriptions.actions"), holds: "acts" } as const] : []),
  ];
  return (
    <div className="page">
      {completed !== null && <CompletedDialog {...completed} lastResult={result} />}
      <div className="head">
        <h1>{title}</h1>
        {mayBuy && (
          <a className="button quiet new-subscription" href={paths.explore({ TUP: "true" })}>
            <span aria-hidden="true">+</span>
            <span className="label">{text("subscriptions.add")}</span>
          </a>
        )}
      </div>
      {looksOnly !== null && (
        <Callout type="info">
          <p>{looksOnly}</p>
        </Callout>
      )}
      {overview !== null && overview.due !== null && <DueCard {...overview.due} />}
      {overview !== null && overview.charts.length > 0 && <Overview charts={overview.charts} />}
      <ListTools searchLabel={text("subscriptions.searchLabel")} isEmpty={isEmpty} />
      <section aria-labelledby="active-title">
        <h2 id="active-title">{text("subscriptions.active")}</h2>
        {active.rows.length === 0 ? (
          <EmptyList
            message={text("subscriptions.noneActive")}
            hint={text("subscriptions.noneYet")}
            drawing="subscriptions"
            mayBuy={mayBuy}
          />
        ) : (
          <ListTable
            label={text("subscriptions.activeList")}
            columns={[service, domain, ...common]}
            rows={active.rows.map((row) => ({
              id: row.id,
              cells: [
                <ServiceDetails key="name" {...row} />,
                <Breakable key="domain">{row.domain}</Breakable>,
                <Licences key="licences" {...row} />,
                <DateText key="start" {...row.start} />,
                <End key="end" {...row} />,
                row.actions !== null && <Actions key="actions" what={row.what} {...row.actions} />,
              ],
            }))}
          />
        )}
        <ListPages label={text("subscriptions.activePages")} next={active.nextPage} isNewestFirst={false} />
      </section>
      <section aria-labelledby="expired-title">
        <h2 id="expired-title">{text("subscriptions.expired")}</h2>
        {[...whyClosed].map((reason) => (
          <p key={reason} className="hint">
            {reason}
          </p>
        ))}
        {ended.rows.length === 0 ? (
          <p className="hint">{text("subscriptions.noneExpired")}</p>
        ) : (
          <ListTable
            label={text("subscriptions.expiredList")}
            columns={[service, ...common]}
            rows={ended.rows.map((row) => ({
              id: row.id,
              cells: [
                <ServiceDetails key="name" {...row} withDomain />,
                <Licences key="licences" {...row} />,
                <DateText key="start" {...row.start} />,
                <End key="end" {...row} />,
                row.actions !== null && (
                  <EndedActions key="actions" id={row.id} what={row.what} {...row.actions} />
                ),
              ],
            }))}
          />
        )}
        <ListPages label={text("subscriptions.expiredPages")} next={ended.nextPage} pageName="ended" />
      </section>
    </div>
  );
}

function CompletedDialog(props: { id: string; name: string; lastResult: SubmissionResult<string[]> | null }) {
  const { id, name, lastResult } = props;
  const [form] = useForm({ id: "completed", lastResult });
  const text = useTranslate();
  return (
    <InitiallyOpenDialog id="completed" title={name}>
      <form method="post">
        <ErrorSummary form={form} fields={[]} />
        <input type="hidden" name="order" value={id} />
        <p>{text("subscriptions.completed")}</p>
        <p className="actions">
          <SubmitButton>{text("subscriptions.continue")}</SubmitButton>{" "}
          <a href={paths.subscriptions()}>{text("subscriptions.notNow")}</a>
        </p>
      </form>
    </InitiallyOpenDialog>
  );
}
