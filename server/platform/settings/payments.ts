/** Reads a country's payment settings for env.ts. pricing/payment-methods.ts describes each method. */
import { z } from "zod";
import type { Country } from "#db/tables/enums.ts";

/**
 * The buyer chooses among the first four in the checkout. `link` mails a link to the provider's page; `transfer` opens a virtual
 * account for the order.
 */
export const paymentMethods = ["card", "upi", "netbanking", "wallet", "link", "transfer"] as const;
/** Payment method that a buyer can choose. */
export type PaymentMethod = (typeof paymentMethods)[number];

/** Payment settings of a country. */
export interface PaymentSettings {
  /** Never empty. */
  methods: readonly PaymentMethod[];
  /** Largest single payment in minor units, where the store's account has another ceiling than its provider publishes. */
  ceilings: Partial<Record<PaymentMethod, number>>;
}

/** Names of a country's payment settings. */
export const paymentSettingsOf = (country: Country) => ({
  methods: `PAYMENT_METHODS_${country}`,
  ceilings: `PAYMENT_CEILINGS_${country}`,
});

/** The specification's checkout takes cards, and its texts promise the other three; a currency without them leaves them out. */
export const standardMethods = "card,upi,netbanking,wallet";

const method = z.enum(paymentMethods, `must be of ${paymentMethods.join(", ")}, separated by commas`);
const methodsSchema = z.array(method).min(1, "must name one");
/** Parses "upi:200000": whole units of the country's currency. */
const ceilingsSchema = z.array(
  z
    .string()
    .regex(/^[a-z]+:[1-9]\d{0,9}$/, "must be a method and a whole amount, such as upi:200000")
    .transform((text) => text.split(":"))
    .pipe(z.tuple([method, z.string().transform(Number)])),
);

/** @param text returns the text of a setting, or null when it is left out */
export function readPaymentSettings(
  text: (name: string) => string | null,
  country: Country,
): { settings: PaymentSettings; problems: string[] } {
  const names = paymentSettingsOf(country);
  const methods = methodsSchema.safeParse(listIn(text(names.methods) ?? standardMethods));
  const ceilings = ceilingsSchema.safeParse(listIn(text(names.ceilings) ?? ""));
  return {
    settings: {
      methods: methods.data ?? [],
      ceilings: Object.fromEntries((ceilings.data ?? []).map(([each, whole]) => [each, whole * 100])),
    },
    problems: [
      ...(methods.error?.issues ?? []).map(({ message }) => `${names.methods}: ${message}`),
      ...(ceilings.error?.issues ?? []).map(({ message }) => `${names.ceilings}: ${message}`),
    ],
  };
}

function listIn(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
