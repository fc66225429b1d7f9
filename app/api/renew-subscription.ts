/** GET and POST /renew-subscription/{id}: the price of a subscription's next term, and the payment for it. */
import { anchorDayOf, renewedTerm } from "#server/orders/subscriptions/term.ts";
import { orderIdParams } from "../params.ts";
import { dateField, major } from "./shared/fields.ts";
import { apiLoader, jsonAction, requireParams, sessionAccess, z } from "./shared/route.ts";
import { changeData, changeEndpoint, changeFields, postChange } from "./shared/subscription-change.ts";

export const loader = apiLoader(
  {
    summary: "What a subscription's next term costs.",
    notes:
      "Available from 30 days before the end. Returns 409 before that, and once the next term is paid for.",
    tag: "Subscription",
    access: sessionAccess,
    refuses: [403, 404, 409],
    query: z.object({}),
    reply: z.object({
      subscription_data: z.object({
        ...changeFields,
        unit_price: major.describe("of one seat before tax, for the term, or a month when billed monthly"),
        start_date: dateField.describe("of the new term"),
        end_date: dateField.describe("of the new term"),
      }),
    }),
  },
  async (request, _query, params) => {
    const { common, seatPrice, subscription, now } = await changeData(
      request,
      "RENEW",
      requireParams(orderIdParams, params).id,
    );
    const { country } = subscription;
    const anchorDay = anchorDayOf(subscription, country);
    const next = renewedTerm({ ...subscription, anchorDay }, now, country);
    return {
      subscription_data: {
        ...common,
        unit_price: seatPrice,
        start_date: next.start.toISOString(),
        end_date: next.end.toISOString(),
      },
    };
  },
);

export const action = jsonAction(
  {
    summary: "Pays for a subscription's next term.",
    tag: "Subscription",
    access: sessionAccess,
    ...changeEndpoint,
  },
  (request, sent, params) => postChange(request, "RENEW", requireParams(orderIdParams, params).id, sent),
);
