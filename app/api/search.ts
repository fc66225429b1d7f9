/** POST /api/search: the plans that best match a query, or the featured ones when the query has no words. */
import { toServiceCard } from "#server/catalogue/card.ts";
import { searchItems } from "#server/catalogue/search.ts";
import { rateLimits } from "../http/rate-limits.ts";
import { cardField } from "./shared/fields.ts";
import { jsonAction, publicAccess, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

export const action = jsonAction(
  {
    summary: "The plans that match a query, best match first.",
    tag: "Catalogue",
    access: publicAccess,
    limit: rateLimits.search,
    refusedAs: (body) => ({ body }),
    body: z.object({ query: z.string().max(200) }),
    reply: z.array(cardField),
  },
  async ({ context }, { query }) => {
    const { items } = await searchItems(context.db, query, { pageSize: 100 });
    return items.map(toServiceCard);
  },
);
