/** Money: an amount in integer minor units (paise, cents) with its currency. Arithmetic is in server/catalogue/pricing/money.ts. */
import type { Currency } from "./tables/enums.ts";

export interface Money {
  /** Integer minor units: 100 = one rupee or one dollar. */
  readonly minor: number;
  readonly currency: Currency;
}

/** @throws RangeError when `minor` is not a safe integer. */
export function money(minor: number, currency: Currency): Money {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`Not an amount in minor units: ${minor}`);
  return { minor, currency };
}
