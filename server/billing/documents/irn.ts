/** The invoice reference number of a document, by which it can be looked up before anything is known of its registration. */
import { createHash } from "node:crypto";
import type { DocumentKind } from "#db/tables/invoices.ts";
import { longFinancialYear } from "#server/foundation/countries/financial-year.ts";
import { gstCountry } from "#server/foundation/countries/registry.ts";
import { yearAndMonth } from "#server/orders/subscriptions/dates.ts";

/**
 * SHA-256 of the seller's GSTIN, the financial year, the kind and the number (docs/providers.md, section 4). How the year is
 * written in it is not documented; a document is therefore also known by the number that the portal answers with.
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
