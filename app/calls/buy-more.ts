/** GET and POST /add/user/{subscriptionId}: the price of more licences for a subscription, and the payment for them. */

import { subscriptionParams } from "../params.ts";
import { changeCall, changeData, changeFields, postChange } from "./shared/change.ts";
import { dateField, major } from "./shared/fields.ts";
import { apiLoader, jsonAction, requireParams, signedIn, z } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "What one more licence costs to the end of the term that is paid for.",
    notes: "Of a subscription that has ended there is none: 409 says so.",
    tag: "Subscription",
    access: signedIn,
    refuses: [403, 404, 409],
    query: z.object({}),
    reply: z.object({
      ...changeFields,
      cost_per_person: major.describe(
        "of one seat before tax: the seat's price x days_left / days_in_term, to 2 decimals",
      ),
      days_left: z.int().describe("whole days to the end, begun ones counted"),
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
    summary: "Pays for more licences of a subscription.",
    tag: "Subscription",
    access: signedIn,
    ...changeCall,
  },
  (request, sent, params) =>
    postChange(request, "ADD", requireParams(subscriptionParams, params).subscriptionId, sent),
);
