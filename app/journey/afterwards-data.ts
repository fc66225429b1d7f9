/** What became of a paid order since: its money went back or is disputed, its licences were given back. For the pages of the order. */
import type { Order } from "#db/order.ts";
import { givenBackOf } from "#server/cancellations/read.ts";
import { mayOrder } from "#server/orders/draft.ts";
import { isPaid } from "#server/orders/order.ts";
import * as paths from "#server/paths.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { AfterwardsView } from "./afterwards.tsx";
import { askerOf } from "./guard.ts";
import { moneyAfterwards } from "./order-words.ts";

/** Null for an order of which there is nothing to say. One whose payment bought nothing has a page of its own for that. */
export async function afterwardsIn(request: RequestContext, order: Order): Promise<AfterwardsView | null> {
  if (!isPaid(order)) return null;
  const { text } = request;
  const money = moneyAfterwards(order);
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
): Promise<AfterwardsView["given"]> {
  const { context, text, language } = request;
  const given = await givenBackOf(context.db, id);
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
  // Whoever may no longer order may not open the cancellation either.
  const href = mayOrder(askerOf(request))
    ? paths.cancelSubscription(subscriptionId, { asked: cancellation.id })
    : null;
  return { says, link: href === null ? null : { href, label: text("cancellation.whereItStands") } };
}
