/** Step 1 of buy more: how many licences to add to a subscription, paid for to the end of its term. */
import { useActionData, useLoaderData } from "@remix-run/react";
import { newChangeAction, newChangeLoader } from "../steps/new-change.ts";
import { NewJourney } from "../steps/new-journey.tsx";

export const handle = { hydrate: true };

export const loader = newChangeLoader("ADD");
export const action = newChangeAction("ADD");

export const meta = ({ data }: { data?: { item: { name: string } } }) => [
  { title: `More licences of ${data?.item.name ?? "a subscription"} | Hubs of Happiness` },
];

export default function BuyMore() {
  const data = useLoaderData<typeof loader>();
  return <NewJourney {...data} lastResult={useActionData<typeof action>()?.result} />;
}
