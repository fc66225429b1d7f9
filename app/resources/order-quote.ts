/** `/orders/{id}/quote`: a button creates an order's quote or its next version, and a link opens the existing one. */
import { redirect } from "@remix-run/node";
import { findLatestVersion, makeQuote } from "#server/billing/quotes/quote.ts";
import * as paths from "#server/foundation/paths.ts";
import { emptySchema } from "../forms/schemas.ts";
import { formAction, pageLoader } from "../http/page.ts";
import { rateLimits } from "../http/rate-limits.ts";
import { currentPath, openOrder, requesterOf } from "../journey/guard.ts";
import { orderIdParams } from "../params.ts";

export const loader = pageLoader(orderIdParams, async (request, params) => {
  const order = await openOrder(request, params);
  const quote = await findLatestVersion(request.context.db, order.id);
  throw redirect(quote === null ? currentPath(order) : paths.quote(quote.id));
});

export const action = formAction({
  params: orderIdParams,
  pageless: true,
  limit: rateLimits.beginOrder,
  schema: emptySchema,
  handler: async (request, params) => {
    const { id: orderId } = await openOrder(request, params);
    const quote = await makeQuote(request.context, {
      orderId,
      requester: requesterOf(request),
      now: new Date(),
    });
    return redirect(paths.quote(quote.id), 303);
  },
});
