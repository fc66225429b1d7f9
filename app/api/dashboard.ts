/** GET /dashboard: the items on sale, by service. The response is the same for every caller. */
import type { FamilyId } from "#db/tables/enums.ts";
import { toServiceCard } from "#server/catalogue/card.ts";
import { listDashboard } from "#server/catalogue/items.ts";
import { cardField } from "./shared/fields.ts";
import { apiLoader, optionalSessionAccess, type RequestContext, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

const cards = z.array(cardField);
const service = z.object({ featured_items: cards, other_items: cards, add_on_items: cards });

export const loader = apiLoader(
  {
    summary: "What is on sale, service by service.",
    tag: "Catalogue",
    access: optionalSessionAccess,
    query: z.unknown(),
    reply: z.object({ microsoft: service, google: service, brio: service }),
  },
  async (request) => ({
    microsoft: await serviceOf(request, "microsoft"),
    google: await serviceOf(request, "google"),
    brio: await serviceOf(request, "brio"),
  }),
);

async function serviceOf({ context }: RequestContext, family: FamilyId) {
  const { featured, other, addOns } = await listDashboard(context.db, family);
  return {
    featured_items: featured.map(toServiceCard),
    other_items: other.map(toServiceCard),
    add_on_items: addOns.map(toServiceCard),
  };
}
