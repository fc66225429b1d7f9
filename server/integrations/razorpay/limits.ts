/** Amounts that Razorpay accepts in one payment (docs/providers.md, section 3.4). */
import type { Currency } from "#db/tables/enums.ts";
import { type DatedValues, valueOn } from "#server/foundation/dated.ts";

/** Limits in minor units. */
export interface PaymentLimits {
  minMinor: number;
  /** Null if none is published. */
  maxMinor: number | null;
}

type Method = "card" | "netbanking" | "upi" | "wallet" | "link" | "transfer";

/** Published minimum per currency, in minor units. */
const minByCurrency: Partial<Record<Currency, number>> = { INR: 100, USD: 50 };
/** Minimum for any other currency: one whole unit. */
const defaultMin = 100;

/**
 * Published ceilings, which an account may have changed (`PAYMENT_CEILINGS_…`). A method is available only in these currencies;
 * cards, and the links whose page takes them, in all.
 */
const ceilings: Partial<Record<Currency, DatedValues<Readonly<Record<Method, number | null>>>>> = {
  INR: [
    {
      from: "2026-11-01",
      value: {
        card: 500_000_00,
        netbanking: 500_000_00,
        upi: 100_000_00,
        wallet: 10_000_00,
        link: 500_000_00,
        transfer: null,
      },
      source: "Razorpay docs, payments/payment-methods/transaction-limits, as read on the first day",
    },
  ],
};

/** @returns the limits on a day (UTC); null if Razorpay has no such method in the currency */
export function limitsOf(method: Method, currency: Currency, at = new Date()): PaymentLimits | null {
  const known = ceilings[currency];
  const published = known && valueOn(known, at.toISOString().slice(0, 10));
  if (published === undefined && method !== "card" && method !== "link") return null;
  return { minMinor: minByCurrency[currency] ?? defaultMin, maxMinor: published?.[method] ?? null };
}
