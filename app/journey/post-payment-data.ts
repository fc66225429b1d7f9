/** Refunds, disputes and cancelled licences of a paid order, for the order's pages. */
import type { Order } from "#db/orders/order.ts";
import { findLatestReduction } from "#server/billing/cancellations/read.ts";
import * as paths from "#server/foundation/paths.ts";
import { mayOrder } from "#server/orders/draft.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import type { RequestContext } from "../http/request-context.ts";
import { requesterOf } from "./guard.ts";
import { postPaymentStatus } from "./order-labels.ts";
import type { PostPaymentView } from "./post-payment-status.tsx";

/** Null for an order without any. A payment that bought nothing has its own page. */
export async function postPaymentView(
  request: RequestContext,
  order: Order,
): Promise<PostPaymentView | null> {
  if (!isPaid(order)) return null;
  const { text } = request;
  const money = postPaymentStatus(order);
  const given = await givenBackIn(request, order);
  if (money === null && given === null) return null;
  return {
    money: money === null ? null : { words: text(money.words), look: money.look, says: text(money.says) },
    given,
  };
}

async function givenBackIn(
  request: RequestContext,
  { id, country }: Order,
): Promise<PostPaymentView["given"]> {
  const { context, text, language } = request;
  const given = await findLatestReduction(context.db, id);
  if (given === null) return null;
  const { cancellation, seats } = given;
  const { kind, finishedAt, subscriptionId } = cancellation;
  const licences = text("orders.licences", { count: seats });
  const date = finishedAt === null ? null : formatDate(finishedAt, country, language);
  const says =
    kind === "cancel"
      ? date === null
        ? text("orders.cancelling")
        : text("orders.cancelledSays", { date })
      : date === null
        ? text("orders.returning", { licences })
        : text("orders.returnedSays", { licences, date });
  // A user who can no longer order cannot open the cancellation either.
  const href = mayOrder(requesterOf(request))
    ? paths.cancelSubscription(subscriptionId, { asked: cancellation.id })
    : null;
  return { says, link: href === null ? null : { href, label: text("cancellation.whereItStands") } };
}
