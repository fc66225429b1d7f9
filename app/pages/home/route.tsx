/** `/` and `/home`: the catalogue, for everyone. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageLoader } from "../../http/page.ts";
import { adoptTokenFromUrl } from "../../http/session-handoff.ts";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/indexed-page.ts";
import { Catalogue, catalogueHead } from "./catalogue.tsx";
import { catalogueOf } from "./catalogue-data.ts";

export const loader = pageLoader(z.unknown(), async (request) => {
  await adoptTokenFromUrl(request);
  return catalogueOf(request);
});

export const handle: Handle = { inlineStyles: true, publiclyCacheable: true };

export const meta = indexedPage(catalogueHead);

export default function Home() {
  return <Catalogue {...useLoaderData<typeof loader>()} />;
}
