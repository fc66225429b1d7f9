/**
 * `/Home`: the same catalogue for signed-in users (docs/decisions/pages.md#home-and-mssignup). A visitor logs in first and comes
 * back.
 */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageLoader } from "../../http/page.ts";
import { requireSession } from "../../http/request-context.ts";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { Catalogue } from "./catalogue.tsx";
import { catalogueOf } from "./catalogue-data.ts";

export const loader = pageLoader(z.unknown(), async (request) => {
  requireSession(request);
  return { ...(await catalogueOf(request)), title: request.text("home.ourPlans") };
});

export const handle: Handle = { inlineStyles: true };

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export default function CustomerHome() {
  return <Catalogue {...useLoaderData<typeof loader>()} />;
}
