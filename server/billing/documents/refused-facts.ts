/**
 * A refused document's facts with corrected details of its recipient (docs/decisions/invoices.md#refused-documents). The amount that was paid
 * stays; the tax is named and split again if the place of supply differs.
 */
import { money } from "#db/money.ts";
import type { PlaceOfBusiness } from "#db/orders/order.ts";
import { noPincode } from "#server/foundation/countries/indian-pincodes.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { isExport, isToZone } from "#server/orders/supply.ts";
import { type CorrectedRecipient, type InvoiceFacts, withRecipient } from "./facts.ts";
import { supplierParty } from "./parties.ts";
import { placeOfSupply } from "./place-of-supply.ts";
import type { Supplier } from "./supplier.ts";
import { splitTax } from "./tax-split.ts";

/** Recipient of a document, as the correction form shows it. */
export interface RecipientDetails extends PlaceOfBusiness {
  /** The printed name. */
  companyName: string;
  /** Names in the GST register; the legal name is empty without a GSTIN. */
  legalName: string;
  tradeName: string;
  /** Empty without a GSTIN. */
  gst_code: string;
}

/** Splits a recipient's details into form fields, from the document's printed lines. */
export function recipientDetails({ recipient, parties }: InvoiceFacts): RecipientDetails {
  const party = parties?.recipient;
  const lines = recipient.addressLines.slice(0, -1);
  const last = lines.at(-1) ?? "";
  const city = party?.locality ?? "";
  const rest = last.slice(last.startsWith(`${city}, `) ? city.length + 2 : 0);
  const beforePostcode = rest.lastIndexOf(" ");
  const pincode = party === undefined || party.pincode === noPincode ? null : party.pincode;
  const [addressLine1 = "", ...more] = lines.slice(0, -1);
  return {
    companyName: recipient.name,
    legalName: recipient.gstin === null ? "" : (party?.registered?.legalName ?? recipient.name),
    tradeName: party?.registered?.tradeName ?? "",
    addressLine1,
    addressLine2: more.join(", "),
    city,
    state: rest.slice(0, Math.max(0, beforePostcode)),
    pincode: pincode ?? rest.slice(beforePostcode + 1),
    gst_code: recipient.gstin ?? "",
  };
}

/** Returns the facts for a corrected recipient. The tax may be split differently, but its total stays. */
export function withCorrectedRecipient(
  facts: InvoiceFacts,
  recipient: CorrectedRecipient,
  supplier: Supplier,
  language: LanguageId,
): InvoiceFacts {
  return withRecipient(withTaxFor(facts, recipient, supplier, language), recipient, language);
}

function withTaxFor(
  facts: InvoiceFacts,
  { place: { state }, gstin }: CorrectedRecipient,
  { gst }: Supplier,
  language: LanguageId,
): InvoiceFacts {
  const { supply, placeOfSupply: former, currency, subtotalMinor, totalMinor } = facts;
  if (supply === undefined || former === null || gst === null || isExport(supply)) return facts;
  const supplied = placeOfSupply(gst.state, { gstin, state }, language);
  if (supplied.code === former.code) return facts;
  const rate = facts.taxes.reduce((sum, { rateBasisPoints }) => sum + rateBasisPoints, 0);
  const taxes =
    facts.taxes.length === 0
      ? []
      : splitTax(money(subtotalMinor, currency), rate, gst.state.gstCode, supplied, {
          isToZone: isToZone(supply),
        }).map(({ amount, ...tax }) => ({ ...tax, amountMinor: amount.minor }));
  const taxMinor = taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return { ...facts, placeOfSupply: supplied, taxes, roundingMinor: totalMinor - subtotalMinor - taxMinor };
}

/** Returns the facts with the seller's current name, address and service code, which the portal may have refused. */
export function withPresentSupplier<Facts extends InvoiceFacts>(facts: Facts, supplier: Supplier): Facts {
  const { parties } = facts;
  const { name, addressLines, signatory, email, gst, sac } = supplier;
  if (parties === undefined || gst === null) return facts;
  return {
    ...facts,
    supplier: { ...facts.supplier, name, addressLines, signatory, email },
    parties: { ...parties, supplier: supplierParty(supplier, gst.state) },
    lines: facts.lines.map((line) => (line.sac === null ? line : { ...line, sac })),
  };
}

/** Whether the document is an export, whose recipient needs no GSTIN. */
export function isAbroad({ supply }: InvoiceFacts): boolean {
  return supply !== undefined && isExport(supply);
}
