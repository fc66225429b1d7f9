/** What is promoted beside the catalogue: asked for by a person, not bought in the shop. */
import { money } from "#server/pricing/money.ts";

/** A business laptop, before GST. It is offered in India alone. */
export const laptopPromotion = {
  list: money(1_23_851_00, "INR"),
  offer: money(65_000_00, "INR"),
} as const;
