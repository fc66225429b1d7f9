/** Step 1 of buy more: how many licences to add to a subscription, paid for to the end of its term. */
import { useActionData, useLoaderData } from "@remix-run/react";
import { limits } from "../../http/limits.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { detailsBroken } from "./details-post.ts";
import { subscriptionParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { unindexedPage } from "../../ui/head.ts";
import { newChangeSchema, newChangeView, postNewChange } from "./new-change.ts";
import { NewJourney } from "./new-journey.tsx";

export const handle: Handle = { hydrate: true };

const kind = "ADD";

export const loader = pageLoader(subscriptionParams, (page, params) => newChangeView(page, kind, params));

export const action = formAction({
  params: subscriptionParams,
  limit: limits.pay,
  schema: (page, params) => newChangeSchema(page, kind, params),
  whenBroken: detailsBroken,
  handler: (page, params, answers) => postNewChange(page, kind, params, answers),
});

export const meta = unindexedPage<{ item: { name: string } }>(
  (data) => `More licences of ${data?.item.name ?? "a subscription"}`,
);

export default function BuyMore() {
  const data = useLoaderData<typeof loader>();
  return <NewJourney {...data} lastResult={useActionData<typeof action>()?.result} />;
}
