/** Step 1 of an order that exists: the details may be changed until it is paid. */
import { useActionData, useLoaderData } from "@remix-run/react";
import { limits } from "../../http/limits.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { detailsBroken, detailsSchemaOf, saveDetails } from "./details-post.ts";
import { openStep } from "../guard.ts";
import { offerOf } from "./offer.ts";
import { orderParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { DetailsForm } from "./details-form.tsx";
import { detailsView } from "./details-view.ts";

export const handle: Handle = { hydrate: true };

const step = "subscription-details";

export const loader = pageLoader(orderParams, async (page, params) => {
  const order = await openStep(page, params, step);
  return detailsView(page, await offerOf(page, order), order);
});

export const action = formAction({
  params: orderParams,
  limit: limits.beginOrder,
  schema: async (page, params) => detailsSchemaOf(await offerOf(page, await openStep(page, params, step))),
  whenBroken: detailsBroken,
  handler: async (page, params, value) => {
    const order = await openStep(page, params, step);
    return saveDetails(page, await offerOf(page, order), order, value);
  },
});

export default function SubscriptionDetails() {
  const data = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return <DetailsForm {...data} lastResult={reply?.result} />;
}
