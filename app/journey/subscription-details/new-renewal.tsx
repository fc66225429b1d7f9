/** Step 1 of a renewal: how many licences the next term of a subscription has. */
import { useActionData, useLoaderData } from "@remix-run/react";
import { formAction, pageLoader } from "../../http/page.ts";
import { subscriptionParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { changeForm, showChange } from "./new-change.ts";
import { NewJourney } from "./new-journey.tsx";

export const handle: Handle = { hydrate: true };

export { shouldRevalidate } from "../stale-page.ts";

export const loader = pageLoader(subscriptionParams, showChange("RENEW"));

export const action = formAction(changeForm("RENEW"));

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export default function Renew() {
  const data = useLoaderData<typeof loader>();
  return <NewJourney {...data} lastResult={useActionData<typeof action>()?.result} />;
}
