/** Promotions outside the catalogue: requested from a person, not bought in the store. */

import { type Money, money } from "#db/money.ts";
import { laptopPromotion } from "#db/seed/promotions.ts";
import type { Country } from "#db/tables/enums.ts";
import { currencyOf } from "#server/foundation/countries/registry.ts";

/** Returns the business laptop's prices before tax; null where it is not offered. */
export function laptopPromotionIn(country: Country): { list: Money; offer: Money } | null {
  const promotion = laptopPromotion[country];
  if (promotion === undefined) return null;
  const currency = currencyOf(country);
  return { list: money(promotion.listMinor, currency), offer: money(promotion.offerMinor, currency) };
}
