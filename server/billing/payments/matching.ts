/** Matches received transfers to the amount due: a calculation with amounts only, in integer minor units. */

import { type Money, money } from "#db/money.ts";

/**
 * part: more is expected. withheld: the buyer deducted tax and owes its certificate. over: more than the amount due. The order
 * continues in every state except part.
 */
export type Match =
  | { state: "part"; missingMinor: number }
  | { state: "full" }
  | { state: "withheld"; withheldMinor: number; rateBasisPoints: number }
  | { state: "over"; surplusMinor: number };

/** Tax is deducted in whole rupees, rounded either way. */
export const toleranceMinor = 100;

/**
 * Matches the sum of all credits. A buyer in India may deduct TDS, a share of the value before GST, and pay it to the tax
 * office in the seller's name (docs/providers.md, section 3.5).
 * @param input.receivedMinor sum of all credits, from 1
 * @param input.taxableMinor value before GST, from which TDS is computed
 * @param input.ratesBasisPoints accepted TDS rates
 */
export function matchCredits(input: {
  requestedMinor: number;
  taxableMinor: number;
  receivedMinor: number;
  ratesBasisPoints: readonly number[];
}): Match {
  const { requestedMinor, taxableMinor, receivedMinor, ratesBasisPoints } = input;
  const missingMinor = requestedMinor - receivedMinor;
  if (missingMinor === 0) return { state: "full" };
  if (missingMinor < 0) return { state: "over", surplusMinor: -missingMinor };
  const rateBasisPoints = ratesBasisPoints.find((rate) => {
    const withheld = (taxableMinor * rate) / 10_000;
    return withheld > toleranceMinor && Math.abs(missingMinor - withheld) <= toleranceMinor;
  });
  return rateBasisPoints === undefined
    ? { state: "part", missingMinor }
    : { state: "withheld", withheldMinor: missingMinor, rateBasisPoints };
}

/**
 * Computes the amount to transfer after the buyer has withheld a share of the value before tax, rounded to the whole unit of
 * its currency.
 */
export function computeAmountToTransfer(
  { total, subtotal }: { total: Money; subtotal: Money },
  rateBasisPoints: number,
): Money {
  const withheld = Math.round((subtotal.minor * rateBasisPoints) / 10_000 / toleranceMinor) * toleranceMinor;
  return money(total.minor - withheld, total.currency);
}
