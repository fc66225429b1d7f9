/**
 * When an invoice may be replaced by a corrected one, and what the corrected one says (docs/decisions/invoices.md#corrected-invoices). The tax, and
 * every other figure, stays as it was invoiced.
 */
import { isDeepStrictEqual } from "node:util";
import type { OrderReferences } from "#db/orders/order.ts";
import { lastDayToCredit, longFinancialYear } from "#server/foundation/countries/financial-year.ts";
import { parseGstin } from "#server/foundation/countries/gstin.ts";
import { gstCountry } from "#server/foundation/countries/registry.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { areSameReferences, noReferences } from "#server/orders/references.ts";
import { dateView, yearAndMonth } from "#server/orders/subscriptions/dates.ts";
import { isExport, isToZone } from "#server/orders/supply.ts";
import { type CorrectedRecipient, type InvoiceFacts, withRecipient } from "./facts.ts";
import { placeOfSupply } from "./place-of-supply.ts";

/** The changes of a corrected invoice. */
export interface CorrectedParts {
  references: OrderReferences;
  /** Null keeps the recipient. */
  recipient: CorrectedRecipient | null;
}

/**
 * Whether the law still allows cancelling an invoice with GST: until 30 November after the end of the financial year of the
 * supply, by India's clock, or until the annual return of that year is filed, if that is earlier.
 * @param invoice.issuedAt of the first invoice of the supply
 * @param filed financial years whose annual return is filed: "2025-26"
 */
export function isWithinGstCreditDeadline(
  { issuedAt, facts: { placeOfSupply: place, paidAt } }: { issuedAt: Date; facts: InvoiceFacts },
  filed: readonly string[],
  now: Date,
): boolean {
  if (place === null) return true;
  // A service is supplied when it is invoiced or paid, whichever is earlier.
  const paid = paidAt === null ? issuedAt : new Date(paidAt);
  const supplied = yearAndMonth(paid < issuedAt ? paid : issuedAt, gstCountry);
  const isPast = dateView(now, gstCountry).iso > lastDayToCredit(supplied);
  return !isPast && !filed.includes(longFinancialYear(supplied));
}

/**
 * Whether the tax of an invoice stays the same with another recipient: its place of supply, and whether the recipient is in a
 * special economic zone. Having a GSTIN or not does not change the tax.
 * @param recipient.isZone by the register
 */
export function keepsTax(
  { supplier, supply, placeOfSupply: place }: InvoiceFacts,
  { place: { state }, gstin, isZone }: CorrectedRecipient & { isZone: boolean },
  language: LanguageId,
): boolean {
  if (place === null || (supply !== undefined && isExport(supply))) return true;
  const wasZone = supply !== undefined && isToZone(supply);
  if (wasZone !== isZone) return false;
  const from = supplier.gstin === null ? null : (parseGstin(supplier.gstin)?.state ?? null);
  return from !== null && placeOfSupply(from, { gstin, state }, language).code === place.code;
}

/**
 * Returns the facts of the corrected invoice: the old ones with the requested changes, and a reference to the replaced invoice.
 */
export function correctedFacts(
  { number, issuedAt, language, facts }: CorrectedOf,
  { references, recipient }: CorrectedParts,
): InvoiceFacts {
  const { references: _former, ...kept } =
    recipient === null ? facts : withRecipient(facts, recipient, language);
  return {
    ...kept,
    ...(areSameReferences(references, noReferences) ? {} : { references }),
    replaces: { number, issuedAt: issuedAt.toISOString() },
  };
}

interface CorrectedOf {
  number: string;
  issuedAt: Date;
  language: LanguageId;
  facts: InvoiceFacts;
}

/** Lists the parts that differ between an invoice and a corrected one. */
export function listCorrectedParts(
  before: InvoiceFacts,
  after: InvoiceFacts,
): ("purchaseOrder" | "costCentre" | "note" | "recipient")[] {
  const from = before.references ?? noReferences;
  const to = after.references ?? noReferences;
  const names = (["purchaseOrder", "costCentre", "note"] as const).filter((name) => from[name] !== to[name]);
  return isDeepStrictEqual(before.recipient, after.recipient) ? names : [...names, "recipient"];
}
