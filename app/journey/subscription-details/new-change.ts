/**
 * The first step of buy more and of renew: the same data and post for both kinds of order. A buyer with an open paid order is
 * redirected to it, so that they do not pay again.
 */
import { redirect } from "@remix-run/node";
import type { z } from "zod";
import {
  changeUnderWay,
  findRecentlyFulfilledChange,
  latestPaidChange,
} from "#server/billing/payments/change-under-way.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { notFound } from "#server/foundation/errors.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { requireBuyer } from "#server/orders/draft.ts";
import { orderPath } from "#server/orders/order-path.ts";
import { type ChangeKind, whyNotChangeableNow } from "#server/orders/subscription-change.ts";
import { formatTime } from "#server/orders/subscriptions/dates.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { type RequestContext, redirectWith, requireSession } from "../../http/request-context.ts";
import { subscriptionParams } from "../../params.ts";
import { currentPath, requesterOf } from "../guard.ts";
import { newOrderPanel } from "../panel-steps.ts";
import { detailsBroken, newOrderForm } from "./details-post.ts";
import { detailsView } from "./details-view.ts";
import { changeContextOf, recentDraftOf } from "./purchase-context.ts";

type Params = z.output<typeof subscriptionParams>;
type ChangeOffer = NonNullable<Awaited<ReturnType<typeof changeContextOf>>>;

/**
 * @throws DomainError not_found, or forbidden for a viewer; a redirect to the login, to the popup that offers to continue a
 *   paid order (docs/specification.md, section 4.6), or back to the list with the reason why the subscription cannot be
 *   changed
 */
async function offerAt(request: RequestContext, kind: ChangeKind, { subscriptionId }: Params) {
  requireSession(request);
  const offer = await changeContextOf(request, kind, subscriptionId);
  if (offer === null) throw notFound("subscription");
  requireBuyer(requesterOf(request));
  const { subscription, country } = offer;
  const underWay = await changeUnderWay(request.context, subscription.id, kind);
  if (underWay.state === "paid") throw redirect(paths.subscriptions({ completed: underWay.order.id }));
  const refused = await whyNotChangeableNow(request.context.db, kind, subscription, country, new Date());
  if (refused !== null) {
    const { text, language } = request;
    const what = text("subscriptions.what", { name: subscription.name, domain: subscription.domain });
    const message = text("subscriptions.notChanged", { what, why: translate(language, refused) });
    throw await redirectWith(request, paths.subscriptions(), { type: "error", message });
  }
  return offer;
}

/** `?stage=3` redirects to the last step of the latest paid order. Without one, the first step shows. */
async function toLastStep(
  request: RequestContext,
  kind: ChangeKind,
  { subscriptionId }: Params,
): Promise<void> {
  if (request.url.searchParams.get("stage") !== "3") return;
  requireSession(request);
  const offer = await changeContextOf(request, kind, subscriptionId);
  const { db } = request.context;
  const order = offer === null ? null : await latestPaidChange(db, offer.subscription.id, kind);
  if (order !== null) throw redirect(currentPath(order));
}

/** The data of the step's loader. It throws as offerAt, and a redirect for `?stage=3`. */
export function showChange(kind: ChangeKind) {
  return async (request: RequestContext, params: Params) => {
    await toLastStep(request, kind, params);
    const offer = await offerAt(request, kind, params);
    return {
      ...(await detailsView(request, offer, await recentDraftOf(request, offer))),
      panel: newOrderPanel(offer, request.language),
      title: request.text(kind === "ADD" ? "steps.moreTitle" : "steps.renewTitle", { name: offer.item.name }),
      note: await justDone(request, kind, offer),
    };
  };
}

/** Shows a buyer who is unsure about a payment that it succeeded, before they pay again. */
async function justDone(request: RequestContext, kind: ChangeKind, { subscription, country }: ChangeOffer) {
  const order = await findRecentlyFulfilledChange(request.context, subscription.id, kind, new Date());
  if (order === null || order.paidAt === null) return null;
  const { text, language } = request;
  return {
    text: text(kind === "ADD" ? "steps.paidForAdding" : "steps.paidForRenewing", {
      amount: formatMoney(order.total),
      time: formatTime(order.paidAt, country, language),
      licences: text("orders.licences", { count: order.line.quantity }),
    }),
    href: orderPath(order),
  };
}

/** The options for the step's formAction. They throw as offerAt, and the handler as saveDetails. */
export function changeForm(kind: ChangeKind) {
  return {
    params: subscriptionParams,
    limit: rateLimits.pay,
    faultMessage: detailsBroken,
    open: async (request: RequestContext, params: Params) =>
      newOrderForm(request, await offerAt(request, kind, params)),
  };
}
