/** GET /item: the preview of a plan by its SKU. */
import { toServiceCard } from "#server/catalogue/card.ts";
import { findItem } from "#server/catalogue/items.ts";
import { cardField } from "./shared/fields.ts";
import { apiLoader, notFound, publicAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "A plan, by its sku or its id.",
    tag: "Catalogue",
    access: publicAccess,
    refuses: [404],
    query: z.object({ sku: z.string().max(100) }),
    reply: cardField,
  },
  async ({ context }, { sku }) => {
    const item = await findItem(context.db, sku);
    if (item === null) throw notFound("plan");
    return toServiceCard(item);
  },
);
