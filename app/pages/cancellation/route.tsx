/**
 * `/subscriptions/{id}/cancel`: the licences that can be cancelled, the confirmation with the exact amount (`?give=`), and the
 * state of a request (`?asked=`).
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type CancellationId, parseId } from "#db/ids.ts";
import { findCustomer } from "#server/accounts/customers.ts";
import { calculateCancellationRefund } from "#server/billing/cancellations/options.ts";
import { readCancellationOutcome } from "#server/billing/cancellations/read.ts";
import {
  currentCancellationOptions,
  getCancellationOf,
  latestCancellation,
  requestCancellation,
} from "#server/billing/cancellations/request.ts";
import { assertNever, DomainError, notFound, wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { requireBuyer } from "#server/orders/draft.ts";
import { getSubscriptionOf } from "#server/orders/subscriptions/subscription.ts";
import { cancellationSchema } from "../../forms/company-schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { type RequestContext, refreshTo, requireSession } from "../../http/request-context.ts";
import { requesterOf } from "../../journey/guard.ts";
import { subscriptionParams } from "../../params.ts";
import { noindexMeta } from "../../ui/head.ts";
import { CancellationChoice, CancellationConfirm, CancellationProgress } from "./views.tsx";
import { choiceView, confirmView, stateView } from "./views-data.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

/** @throws DomainError not_found for another company's, forbidden for a viewer; a redirect to the login */
async function openAt(request: RequestContext, subscriptionId: string) {
  const { userId, customer } = requireSession(request);
  const { db } = request.context;
  const subscription = await getSubscriptionOf(db, customer?.id ?? null, subscriptionId);
  requireBuyer(requesterOf(request));
  const company = await findCustomer(db, subscription.customerId);
  if (company === null) throw notFound("company");
  return { subscription, country: company.country, userId, customerId: company.id };
}

/** Licences to cancel: "all", or a number. */
function giveIn(text: string | null, held: number) {
  if (text === "all") return { kind: "cancel" as const, seats: held };
  return text !== null && /^[1-9]\d{0,8}$/.test(text)
    ? { kind: "reduce" as const, seats: Number(text) }
    : null;
}

export const loader = pageLoader(
  subscriptionParams,
  async (request, params) => {
    const { subscription, country, customerId } = await openAt(request, params.subscriptionId);
    const { db } = request.context;
    const { searchParams } = request.url;
    const now = new Date();
    const here = paths.cancelSubscription(subscription.id);

    const requested = searchParams.get("asked");
    const latest = await latestCancellation(db, subscription.id);
    const isOpen = latest !== null && latest.finishedAt === null;
    if (requested !== null || isOpen) {
      const id = parseId<CancellationId>(requested) ?? latest?.id ?? null;
      if (id === null) throw redirect(here);
      const { cancellation, subscription: of } = await getCancellationOf(db, customerId, id);
      if (of.id !== subscription.id) throw notFound("subscription");
      const outcome = await readCancellationOutcome(db, cancellation, subscription);
      const secondsToLookAgain = 5;
      if (cancellation.finishedAt === null)
        refreshTo(request, secondsToLookAgain, paths.cancelSubscription(subscription.id, { asked: id }));
      return stateView(request, { subscription, country, cancellation, outcome });
    }

    const offer = await currentCancellationOptions(request.context, subscription, now);
    const give = giveIn(searchParams.get("give"), subscription.quantity);
    if (give === null) return choiceView(request, { subscription, country, offer });
    const open = offer[give.kind];
    if ("closed" in open || ("most" in open && give.seats > open.most)) throw redirect(here);
    const back = await calculateCancellationRefund(db, subscription, give, now);
    if (back === null) throw redirect(here);
    return confirmView(request, { subscription, country, ...give, back });
  },
  { limit: rateLimits.cancel },
);

export const action = formAction({
  params: subscriptionParams,
  limit: rateLimits.cancel,
  schema: cancellationSchema,
  handler: async (request, params, value) => {
    const { subscription, userId, customerId } = await openAt(request, params.subscriptionId);
    const { context } = request;
    const now = new Date();
    switch (value.intent) {
      case "count": {
        const { reduce } = await currentCancellationOptions(context, subscription, now);
        if ("closed" in reduce) throw new DomainError("conflict", reduce.closed);
        if (value.seats > reduce.most) {
          const licences = msg("orders.licences", { count: reduce.most });
          throw wrongField("seats", msg("cancellation.seatsMost", { licences }));
        }
        return redirect(paths.cancelSubscription(subscription.id, { give: String(value.seats) }), 303);
      }
      case "confirm": {
        const id = parseId<CancellationId>(value.id);
        const give = giveIn(value.give, subscription.quantity);
        if (id === null || give === null) throw notFound();
        const wish = { id, ...give, totalMinor: value.total };
        await requestCancellation(context, { customerId, userId }, subscription.id, wish, now);
        return redirect(paths.cancelSubscription(subscription.id, { asked: id }), 303);
      }
      default:
        return assertNever(value);
    }
  },
});

export default function Cancellation() {
  const data = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result ?? null;
  if (data.view === "choice") return <CancellationChoice {...data} lastResult={result} />;
  return data.view === "confirm" ? (
    <CancellationConfirm {...data} lastResult={result} />
  ) : (
    <CancellationProgress {...data} />
  );
}
