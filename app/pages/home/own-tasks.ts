/** A customer's tasks at the top of the landing page: the next renewal, orders that wait for them, and more licences. */

import { narrowingOf } from "#server/billing/books/order-filter.ts";
import * as paths from "#server/foundation/paths.ts";
import { mayOrder } from "#server/orders/draft.ts";
import { listCart, listPaidOrders } from "#server/orders/lists.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { listActiveSubscriptions } from "#server/orders/subscriptions/lists.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { requesterOf } from "../../journey/guard.ts";

export interface OwnTask {
  href: string;
  words: string;
}

/** Empty for visitors, for a company that has nothing yet, and for users who must set up a second factor first. */
export async function ownTasksOf(request: RequestContext): Promise<OwnTask[]> {
  const { context, session, text, language } = request;
  const customer = session?.customer ?? null;
  if (customer === null || session?.isKeptOut === true) return [];
  const { db } = context;
  const requester = requesterOf(request);
  const one = { limit: 1 };
  const [active, unpaid, unsigned] = await Promise.all([
    listActiveSubscriptions(db, customer.id, one, new Date()),
    listCart(db, requester, one),
    listPaidOrders(db, requester, one, narrowingOf({ state: "needs-sign-in" }, customer.country)),
  ]);
  return [
    ...active.rows.map(({ name, end }) => ({
      href: paths.renewals(),
      words: text("home.nextRenewal", { name, date: formatDate(end, customer.country, language) }),
    })),
    ...unpaid.rows.map(({ line: { name } }) => ({
      href: paths.cart(),
      words: text("home.notPaid", { name }),
    })),
    ...unsigned.rows.map(({ line: { name } }) => ({
      href: paths.myOrders({ state: "needs-sign-in" }),
      words: text("home.needsSignIn", { name }),
    })),
    ...(active.rows.length > 0 && mayOrder(session)
      ? [{ href: paths.subscriptions(), words: text("home.buyMore") }]
      : []),
  ];
}
