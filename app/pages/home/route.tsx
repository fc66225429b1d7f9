/** `/` and `/home`: the catalogue, for everyone. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageLoader } from "../../http/page.ts";
import { Catalogue, catalogueMeta } from "./catalogue.tsx";
import { catalogueOf } from "./catalogue-data.ts";

export const loader = pageLoader(z.unknown(), catalogueOf);

export const meta = () => catalogueMeta;

export default function Home() {
  return <Catalogue {...useLoaderData<typeof loader>()} />;
}
