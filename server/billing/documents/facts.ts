/**
 * The content of an invoice, copied from its order once and frozen, in the language of the order: a later address, rate, name
 * or wording does not change an issued invoice. The figures are the order's own, from the pricing module; only the tax is split
 * here.
 */

import { z } from "zod";
import {
  accountSchema,
  type Order,
  type PlaceOfBusiness,
  type Supply,
  supplySchema,
} from "#db/orders/order.ts";
import { signupSeats } from "#server/catalogue/pricing/total.ts";
import { parseGstin } from "#server/foundation/countries/gstin.ts";
import type { IndianState } from "#server/foundation/countries/indian-states.ts";
import { countries, currencies, gstCountry } from "#server/foundation/countries/registry.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { PlainMessageKey, Translate } from "#server/foundation/languages/messages.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { isPlaceholder } from "#server/foundation/placeholders.ts";
import { orderNumber } from "#server/orders/number.ts";
import { linesOf } from "#server/orders/pricing.ts";
import { areSameReferences, noReferences } from "#server/orders/references.ts";
import { endOfTerm, renewedTerm } from "#server/orders/subscriptions/term.ts";
import { isExport, isToZone, isUntaxed, pricedSupplyOf } from "#server/orders/supply.ts";
import { partySchema, type RegisteredNames, recipientParty, supplierParty, withNames } from "./parties.ts";
import { exportPlaceOfSupply, type PlaceOfSupply, placeOfSupply } from "./place-of-supply.ts";
import type { Supplier } from "./supplier.ts";
import {
  type DocumentAmounts,
  documentAmountsSchema,
  inTaxCurrencySchema,
  toTaxCurrency,
} from "./tax-currency.ts";
import { splitTax, type TaxPart } from "./tax-split.ts";

const minorUnits = z.number().int();
const place = z.object({ code: z.string(), name: z.string() });

/** Amounts are in minor units of the invoice's currency, rates in basis points. */
export const invoiceFactsSchema = z.object({
  country: accountSchema.shape.country,
  currency: z.enum(currencies),
  supplier: z.object({
    name: z.string(),
    addressLines: z.array(z.string()),
    /** Null when no GST is charged. */
    gstin: z.string().nullable(),
    signatory: z.string(),
    email: z.string(),
  }),
  recipient: z.object({
    name: z.string(),
    addressLines: z.array(z.string()),
    gstin: z.string().nullable(),
  }),
  /** Null when no GST is charged. */
  placeOfSupply: place.nullable(),
  /** GST treatment and the endorsement that it requires. Left out when no GST is charged, and by earlier versions. */
  supply: z.object({ ...supplySchema.shape, endorsement: z.string().nullable() }).optional(),
  /** The paid period as ISO times. Left out by earlier versions. */
  servicePeriod: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).optional(),
  /** An export's value in the currency of GST. */
  inTaxCurrency: inTaxCurrencySchema.optional(),
  /** Both parties in the format of the invoice registration portal. Left out when no GST is charged, and by earlier versions. */
  parties: z.object({ supplier: partySchema, recipient: partySchema }).optional(),
  lines: z.array(
    z.object({
      description: z.string(),
      notes: z.array(z.string()),
      sac: z.string().nullable(),
      quantity: z.number().int(),
      unitPriceMinor: minorUnits,
      amountMinor: minorUnits,
    }),
  ),
  ...documentAmountsSchema.shape,
  /** The buyer's own references for the order. Left out when there are none, and by earlier versions. */
  references: z
    .object({
      purchaseOrder: z.string().nullable(),
      costCentre: z.string().nullable(),
      note: z.string().nullable(),
    })
    .optional(),
  /** The invoice that it replaces. Left out when it replaces none. */
  replaces: z.object({ number: z.string(), issuedAt: z.iso.datetime() }).optional(),
  /** The order's formatted number. Left out of invoices from before orders had numbers. */
  orderNumber: z.string().optional(),
  /** Time of payment (ISO 8601). */
  paidAt: z.iso.datetime().nullable(),
});
export type InvoiceFacts = z.infer<typeof invoiceFactsSchema>;

/**
 * Builds the facts of an invoice.
 * @param companyName the buyer's name, for an order without account answers
 * @param issuedAt start of the paid period, for an unpaid order without proration or renewal
 * @throws RangeError for an export without an exchange rate, which readEnv has refused
 */
export function invoiceFacts(
  order: Order,
  supplier: Supplier,
  companyName: string,
  language: LanguageId,
  issuedAt: Date,
): InvoiceFacts {
  const { account, country } = order;
  const { name: countryName } = countries[country].words[language];
  const gstin = account?.gst_code ?? null;
  const { gst, supply, placeOfSupply: supplied, taxes } = describeTax(order, supplier, language);
  const text = textIn(language);
  const notes = notesOf(order, text);
  const taxMinor = taxes.reduce((sum, { amount }) => sum + amount.minor, 0);
  const figures: DocumentAmounts = {
    subtotalMinor: order.subtotal.minor,
    taxes: taxes.map(({ name, rateBasisPoints, amount }) => ({
      name,
      rateBasisPoints,
      amountMinor: amount.minor,
    })),
    roundingMinor: order.total.minor - order.subtotal.minor - taxMinor,
    totalMinor: order.total.minor,
  };
  return {
    country,
    currency: order.total.currency,
    supplier: {
      name: supplier.name,
      addressLines: supplier.addressLines,
      gstin: gst?.gstin ?? null,
      signatory: supplier.signatory,
      email: supplier.email,
    },
    recipient: {
      name: account?.companyName ?? companyName,
      addressLines: account === null ? [] : [...addressLinesOf(account), countryName],
      gstin: gstin === null ? null : asPrinted(gstin),
    },
    placeOfSupply: supplied,
    ...(supply !== null &&
      gst !== null &&
      supplied !== null && {
        supply: { ...supply, endorsement: supplier.endorsements[supply.type] ?? null },
        parties: {
          supplier: supplierParty(supplier, gst.state),
          recipient: recipientParty(account, supply, supplied),
        },
        ...(isExport(supply) && { inTaxCurrency: inTaxCurrency(order, figures, supplier) }),
      }),
    servicePeriod: servicePeriodOf(order, order.paidAt ?? issuedAt),
    lines: linesOf(order).map(({ quantity, unitPrice, amount }, index) => {
      const isSignup = index === 0 && order.line.signupPrice !== null;
      return {
        description: order.line.name,
        notes: [...notes, ...(isSignup ? [text("invoice.signupPrice", { count: signupSeats })] : [])],
        sac: gst === null ? null : supplier.sac,
        quantity,
        unitPriceMinor: unitPrice.minor,
        amountMinor: amount.minor,
      };
    }),
    ...figures,
    ...(areSameReferences(order.references, noReferences) ? {} : { references: order.references }),
    orderNumber: orderNumber(order),
    paidAt: order.paidAt?.toISOString() ?? null,
  };
}

/** The new recipient of a corrected invoice. */
export interface CorrectedRecipient {
  name: string;
  place: PlaceOfBusiness;
  gstin: string | null;
  /** The names in the GST register; null when it was not queried. */
  registered: RegisteredNames | null;
}

/**
 * Returns an invoice's facts with another recipient, in the invoice's language. Figures and place of supply stay; the caller
 * has checked that the tax does not change.
 */
export function withRecipient(
  facts: InvoiceFacts,
  { name, place, gstin, registered }: CorrectedRecipient,
  language: LanguageId,
): InvoiceFacts {
  const { country, supply, parties, placeOfSupply } = facts;
  const type = supply?.type === "B2B" || supply?.type === "B2C" ? domesticType(gstin) : supply?.type;
  return {
    ...facts,
    recipient: {
      name,
      addressLines: [...addressLinesOf(place), countries[country].words[language].name],
      gstin: gstin === null ? null : asPrinted(gstin),
    },
    ...(supply !== undefined && type !== undefined && { supply: { ...supply, type } }),
    ...(supply !== undefined &&
      parties !== undefined &&
      placeOfSupply !== null && {
        parties: {
          ...parties,
          recipient: withNames(recipientParty(place, supply, placeOfSupply), registered),
        },
      }),
  };
}

/** Returns an invoice's facts with the recipient's names in the GST register, which its registration uses. */
export function withRegisteredNames(facts: InvoiceFacts, names: RegisteredNames | null): InvoiceFacts {
  const { parties } = facts;
  if (parties === undefined) return facts;
  return { ...facts, parties: { ...parties, recipient: withNames(parties.recipient, names) } };
}

const domesticType = (gstin: string | null): Supply["type"] => (gstin === null ? "B2C" : "B2B");

/** Formats a valid GSTIN as the register does; other text is unchanged. */
const asPrinted = (gstin: string) => parseGstin(gstin)?.value ?? gstin;

/** Formats an address as documents print it, without the country. */
export function addressLinesOf(place: PlaceOfBusiness): string[] {
  const { addressLine1, addressLine2, city, state, pincode } = place;
  return [addressLine1, addressLine2, `${city}, ${state} ${pincode}`].filter(
    (line) => line.trim() !== "" && !isPlaceholder(line),
  );
}

/** Returns the tax on an order as its invoice names it. Everything except the taxes is null when no GST is charged. */
export function describeTax(
  order: Order,
  supplier: Supplier,
  language: LanguageId,
): { gst: Supplier["gst"]; supply: Supply | null; placeOfSupply: PlaceOfSupply | null; taxes: TaxPart[] } {
  const { account } = order;
  const supply = pricedSupplyOf(order);
  if (supply === null) return { gst: null, supply, placeOfSupply: null, taxes: otherTaxOf(order) };
  const gst = requireGst(supplier);
  const buyer = { gstin: account?.gst_code ?? null, state: account?.state ?? null };
  const supplied = isExport(supply)
    ? exportPlaceOfSupply(language)
    : placeOfSupply(gst.state, buyer, language);
  return { gst, supply, placeOfSupply: supplied, taxes: gstOf(order, gst.state, supplied, supply) };
}

function requireGst({ name, gst }: Supplier): NonNullable<Supplier["gst"]> {
  if (gst === null) throw new RangeError(`${name} is not registered for GST, which readEnv has refused`);
  return gst;
}

function gstOf(
  { subtotal, taxRateBasisPoints }: Order,
  from: IndianState,
  to: PlaceOfSupply,
  supply: Supply,
): TaxPart[] {
  if (isUntaxed(supply)) return [];
  return splitTax(subtotal, taxRateBasisPoints, from.gstCode, to, { isToZone: isToZone(supply) });
}

function inTaxCurrency(
  { total }: Order,
  figures: DocumentAmounts,
  { rates }: Supplier,
): InvoiceFacts["inTaxCurrency"] {
  const { currency } = countries[gstCountry];
  const rateTenThousandths = total.currency === currency ? 10_000 : rates.get(total.currency);
  if (rateTenThousandths === undefined) throw new RangeError(`No exchange rate of ${total.currency}`);
  return toTaxCurrency(figures, { currency, rateTenThousandths });
}

/** Computes the paid period: the rest of a term, the term after one, or a term from the payment. */
function servicePeriodOf(
  { line: { term }, details, country }: Order,
  paidAt: Date,
): InvoiceFacts["servicePeriod"] {
  const { proration, renewal } = details;
  const of = (from: Date, to: Date) => ({ from: from.toISOString(), to: to.toISOString() });
  if (proration !== undefined) return of(paidAt, new Date(proration.until));
  if (renewal === undefined) return of(paidAt, endOfTerm(paidAt, term, country));
  const { after, anchorDay } = renewal;
  const { start, end } = renewedTerm({ end: new Date(after), term, anchorDay }, paidAt, country);
  return of(start, end);
}

function otherTaxOf({ country, tax: amount, taxRateBasisPoints: rateBasisPoints }: Order): TaxPart[] {
  const { tax } = countries[country].invoicing;
  return tax.kind === "single" ? [{ name: tax.name, rateBasisPoints, amount }] : [];
}

const kindNotes: Record<Order["kind"], PlainMessageKey | null> = {
  NEW: null,
  TUP: null,
  ADDON: "invoice.addOn",
  ADD: "invoice.moreLicences",
  RENEW: "invoice.renewal",
};

/** Formats the notes of a line: the order's kind, term, proration and destination. */
function notesOf({ kind, line, details }: Order, text: Translate): string[] {
  const ofKind = kindNotes[kind];
  const place = details.google?.domain ?? details.addedTo;
  return [
    ...(ofKind === null ? [] : [text(ofKind)]),
    termOf(line, details.proration, text),
    ...(place === undefined ? [] : [text("invoice.forPlace", { place })]),
  ];
}

function termOf(
  { term, billingCycle }: Order["line"],
  proration: Order["details"]["proration"],
  text: Translate,
): string {
  const isMonth = term === "P1M";
  if (proration !== undefined) {
    const values = { left: proration.daysLeft, all: proration.daysInTerm };
    return text(isMonth ? "invoice.monthForDays" : "invoice.yearForDays", values);
  }
  // A monthly term is never billed annually.
  if (isMonth) return text("invoice.monthBilledMonthly");
  return text(billingCycle === "annual" ? "invoice.yearBilledAnnually" : "invoice.yearBilledMonthly");
}
