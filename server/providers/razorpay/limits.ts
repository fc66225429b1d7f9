/** The amounts that Razorpay accepts in one payment (docs/providers.md, section 3.4). */
import type { Currency } from "#db/tables/enums.ts";

/** In minor units. */
export interface PaymentLimits {
  minMinor: number;
  /** Null where none is published. */
  maxMinor: number | null;
}

type Method = "card" | "netbanking" | "upi" | "wallet" | "link" | "transfer";

/** Where it names one, in minor units. */
const minByCurrency: Partial<Record<Currency, number>> = { INR: 100, USD: 50 };
/** Of any other currency it takes a whole unit. */
const defaultMin = 100;

/**
 * The published ceilings, which an account may have changed. A method is had in these currencies alone; cards, and the links whose page
 * takes them, in all.
 */
const ceilings: Partial<Record<Currency, Readonly<Record<Method, number | null>>>> = {
  INR: {
    card: 500_000_00,
    netbanking: 500_000_00,
    upi: 100_000_00,
    wallet: 10_000_00,
    link: 500_000_00,
    transfer: null,
  },
};

/** @returns null where Razorpay has no such method in the currency */
export function limitsOf(method: Method, currency: Currency): PaymentLimits | null {
  const published = ceilings[currency];
  if (published === undefined && method !== "card" && method !== "link") return null;
  return { minMinor: minByCurrency[currency] ?? defaultMin, maxMinor: published?.[method] ?? null };
}
