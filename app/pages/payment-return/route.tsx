/**
 * `/payments/return`: receives the result that a provider's payment page posts, or that it adds to this URL after a payment
 * through a link. Both come from another site, and the former without our cookies. So the order is found by the provider's order
 * id, the signature authenticates it, and the browser is redirected to a page that checks the visitor. A payer with a payment
 * link who cannot open the order sees only the amount, the date and the order's number, which they need for their books.
 */
import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { Order } from "#db/orders/order.ts";
import {
  fieldsOfReturn,
  type PaymentReturnResult,
  receiveReturn,
} from "#server/billing/payments/payment-return.ts";
import { openQuoteRequest } from "#server/billing/quotes/requests.ts";
import { notFound } from "#server/foundation/errors.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder, mayOpenOrder } from "#server/orders/find.ts";
import { payerCookie, readText } from "../../http/cookies.ts";
import { crossSiteFormAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { currentPath, declinedPath, leftPath, requesterOf } from "../../journey/guard.ts";
import { Receipt } from "../../journey/receipt.tsx";
import { receiptOf } from "../../journey/receipt-data.ts";
import { noindexMeta } from "../../ui/head.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

async function received(
  { context }: RequestContext,
  sent: unknown,
): Promise<{ settlement: PaymentReturnResult; order: Order }> {
  const settlement = await receiveReturn(context, sent);
  const order = await findOrder(context.db, settlement.orderId);
  if (order === null) throw notFound("payment");
  return { settlement, order };
}

/**
 * The page from which this browser left to pay the order by a mailed link; null for any other browser, or when the link has
 * expired.
 */
async function payersPage(request: RequestContext, { id }: Order): Promise<string | null> {
  const { db, env } = request.context;
  const token = await readText(payerCookie(env), request.raw);
  const opened = token === null ? null : await openQuoteRequest(db, token, new Date());
  if (token === null || opened === null || opened.order.id !== id || opened.state !== "open") return null;
  return paths.quoteRequest(token, "checkout");
}

export const loader = pageLoader(
  z.unknown(),
  async (request) => {
    const sent = Object.fromEntries(request.url.searchParams);
    const { settlement, order } = await received(request, sent);
    if (mayOpenOrder(order, requesterOf(request))) throw redirect(currentPath(order), 303);
    const { text, language } = request;
    if (settlement.state === "completed")
      return {
        title: text("paying.linkPaid"),
        receipt: receiptOf(request, order, []),
        says: text("paying.linkPaidHow"),
        again: null,
      };
    const why = translate(language, settlement.problem);
    if (settlement.state !== "failed" && settlement.state !== "left") {
      const again = {
        href: `${paths.paymentReturn()}${request.url.search}`,
        does: text("signIn.checkAgain"),
      };
      return {
        title: text("paying.linkChecked"),
        receipt: null,
        says: why,
        again: settlement.state === "pending" ? again : null,
      };
    }
    const href = await payersPage(request, order);
    return {
      title: text("paying.linkFailed"),
      receipt: null,
      says: text(href === null ? "paying.linkFailedHow" : "paying.linkFailedWhy", { why }),
      again: href === null ? null : { href, does: text("paying.tryAgain") },
    };
  },
  { limit: rateLimits.payReturn },
);

export const action = crossSiteFormAction({
  limit: rateLimits.payReturn,
  handler: async (request, posted) => {
    // A payer with a mailed link has no account: this page shows them the result, which the loader reads again.
    if (request.url.searchParams.get("by") === "link")
      return redirect(`${paths.paymentReturn()}?${fieldsOfReturn(posted)}`, 303);
    const { order, settlement } = await received(request, Object.fromEntries(posted));
    if (settlement.state === "left") return redirect(leftPath(order), 303);
    return redirect(settlement.state === "failed" ? declinedPath(order) : currentPath(order), 303);
  },
});

/**
 * Shown only to a payer who cannot open the order. Without a component, Remix would answer refusals as JSON instead of an error
 * page.
 */
export default function PaymentReturn() {
  const { title, receipt, says, again } = useLoaderData<typeof loader>();
  return (
    <section className="page narrow">
      {receipt !== null && <Receipt {...receipt} left={null} />}
      <h1>{title}</h1>
      <p>{says}</p>
      {again !== null && (
        <p className="actions">
          <a className="button" href={again.href}>
            {again.does}
          </a>
        </p>
      )}
    </section>
  );
}
