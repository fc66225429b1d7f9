/**
 * Buy Now without scripts: `/order?sku_id=&country=` redirects to step 1 of a new order
 * (docs/decisions/orders.md#drafts), or with `TUP=true` to step 1 of an existing customer's order.
 */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { findItem } from "#server/catalogue/items.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { pageLoader } from "../../http/page.ts";
import { countryCode, itemName } from "../../params.ts";

const query = z.object({ sku_id: itemName, country: countryCode, TUP: z.literal("true").optional() });

export const loader = pageLoader(z.unknown(), async ({ context, url }) => {
  const parsedQuery = query.safeParse(Object.fromEntries(url.searchParams));
  const item = parsedQuery.success ? await findItem(context.db, parsedQuery.data.sku_id) : null;
  if (!parsedQuery.success || item === null) throw notFound("plan");
  const { country, TUP } = parsedQuery.data;
  const plan = { family: item.family, item: item.id, country };
  throw redirect(TUP === "true" ? paths.newContract(plan) : paths.newOrder(plan));
});

export default function BuyNow() {
  return null;
}
