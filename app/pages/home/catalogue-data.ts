/** What the catalogue page shows at each of its addresses. */
import { z } from "zod";
import { listDashboard } from "#server/catalogue/items.ts";
import type { Page } from "../../http/page.ts";
import { countryCode, familyName } from "../../params.ts";
import { toCard } from "./card.ts";

/** A link with a value we do not know still shows a shop, not an error. */
const chosen = z.object({
  service: familyName.catch("microsoft"),
  country: countryCode.catch("IN"),
  /** "true" where a customer adds to what it has (SPEC section 9). */
  TUP: z.literal("true").optional().catch(undefined),
});

export async function catalogueOf({ context, url }: Page) {
  const { service, country, TUP } = chosen.parse(Object.fromEntries(url.searchParams));
  const { featured, other, addOns } = await listDashboard(context.db, service);
  return {
    service,
    country,
    isCustomer: TUP === "true",
    featured: featured.map((item) => toCard(item, country, TUP === "true")),
    other: other.map((item) => toCard(item, country, TUP === "true")),
    addOns: addOns.map((item) => toCard(item, country, TUP === "true")),
  };
}
