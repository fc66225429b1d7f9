/**
 * The shared field schemas of the calls' payloads and replies, spelt as in the specification (docs/specification.md, section
 * 3).
 */

import { z } from "zod";
import type { Money } from "#db/money.ts";
import type { BillingCycle } from "#db/tables/enums.ts";
import { priceKey } from "#server/catalogue/card.ts";
import { familyIds } from "#server/catalogue/families/registry.ts";
import { toMajor } from "#server/catalogue/pricing/money.ts";
import { quantityRequired } from "#server/catalogue/pricing/quantity.ts";
import { countries, countryCodes, currencies } from "#server/foundation/countries/registry.ts";
import { english } from "#server/foundation/languages/text.ts";
import { uuid } from "../../params.ts";

/** A boolean, or the text a form would send for it. */
export const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")], {
  error: "Must be true or false.",
});

const twoDecimals = "Use at most two decimals.";

/** Rupees or dollars with at most two decimals, as a number or as text. */
export const amount = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,12}(\.\d{1,2})?$/)
        .transform(Number),
    ],
    { error: twoDecimals },
  )
  .refine(
    (value) => value >= 0 && value <= 1e12 && Math.abs(value * 100 - Math.round(value * 100)) < 1e-4,
    twoDecimals,
  );

/** A text that is accepted but not relied on, such as a name the store already knows. */
export const ignoredText = z.string().max(500).nullish();

const seatsMissing = english(quantityRequired);

/** A number of seats: a whole number from 1, as a number or as digits. */
export const seatsField = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ],
    { error: seatsMissing },
  )
  .pipe(z.int(seatsMissing).min(1, seatsMissing).max(999_999_999, seatsMissing));

export const consoleCode = z
  .enum(countryCodes.map((code) => countries[code].console))
  .describe(countryCodes.map((code) => `${countries[code].console} = ${countries[code].name}`).join(", "));
export const countryField = z.enum(countryCodes);
export const familyField = z.enum(familyIds);
export const stageField = z
  .enum(["none", "stage1", "stage2", "stage3", "stage4"])
  .describe("order progress: details, account, payment, fulfilment");
export const termField = z.enum(["P1Y", "P1M"]);
/** The billing cycle, by the codes of docs/specification.md, section 9.1. */
export const cycleField = z.enum(["M", "A"]).describe("M = billed monthly, A = annually");
export const cycleOf = (cycle: BillingCycle): z.input<typeof cycleField> => (cycle === "monthly" ? "M" : "A");
export const dateField = z.iso.datetime();
/** Number of rows of a long list to return, 1 to 200 (server/foundation/list-paging.ts). */
export const rowLimit = z.coerce
  .number()
  .pipe(z.int().min(1).max(200))
  .default(200)
  .describe("rows per page, 1 to 200; default 200");
/** An order's id. A malformed id names no order. */
export const orderIdField = uuid.describe("the order's ID");

/** An amount in a reply: rupees or dollars. */
export const major = z.number();
const byCurrency = z.object(majorUnder(currencies)).partial();
export const pricesField = byCurrency.describe("keyed by currency");
export const signupPricesField = byCurrency
  .extend(majorUnder(currencies.map((currency) => priceKey(currency, "signup"))))
  .partial()
  .describe("keyed by currency; signup- is what the first 20 users of a new Google sign-up pay");

export const addressField = z.object({
  add1: z.string(),
  add2: z.string(),
  city: z.string(),
  state: z.string(),
  pincode: z.string(),
  country: countryField,
  gst_code: z.string(),
  organization_registration_number: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  phone: z.string(),
});

/** The seat limits of a plan for one customer. */
export const seatLimits = {
  min_quantity: z.int().describe("the minimum seats per order"),
  max_quantity: z
    .int()
    .nullable()
    .describe("the maximum seats, including those the customer already has; null = no limit"),
};

export const cardField = z.object({
  id: z.string(),
  sku: z.string(),
  item_family: familyField,
  name: z.string(),
  description: z.string(),
  features: z.array(z.string()).readonly(),
  images: z.array(z.string()).readonly(),
  price: signupPricesField.describe("per seat per month, the lowest available"),
  ERP_INR: major.optional().describe("the list price, to be struck through"),
  ...seatLimits,
});

export const inCurrency = (money: Money) => ({ [money.currency]: toMajor(money) });

function majorUnder<Key extends string>(keys: readonly Key[]): Record<string, typeof major> {
  return Object.fromEntries(keys.map((key) => [key, major]));
}
