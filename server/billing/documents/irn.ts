/** The invoice reference number (IRN) of a document, with which it can be looked up before its registration is known. */
import { createHash } from "node:crypto";
import type { DocumentKind } from "#db/tables/invoices.ts";
import { longFinancialYear } from "#server/foundation/countries/financial-year.ts";
import { gstCountry } from "#server/foundation/countries/registry.ts";
import { yearAndMonth } from "#server/orders/subscriptions/dates.ts";

/**
 * Computes the IRN: SHA-256 of the seller's GSTIN, the financial year, the kind and the number (docs/providers.md, section 4).
 * The format of the year in it is not documented, so documents are also identified by the number in the portal's response.
 * @returns 64 hexadecimal digits
 */
export function irnOf(document: {
  gstin: string;
  kind: DocumentKind;
  number: string;
  issuedAt: Date;
}): string {
  const { gstin, kind, number, issuedAt } = document;
  const year = longFinancialYear(yearAndMonth(issuedAt, gstCountry));
  return createHash("sha256").update(`${gstin}${year}${kind}${number}`).digest("hex");
}
