/** `/sync/cp`: a blank page for signed-in users. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageLoader } from "../../http/page.ts";
import { requireSession } from "../../http/request-context.ts";
import { noindexMeta } from "../../ui/head.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const loader = pageLoader(z.unknown(), async (request) => {
  requireSession(request);
  return { title: request.text("account.sync") };
});

export default function Sync() {
  return <h1 className="visually-hidden">{useLoaderData<typeof loader>().title}</h1>;
}
