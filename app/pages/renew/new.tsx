/** Step 1 of a renewal: how many licences the next term of a subscription has. */
import { useActionData, useLoaderData } from "@remix-run/react";
import { newChangeAction, newChangeLoader } from "../steps/new-change.ts";
import { NewJourney } from "../steps/new-journey.tsx";

export const handle = { hydrate: true };

export const loader = newChangeLoader("RENEW");
export const action = newChangeAction("RENEW");

export const meta = ({ data }: { data?: { item: { name: string } } }) => [
  { title: `Renew ${data?.item.name ?? "a subscription"} | Hubs of Happiness` },
];

export default function Renew() {
  const data = useLoaderData<typeof loader>();
  return <NewJourney {...data} lastResult={useActionData<typeof action>()?.result} />;
}
