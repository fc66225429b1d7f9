/** The amounts that Razorpay accepts in one payment (docs/providers.md, section 3.4). */
import type { Currency } from "#db/tables/enums.ts";

/** Where it names one, in minor units. */
const leastNamed: Partial<Record<Currency, number>> = { INR: 100, USD: 50 };
/** Of any other currency it takes a whole unit. */
const leastOtherwise = 100;

/** By card, in minor units. */
export function cardLimits(currency: Currency): { leastMinor: number } {
  return { leastMinor: leastNamed[currency] ?? leastOtherwise };
}
