/** Step 1 of a renewal: how many licences the next term of a subscription has. */
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

const kind = "RENEW";

export const loader = pageLoader(subscriptionParams, (page, params) => newChangeView(page, kind, params));

export const action = formAction({
  params: subscriptionParams,
  limit: limits.pay,
  schema: (page, params) => newChangeSchema(page, kind, params),
  whenBroken: detailsBroken,
  handler: (page, params, answers) => postNewChange(page, kind, params, answers),
});

export const meta = unindexedPage<{ item: { name: string } }>(
  (data) => `Renew ${data?.item.name ?? "a subscription"}`,
);

export default function Renew() {
  const data = useLoaderData<typeof loader>();
  return <NewJourney {...data} lastResult={useActionData<typeof action>()?.result} />;
}
