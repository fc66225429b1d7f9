/**
 * `/subscriptions/{id}/cancel`: what of a subscription can be given back, the confirmation with the exact amount (`?give=`), and where
 * it stands (`?asked=`).
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type CancellationId, parseId } from "#db/ids.ts";
import { findCustomer } from "#server/accounts/customers.ts";
import {
  askCancellation,
  currentOffer,
  getCancellationOf,
  latestCancellation,
} from "#server/cancellations/ask.ts";
import { givenBack } from "#server/cancellations/offer.ts";
import { outcomeOf } from "#server/cancellations/read.ts";
import { DomainError, notFound, unreachable, wrongField } from "#server/errors.ts";
import { told } from "#server/languages/text.ts";
import { requireBuyer } from "#server/orders/draft.ts";
import * as paths from "#server/paths.ts";
import { getSubscriptionOf } from "#server/subscriptions/subscription.ts";
import { cancellationSchema } from "../../forms/schemas.ts";
import { limits } from "../../http/limits.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { moveOn, type RequestContext, requireSession } from "../../http/request-context.ts";
import { askerOf } from "../../journey/guard.ts";
import { subscriptionParams } from "../../params.ts";
import { unindexedPage } from "../../ui/head.ts";
import { Choice, Confirm, Standing } from "./views.tsx";
import { choiceView, confirmView, stateView } from "./views-data.ts";

export const meta = unindexedPage<{ title: string }>((data) => data?.title ?? "");

/** @throws DomainError not_found for another company's, forbidden for a viewer; a redirect to the login */
async function openAt(request: RequestContext, subscriptionId: string) {
  const { userId, customer } = requireSession(request);
  const { db } = request.context;
  const subscription = await getSubscriptionOf(db, customer?.id ?? null, subscriptionId);
  requireBuyer(askerOf(request));
  const company = await findCustomer(db, subscription.customerId);
  if (company === null) throw notFound("company");
  return { subscription, country: company.country, userId, customerId: company.id };
}

/** "all", or a number of licences. */
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

    const asked = searchParams.get("asked");
    const latest = await latestCancellation(db, subscription.id);
    const isOpen = latest !== null && latest.finishedAt === null;
    if (asked !== null || isOpen) {
      const id = parseId<CancellationId>(asked) ?? latest?.id ?? null;
      if (id === null) throw redirect(here);
      const { cancellation, subscription: of } = await getCancellationOf(db, customerId, id);
      if (of.id !== subscription.id) throw notFound("subscription");
      const outcome = await outcomeOf(db, cancellation, subscription);
      const secondsToLookAgain = 5;
      if (cancellation.finishedAt === null)
        moveOn(request, secondsToLookAgain, paths.cancelSubscription(subscription.id, { asked: id }));
      return stateView(request, { subscription, country, cancellation, outcome });
    }

    const offer = await currentOffer(request.context, subscription, now);
    const give = giveIn(searchParams.get("give"), subscription.quantity);
    if (give === null) return choiceView(request, { subscription, country, offer });
    const open = offer[give.kind];
    if ("closed" in open || ("most" in open && give.seats > open.most)) throw redirect(here);
    const back = await givenBack(db, subscription, give, now);
    if (back === null) throw redirect(here);
    return confirmView(request, { subscription, country, ...give, back });
  },
  { limit: limits.cancel },
);

export const action = formAction({
  params: subscriptionParams,
  limit: limits.cancel,
  schema: cancellationSchema,
  handler: async (request, params, value) => {
    const { subscription, userId, customerId } = await openAt(request, params.subscriptionId);
    const { context } = request;
    const now = new Date();
    switch (value.intent) {
      case "count": {
        const { reduce } = await currentOffer(context, subscription, now);
        if ("closed" in reduce) throw new DomainError("conflict", reduce.closed);
        if (value.seats > reduce.most) {
          const licences = told("orders.licences", { count: reduce.most });
          throw wrongField("seats", told("cancellation.seatsMost", { licences }));
        }
        return redirect(paths.cancelSubscription(subscription.id, { give: String(value.seats) }), 303);
      }
      case "confirm": {
        const id = parseId<CancellationId>(value.id);
        const give = giveIn(value.give, subscription.quantity);
        if (id === null || give === null) throw notFound();
        const wish = { id, ...give, totalMinor: value.total };
        await askCancellation(context, { customerId, userId }, subscription.id, wish, now);
        return redirect(paths.cancelSubscription(subscription.id, { asked: id }), 303);
      }
      default:
        return unreachable(value);
    }
  },
});

export default function Cancellation() {
  const data = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result ?? null;
  if (data.view === "choice") return <Choice {...data} lastResult={result} />;
  return data.view === "confirm" ? <Confirm {...data} lastResult={result} /> : <Standing {...data} />;
}
