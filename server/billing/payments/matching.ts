/** How what has come in by transfer fits what was asked for: a rule of amounts alone, in integer minor units. */

import { type Money, money } from "#db/money.ts";

/**
 * part = more is to come; withheld = the buyer kept tax back and owes its certificate; over = more came than was asked for. All
 * but part let the order go on.
 */
export type Match =
  | { state: "part"; missingMinor: number }
  | { state: "full" }
  | { state: "withheld"; withheldMinor: number; rateBasisPoints: number }
  | { state: "over"; surplusMinor: number };

/** Tax is deducted in whole rupees, rounded either way. */
export const toleranceMinor = 100;

/**
 * Several credits add up, in any order. A buyer in India may deduct TDS, a share of the value before GST, and pay it to the tax
 * office in the seller's name (docs/providers.md, section 3.5).
 * @param asked.receivedMinor the sum of all that came, from 1
 * @param asked.taxableMinor the value before GST, of which TDS is a share
 * @param asked.ratesBasisPoints the shares that are accepted
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

/** What is left to transfer of an order once its buyer has withheld a share of the value before tax, to the whole unit of its currency. */
export function computeAmountToTransfer(
  { total, subtotal }: { total: Money; subtotal: Money },
  rateBasisPoints: number,
): Money {
  const withheld = Math.round((subtotal.minor * rateBasisPoints) / 10_000 / toleranceMinor) * toleranceMinor;
  return money(total.minor - withheld, total.currency);
}
