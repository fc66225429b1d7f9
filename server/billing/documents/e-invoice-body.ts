/**
 * Converts a document to the format of the invoice registration portal, version 1.1 (docs/providers.md, section 4), using only
 * the document's frozen facts.
 */
import type { DocumentKind } from "#db/tables/invoices.ts";
import { noPincode } from "#server/foundation/countries/indian-pincodes.ts";
import { otherTerritory, stateOfGstCode } from "#server/foundation/countries/indian-states.ts";
import { portalText } from "#server/foundation/countries/portal-texts.ts";
import { countries, gstCountry } from "#server/foundation/countries/registry.ts";
import { isExport } from "#server/orders/supply.ts";
import type { InvoiceFacts } from "./facts.ts";
import type { DocumentParty } from "./parties.ts";
import { divideProportionally, inTaxMinor, taxCurrencyAmounts } from "./tax-currency.ts";

/** A document that may have to be registered. */
export interface IssuedDocument {
  number: string;
  kind: DocumentKind;
  issuedAt: Date;
  facts: InvoiceFacts;
  /** The invoice that a credit note corrects. */
  precedes?: { number: string; issuedAt: Date } | undefined;
}

type Supply = NonNullable<InvoiceFacts["supply"]>;
type Parties = NonNullable<InvoiceFacts["parties"]>;

/** The facts that a document needs for registration; one without GST lacks them. */
interface Registrable {
  gstin: string;
  supply: Supply;
  parties: Parties;
}

/**
 * Selects the facts for registration.
 * @returns null for a document that needs no registration: without GST, or to an unregistered buyer in the same country
 */
export function toRegistrable({ facts }: Pick<IssuedDocument, "facts">): Registrable | null {
  const { supply, parties, supplier } = facts;
  if (supply === undefined || parties === undefined || supplier.gstin === null) return null;
  return supply.type === "B2C" ? null : { gstin: supplier.gstin, supply, parties };
}

export function eInvoiceBody(document: IssuedDocument, { gstin, supply, parties }: Registrable) {
  const { number, kind, issuedAt, facts } = document;
  const { supplier, recipient } = facts;
  const { subtotalMinor: assessable, taxes, roundingMinor, totalMinor: total } = taxCurrencyAmounts(facts);
  const rate = taxes.reduce((sum, { rateBasisPoints }) => sum + rateBasisPoints, 0) / 100;
  const taxNamed = (name: (tax: string) => boolean) =>
    taxes.filter((tax) => name(tax.name)).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const igst = taxNamed((name) => name === "IGST");
  const cgst = taxNamed((name) => name === "CGST");
  const sgst = taxNamed((name) => name === "SGST" || name === "UTGST");
  const values = divideProportionally(
    assessable,
    facts.lines.map(({ amountMinor }) => amountMinor),
  );
  const shares = {
    igst: divideProportionally(igst, values),
    cgst: divideProportionally(cgst, values),
    sgst: divideProportionally(sgst, values),
  };
  const exported = isExport(supply);
  return {
    Version: "1.1",
    TranDtls: { TaxSch: "GST", SupTyp: supply.type, RegRev: "N" },
    DocDtls: { Typ: kind, No: number, Dt: dateIn(issuedAt) },
    SellerDtls: {
      Gstin: gstin,
      LglNm: nameOf(supplier.name),
      TrdNm: nameOf(supplier.name),
      ...addressOf(parties.supplier),
    },
    BuyerDtls: {
      Gstin: exported ? "URP" : (recipient.gstin ?? "URP"),
      ...namesOf(recipient.name, parties.recipient),
      Pos: facts.placeOfSupply?.code ?? parties.recipient.stateCode,
      ...addressOf(parties.recipient),
    },
    ItemList: facts.lines.map((line, index) => {
      const value = values[index] ?? 0;
      const [igstOf = 0, cgstOf = 0, sgstOf = 0] = [shares.igst, shares.cgst, shares.sgst].map(
        (share) => share[index],
      );
      return {
        SlNo: String(index + 1),
        PrdDesc: portalText("description", [line.description, ...line.notes].join(", "), line.description),
        IsServc: "Y",
        HsnCd: line.sac ?? "",
        Qty: line.quantity,
        Unit: "OTH",
        UnitPrice: major(inTaxMinor(line.unitPriceMinor, facts)),
        TotAmt: major(value),
        Discount: 0,
        AssAmt: major(value),
        GstRt: rate,
        IgstAmt: major(igstOf),
        CgstAmt: major(cgstOf),
        SgstAmt: major(sgstOf),
        TotItemVal: major(value + igstOf + cgstOf + sgstOf),
      };
    }),
    ValDtls: {
      AssVal: major(assessable),
      CgstVal: major(cgst),
      SgstVal: major(sgst),
      IgstVal: major(igst),
      Discount: 0,
      OthChrg: 0,
      RndOffAmt: major(roundingMinor),
      TotInvVal: major(total),
      ...(facts.currency !== countries[gstCountry].currency && { TotInvValFc: major(facts.totalMinor) }),
    },
    ...referencesOf(document),
    ...(exported && { ExpDtls: { CntCode: facts.country, ForCur: facts.currency } }),
  };
}

/** The portal's format of purchase order numbers. Other numbers are not sent, because a shortened number would be another one. */
const purchaseOrderForm = /^[A-Za-z0-9/-]{1,16}$/;

/** Builds the references to the invoice that a credit note corrects, and to the buyer's purchase order. */
function referencesOf({ facts, precedes }: IssuedDocument) {
  const purchaseOrder = facts.references?.purchaseOrder ?? "";
  const isValidReference = purchaseOrderForm.test(purchaseOrder);
  if (precedes === undefined && !isValidReference) return {};
  return {
    RefDtls: {
      ...(precedes !== undefined && {
        PrecDocDtls: [{ InvNo: precedes.number, InvDt: dateIn(precedes.issuedAt) }],
      }),
      ...(isValidReference && { ContrDtls: [{ PORefr: purchaseOrder }] }),
    },
  };
}

/** Returns the names in the GST register if it was queried, else the name on the invoice. */
function namesOf(name: string, { registered }: DocumentParty): { LglNm: string; TrdNm?: string } {
  const { legalName = name, tradeName = "" } = registered ?? {};
  return { LglNm: nameOf(legalName), ...(tradeName !== "" && { TrdNm: nameOf(tradeName) }) };
}

/** Extends a name that is too short for the portal with "M/s" (Messrs), as Indian letters address a firm. */
const nameOf = (name: string) => portalText("name", name, `M/s ${name}`);

function addressOf({ street, locality, pincode, stateCode }: DocumentParty) {
  const state = stateOfGstCode(stateCode)?.name ?? countries[gstCountry].name;
  return {
    Addr1: portalText("street", street, locality),
    Loc: portalText("locality", locality, [locality, state].filter((part) => part !== "").join(", ")),
    Pin: Number(stateCode === otherTerritory ? noPincode : (pincode ?? "0")),
    Stcd: stateCode,
  };
}

/** Converts to major units, as the portal expects. */
function major(minor: number): number {
  return minor / 100;
}

/** Formats a date by India's clock: "25/11/2026". */
function dateIn(at: Date): string {
  const { timeZone } = countries[gstCountry];
  const format = { timeZone, day: "2-digit", month: "2-digit", year: "numeric" } as const;
  return new Intl.DateTimeFormat("en-GB", format).format(at);
}
