/**
 * Computes a total, for the server's quotes and for the figures that update while a buyer types. It takes and returns whole minor
 * units and has no dependencies, so a browser runs it too.
 */

/** Number of users of a new sign-up who pay the sign-up price (docs/specification.md, section 9.1). */
export const signupSeats = 20;

export interface Rates {
  /** Price of a seat, in minor units. */
  unitPrice: number;
  /** Price of the first `signupSeats` seats, in minor units; null if there is none. */
  signupPrice: number | null;
  /** Hundredths of a percent: 1800 = 18%. */
  taxRateBasisPoints: number;
  /** Step in minor units: the total is rounded half up to a multiple of it. */
  totalStepMinor: number;
}

export interface Total {
  /** Seats at each price, the sign-up price first. None is empty. */
  parts: { quantity: number; price: number }[];
  subtotal: number;
  /** Rounded half up to a minor unit. */
  tax: number;
  total: number;
}

/** @param quantity seats, an integer from 1. Beyond 2^53 the figures are no longer exact, and `money` rejects them. */
export function totalOf(quantity: number, rates: Rates): Total {
  const { unitPrice, signupPrice, taxRateBasisPoints, totalStepMinor } = rates;
  const atSignupPrice = signupPrice === null ? 0 : Math.min(quantity, signupSeats);
  const parts = [
    { quantity: atSignupPrice, price: signupPrice ?? 0 },
    { quantity: quantity - atSignupPrice, price: unitPrice },
  ].filter((part) => part.quantity > 0);
  const subtotal = parts.reduce((sum, part) => sum + part.quantity * part.price, 0);
  // In two parts, so that no product of a large subtotal and the rate loses a digit.
  const tax =
    Math.floor(subtotal / 10_000) * taxRateBasisPoints +
    roundHalfUp((subtotal % 10_000) * taxRateBasisPoints, 10_000);
  return { parts, subtotal, tax, total: roundHalfUp(subtotal + tax, totalStepMinor) * totalStepMinor };
}

/** Divides and rounds half up to an integer. */
function roundHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}
