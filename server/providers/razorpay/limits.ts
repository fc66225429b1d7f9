/** The amounts that Razorpay accepts in one payment (docs/providers.md, section 3.4). */
import type { Currency } from "#db/tables/enums.ts";

/** By card, in minor units. */
export const cardLimits: Readonly<Record<Currency, { leastMinor: number }>> = {
  INR: { leastMinor: 100 },
  USD: { leastMinor: 50 },
};
