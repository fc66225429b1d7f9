/** Step 1 of an existing order. Its details may be changed until it is paid. */
import { useActionData, useLoaderData } from "@remix-run/react";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { orderParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { openStep } from "../guard.ts";
import { DetailsForm } from "./details-form.tsx";
import { type Answers, detailsBroken, detailsSchemaOf, saveDetails } from "./details-post.ts";
import { detailsView } from "./details-view.ts";
import { updateTotalIntent } from "./live-total.tsx";
import { purchaseContextOf } from "./purchase-context.ts";

export const handle: Handle = { hydrate: true };

export { shouldRevalidate } from "../stale-page.ts";

const step = "subscription-details";

export const loader = pageLoader(orderParams, async (request, params) => {
  const order = await openStep(request, params, step);
  return detailsView(request, await purchaseContextOf(request, order), order);
});

export const action = formAction({
  params: orderParams,
  limit: rateLimits.beginOrder,
  faultMessage: detailsBroken,
  open: async (request, params) => {
    const order = await openStep(request, params, step);
    const offer = await purchaseContextOf(request, order);
    return {
      schema: detailsSchemaOf(offer),
      redrawnBy: updateTotalIntent,
      handler: (_request, _params, answers: Answers) => saveDetails(request, offer, order, answers),
    };
  },
});

export default function SubscriptionDetails() {
  const data = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return <DetailsForm {...data} lastResult={reply?.result} />;
}
