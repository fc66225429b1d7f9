/** The query of a list page: a service, a search, and the page number. */
import { z } from "zod";
import type { ListQuery } from "#server/foundation/list-paging.ts";
import { familyName } from "../params.ts";

/** The header's provider selector and the page's own tabs set the service. An unknown one filters nothing. */
const querySchema = z.object({
  service: familyName.optional().catch(undefined),
  search: z.string().optional(),
});

/** @param pageName the page-number parameter: a screen with two lists has two */
export function listQuery({ searchParams }: URL, pageName: "page" | "ended" = "page"): ListQuery {
  const { service, search } = querySchema.parse(Object.fromEntries(searchParams));
  return { family: service, search, page: searchParams.get(pageName) ?? undefined };
}
