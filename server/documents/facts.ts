/**
 * The content of an invoice, copied from its order once and frozen: a later address, rate or name does not change an
 * issued invoice. The figures are the order's own, from the pricing module. Only the tax is split here.
 */
import { z } from "zod";
import { accountSchema, type Order } from "#db/order.ts";
import { countries, currencies } from "#server/countries/country.ts";
import { parseGstin } from "#server/countries/gstin.ts";
import type { IndianState } from "#server/countries/indian-states.ts";
import { orderNumber } from "#server/orders/number.ts";
import { linesOf } from "#server/orders/pricing.ts";
import { signupSeats } from "#server/pricing/total.ts";
import { type PlaceOfSupply, placeOfSupply } from "./place-of-supply.ts";
import type { Supplier } from "./supplier.ts";
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
    /** Null where no GST is charged. */
    gstin: z.string().nullable(),
    signatory: z.string(),
    email: z.string(),
  }),
  recipient: z.object({
    name: z.string(),
    addressLines: z.array(z.string()),
    gstin: z.string().nullable(),
  }),
  /** Null where no GST is charged. */
  placeOfSupply: place.nullable(),
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
  subtotalMinor: minorUnits,
  taxes: z.array(z.object({ name: z.string(), rateBasisPoints: z.number(), amountMinor: minorUnits })),
  roundingMinor: minorUnits,
  totalMinor: minorUnits,
  /** As people read it. Left out of invoices from before orders had numbers. */
  orderNumber: z.string().optional(),
  /** When the order was paid, as an ISO moment. */
  paidAt: z.iso.datetime().nullable(),
});
export type InvoiceFacts = z.infer<typeof invoiceFactsSchema>;

/** @param companyName the buyer's name, for an order without account answers */
export function invoiceFacts(order: Order, supplier: Supplier, companyName: string): InvoiceFacts {
  const { account, country } = order;
  const { name: countryName } = countries[country];
  const gstin = account?.gst_code ?? null;
  const { gst, placeOfSupply: supplied, taxes } = taxOn(order, supplier);
  const taxMinor = taxes.reduce((sum, { amount }) => sum + amount.minor, 0);
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
      addressLines:
        account === null
          ? []
          : [
              account.addressLine1,
              account.addressLine2,
              `${account.city}, ${account.state} ${account.pincode}`,
              countryName,
            ].filter((line) => line.trim() !== ""),
      gstin: gstin === null ? null : (parseGstin(gstin)?.value ?? gstin),
    },
    placeOfSupply: supplied,
    lines: linesOf(order).map(({ quantity, unitPrice, amount }, index) => {
      const isSignup = index === 0 && order.line.signupPrice !== null;
      return {
        description: order.line.name,
        notes: [...notesOf(order), ...(isSignup ? [`Sign-up price of the first ${signupSeats} users`] : [])],
        sac: gst === null ? null : supplier.sac,
        quantity,
        unitPriceMinor: unitPrice.minor,
        amountMinor: amount.minor,
      };
    }),
    subtotalMinor: order.subtotal.minor,
    taxes: taxes.map(({ name, rateBasisPoints, amount }) => ({
      name,
      rateBasisPoints,
      amountMinor: amount.minor,
    })),
    roundingMinor: order.total.minor - order.subtotal.minor - taxMinor,
    totalMinor: order.total.minor,
    orderNumber: orderNumber(order),
    paidAt: order.paidAt?.toISOString() ?? null,
  };
}

/** The tax on an order as its invoice names it. The place of supply and the registration are null where no GST is charged. */
export function taxOn(
  order: Order,
  supplier: Supplier,
): { gst: Supplier["gst"]; placeOfSupply: PlaceOfSupply | null; taxes: TaxPart[] } {
  const { account, country } = order;
  if (countries[country].invoicing.tax.kind !== "gst")
    return { gst: null, placeOfSupply: null, taxes: otherTaxOf(order) };
  const gst = requireGst(supplier);
  const buyer = { gstin: account?.gst_code ?? null, state: account?.state ?? null };
  const supplied = placeOfSupply(gst.state, buyer);
  return { gst, placeOfSupply: supplied, taxes: gstOf(order, gst.state, supplied) };
}

function requireGst({ name, gst }: Supplier): NonNullable<Supplier["gst"]> {
  if (gst === null) throw new RangeError(`${name} is not registered for GST, which readEnv has refused`);
  return gst;
}

function gstOf({ subtotal, taxRateBasisPoints }: Order, from: IndianState, to: PlaceOfSupply): TaxPart[] {
  return splitTax(subtotal, taxRateBasisPoints, from.gstCode, to);
}

function otherTaxOf({ country, tax: amount, taxRateBasisPoints: rateBasisPoints }: Order): TaxPart[] {
  const { tax } = countries[country].invoicing;
  return tax.kind === "single" ? [{ name: tax.name, rateBasisPoints, amount }] : [];
}

const kindNote: Record<Order["kind"], string | null> = {
  NEW: null,
  TUP: null,
  ADDON: "Add-on",
  ADD: "Additional licences",
  RENEW: "Renewal",
};

/** The notes of a line: its kind, term, proration, and where it went. */
function notesOf({ kind, line, details }: Order): string[] {
  const ofKind = kindNote[kind];
  const term = line.term === "P1Y" ? "One year" : "One month";
  const billing = line.billingCycle === "annual" ? "billed annually" : "billed monthly";
  const { proration } = details;
  const place = details.google?.domain ?? details.addedTo;
  return [
    ...(ofKind === null ? [] : [ofKind]),
    proration === undefined
      ? `${term}, ${billing}`
      : `${term}, for ${proration.daysLeft} of ${proration.daysInTerm} days`,
    ...(place === undefined ? [] : [`For ${place}`]),
  ];
}
