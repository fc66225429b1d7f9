/**
 * The documents of a return with the fields that it needs: supply, buyer, place, amounts and tax, all in the currency of the
 * tax.
 */
import type { Supply } from "#db/orders/order.ts";
import { indianStates } from "#server/foundation/countries/indian-states.ts";
import { currencyOf, gstCountry } from "#server/foundation/countries/registry.ts";
import type { InvoiceFacts } from "../facts.ts";
import { inTaxMinor, taxCurrencyAmounts } from "../tax-currency.ts";
import { exportPlace, otherTerritory } from "./portal-codes.ts";

export interface ReturnDocument {
  kind: "invoice" | "credit note";
  number: string;
  series: string;
  serial: number;
  /** "2026-11-24" in the seller's time zone. */
  day: string;
  /**
   * Whether it only counts in its series and is in no table: its registration was cancelled, or it is a credit note that is not
   * valid.
   */
  isCancelled: boolean;
  sellerGstin: string;
  /** Null for an unregistered buyer. */
  buyerGstin: string | null;
  buyerName: string;
  supplyType: Supply["type"];
  /** Two-digit code of the place of supply. */
  place: string;
  /** Total rate in hundredths of a percent; 0 for a supply without tax. */
  rateBasisPoints: number;
  sac: string;
  description: string;
  /** Minor units, at least 0 even for a credit note. */
  totalMinor: number;
  taxableMinor: number;
  igstMinor: number;
  cgstMinor: number;
  /** State or union territory tax. */
  sgstMinor: number;
  /** Total of a credit note's invoice, which decided the invoice's table. */
  invoiceTotalMinor: number;
}

export interface IssuedDocument
  extends Pick<ReturnDocument, "kind" | "number" | "series" | "serial" | "day" | "isCancelled"> {
  facts: Pick<
    InvoiceFacts,
    | "supplier"
    | "recipient"
    | "supply"
    | "placeOfSupply"
    | "currency"
    | "inTaxCurrency"
    | "lines"
    | "subtotalMinor"
    | "taxes"
    | "roundingMinor"
    | "totalMinor"
  >;
  /** Minor units of the document's currency; left out for an invoice, whose own total applies. */
  invoiceTotalMinor?: number;
}

/** A document that is in no return, or cannot be as it is. */
export interface DocumentOutsideReturn {
  /** Null for a document without GST, which belongs in no return. */
  sellerGstin: string | null;
  /** Reason for an accountant. */
  why: string;
}

/** Converts a document for a return, or returns the reason why it cannot be in one. */
export function returnDocument(issued: IssuedDocument): ReturnDocument | DocumentOutsideReturn {
  const { facts, invoiceTotalMinor = facts.totalMinor, ...document } = issued;
  const { supplier, recipient, placeOfSupply, lines, currency, inTaxCurrency } = facts;
  const { gstin } = supplier;
  if (gstin === null) return { sellerGstin: null, why: "its seller has no GSTIN" };
  const unplaced = (why: string): DocumentOutsideReturn => ({ sellerGstin: gstin, why });
  if (placeOfSupply === null) return unplaced("it names no place of supply");
  if (currency !== currencyOf(gstCountry) && inTaxCurrency === undefined)
    return unplaced(`it is in ${currency} and does not state its value in ${currencyOf(gstCountry)}`);
  const [line] = lines;
  if (line === undefined || line.sac === null) return unplaced("it has no service code");
  const supplyType = facts.supply?.type ?? supplyTypeOf(facts);
  const buyerGstin = supplyType.startsWith("EXP") ? null : recipient.gstin;
  if (supplyType.startsWith("SEZ") && buyerGstin === null)
    return unplaced("it's for a special economic zone but has no buyer GSTIN");
  const { subtotalMinor: taxableMinor, taxes, totalMinor } = taxCurrencyAmounts(facts);
  const taxOf = (...names: string[]) =>
    taxes.filter(({ name }) => names.includes(name)).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return {
    ...document,
    sellerGstin: gstin,
    buyerGstin,
    buyerName: recipient.name,
    supplyType,
    place: placeOfSupply.code,
    rateBasisPoints: taxes.reduce((sum, { rateBasisPoints }) => sum + rateBasisPoints, 0),
    sac: line.sac,
    description: line.description,
    totalMinor,
    taxableMinor,
    igstMinor: taxOf("IGST"),
    cgstMinor: taxOf("CGST"),
    sgstMinor: taxOf("SGST", "UTGST"),
    invoiceTotalMinor: inTaxMinor(invoiceTotalMinor, facts),
  };
}

export function isPlaced(document: ReturnDocument | DocumentOutsideReturn): document is ReturnDocument {
  return !("why" in document);
}

/** Documents of earlier versions do not store their supply; none of them was for a special economic zone. */
function supplyTypeOf({
  placeOfSupply,
  taxes,
  recipient,
}: Pick<InvoiceFacts, "placeOfSupply" | "taxes" | "recipient">): Supply["type"] {
  if (placeOfSupply?.code === exportPlace.code) return taxes.length > 0 ? "EXPWP" : "EXPWOP";
  return recipient.gstin === null ? "B2C" : "B2B";
}

/** Formats a place of supply for the return's files: "29-Karnataka". */
export function placeText(code: string): string {
  const state = indianStates.find(({ gstCode }) => gstCode === code);
  return `${code}-${state?.name ?? (code === exportPlace.code ? exportPlace.name : otherTerritory)}`;
}
