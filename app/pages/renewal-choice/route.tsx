/**
 * `/renewal/{token}` and `/subscriptions/{id}/renewal`: the renewal choice of a subscription. The first is a mailed link that
 * needs no login; the second is for members who may buy for the company. Opening either changes nothing.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { UserId } from "#db/ids.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import { findCustomer } from "#server/accounts/customers.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { requireBuyer } from "#server/orders/draft.ts";
import {
  chooseRenewal,
  type RenewalChoiceInput,
  subscriptionOfLink,
  withdrawRenewalChoice,
} from "#server/orders/renewal-choice.ts";
import { mayRenew } from "#server/orders/subscriptions/days.ts";
import { getSubscriptionOf } from "#server/orders/subscriptions/subscription.ts";
import { renewalChoiceSchema } from "../../forms/company-schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { type RequestContext, redirectWith, requireSession } from "../../http/request-context.ts";
import { requesterOf } from "../../journey/guard.ts";
import { renewalChoiceParams } from "../../params.ts";
import { DeadLinkPage, mailedLinkHead } from "../../ui/dead-link.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { choiceView } from "./view-data.ts";
import { ChoicePage } from "./views.tsx";

export const meta = mailedLinkHead;

interface Params {
  subscriptionId?: string | undefined;
  token?: string | undefined;
}

/**
 * @throws DomainError not_found for an expired link and for another company's, forbidden for a viewer; a redirect to the login
 */
async function openAt(
  request: RequestContext,
  { subscriptionId, token }: Params,
): Promise<{ subscription: Subscription; userId: UserId; byLink: boolean }> {
  const { db } = request.context;
  if (token !== undefined) {
    const found = await subscriptionOfLink(db, token);
    if (found === null) throw new DomainError("not_found", msg("renewals.linkOver"));
    return { ...found, byLink: true };
  }
  const { userId, customer } = requireSession(request);
  const subscription = await getSubscriptionOf(db, customer?.id ?? null, subscriptionId ?? "");
  requireBuyer(requesterOf(request));
  return { subscription, userId, byLink: false };
}

export const loader = pageLoader(
  renewalChoiceParams,
  async (request, params) => {
    const { subscription, byLink } = await openAt(request, params);
    const company = await findCustomer(request.context.db, subscription.customerId);
    if (company === null) throw notFound("company");
    const { country } = company;
    const view = await choiceView(request, { subscription, country, byLink, now: new Date() });
    return { ...view, hasWayBack: !byLink };
  },
  { limit: rateLimits.renewalChoice },
);

export const action = formAction({
  params: renewalChoiceParams,
  limit: rateLimits.renewalChoice,
  schema: renewalChoiceSchema,
  handler: async (request, params, value) => {
    const { subscription, userId, byLink } = await openAt(request, params);
    const { db } = request.context;
    const now = new Date();
    const { id } = subscription;
    const by = { userId, byLink };
    const here = params.token === undefined ? paths.renewalChoice(id) : paths.renewalLink(params.token);
    const back = (message: string) => redirectWith(request, here, { type: "success", message });
    if (value.intent === "undo") {
      await db.transaction().execute((trx) => withdrawRenewalChoice(trx, id, by, now));
      return back(request.text("renewals.undone"));
    }
    const choosing: RenewalChoiceInput =
      value.intent === "fewer" ? { decision: "fewer", seats: value.seats } : { decision: value.intent };
    await db.transaction().execute((trx) => chooseRenewal(trx, id, choosing, by, now));
    if (value.intent === "stop") return back(request.text("renewals.stopped"));
    return mayRenew(subscription, now) ? redirect(paths.renew(id), 303) : back(request.text("renewals.kept"));
  },
});

export default function RenewalChoice() {
  const data = useLoaderData<typeof loader>();
  return <ChoicePage {...data} lastResult={useActionData<typeof action>()?.result ?? null} />;
}

export function ErrorBoundary() {
  const text = useTranslate();
  return (
    <DeadLinkPage>
      <h1>{text("renewals.linkOver")}</h1>
      <p>{text("renewals.linkOverWhy")}</p>
      <p className="actions">
        <a className="button" href={paths.subscriptions()}>
          {text("subscriptions.title")}
        </a>
      </p>
    </DeadLinkPage>
  );
}
