/** GET and POST /add/user/{subscriptionId}: the price of more licences for a subscription, and the payment for them. */

import { subscriptionParams } from "../params.ts";
import { dateField, major } from "./shared/fields.ts";
import { apiLoader, jsonAction, requireParams, sessionAccess, z } from "./shared/route.ts";
import { changeData, changeEndpoint, changeFields, postChange } from "./shared/subscription-change.ts";

export const loader = apiLoader(
  {
    summary: "The cost of one more license until the end of the paid term.",
    notes: "409 if the subscription has ended.",
    tag: "Subscription",
    access: sessionAccess,
    refuses: [403, 404, 409],
    query: z.object({}),
    reply: z.object({
      ...changeFields,
      cost_per_person: major.describe(
        "of one seat before tax: the seat's price x days_left / days_in_term, to 2 decimals",
      ),
      days_left: z.int().describe("days left, counting part days"),
      days_in_term: z.int(),
      end_date: dateField,
    }),
  },
  async (request, _query, params) => {
    const { subscriptionId } = requireParams(subscriptionParams, params);
    const { common, seatPrice, proration, subscription } = await changeData(request, "ADD", subscriptionId);
    return {
      ...common,
      cost_per_person: seatPrice,
      days_left: proration.daysLeft,
      days_in_term: proration.daysInTerm,
      end_date: subscription.end.toISOString(),
    };
  },
);

export const action = jsonAction(
  {
    summary: "Pays for more licenses of a subscription.",
    tag: "Subscription",
    access: sessionAccess,
    ...changeEndpoint,
  },
  (request, sent, params) =>
    postChange(request, "ADD", requireParams(subscriptionParams, params).subscriptionId, sent),
);
