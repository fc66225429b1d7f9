/** How a country's ways to pay are written in the settings. Read by env.ts; what each method is: pricing/payment-methods.ts. */
import { z } from "zod";
import type { Country } from "#db/tables/enums.ts";

/** The first four are chosen in the checkout; a link to a page of the provider's is mailed; a transfer goes to an account that is opened for the order. */
export const paymentMethods = ["card", "upi", "netbanking", "wallet", "link", "transfer"] as const;
/** What a buyer pays with. */
export type PaymentMethod = (typeof paymentMethods)[number];

/** What a country's orders may be paid with. */
export interface PaymentSettings {
  /** At least one. */
  methods: readonly PaymentMethod[];
  /** In minor units, where the store's account has another ceiling for a single payment than its provider publishes. */
  ceilings: Partial<Record<PaymentMethod, number>>;
}

/** The names of the settings of a country's ways to pay. */
export const paymentSettingsOf = (country: Country) => ({
  methods: `PAYMENT_METHODS_${country}`,
  ceilings: `PAYMENT_CEILINGS_${country}`,
});

/** The specification's checkout is by card, and its answers promise the other three; a currency without them leaves them out. */
export const standardMethods = "card,upi,netbanking,wallet";

const method = z.enum(paymentMethods, `must be of ${paymentMethods.join(", ")}, separated by commas`);
const methodsSchema = z.array(method).min(1, "must name one");
/** "upi:200000": whole units of the country's currency. */
const ceilingsSchema = z.array(
  z
    .string()
    .regex(/^[a-z]+:[1-9]\d{0,9}$/, "must be a method and a whole amount, such as upi:200000")
    .transform((text) => text.split(":"))
    .pipe(z.tuple([method, z.string().transform(Number)])),
);

/** @param text of a setting, or null for one that is left out */
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
