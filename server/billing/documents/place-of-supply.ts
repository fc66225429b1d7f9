/** The place of supply of a service, which decides how GST is split (docs/providers.md, section 4). */
import { parseGstin } from "#server/foundation/countries/gstin.ts";
import { findIndianState, type IndianState } from "#server/foundation/countries/indian-states.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import { textIn } from "#server/foundation/languages/text.ts";

export interface PlaceOfSupply {
  /** The state's two-digit code, or 96 or 97 for a registration outside the states. */
  code: string;
  /** Name of the place in the requested language. */
  name: string;
}

const foreignCountry = "96";

/** Returns the place of supply of an export. */
export function exportPlaceOfSupply(language: LanguageId): PlaceOfSupply {
  return { code: foreignCountry, name: textIn(language)("invoice.foreignCountry") };
}

/**
 * Returns the place of supply: for a registered recipient the state of its registration, else the state of the stored address,
 * or the supplier's own without an address.
 * @param recipient.gstin null when the recipient is not registered
 * @param recipient.state as written in the address; null when no address is known
 */
export function placeOfSupply(
  supplierState: IndianState,
  recipient: { gstin: string | null; state: string | null },
  language: LanguageId,
): PlaceOfSupply {
  const gstin = recipient.gstin === null ? null : parseGstin(recipient.gstin);
  if (gstin !== null && gstin.state === null) {
    const code = gstin.value.slice(0, 2);
    const key: PlainMessageKey =
      code === foreignCountry ? "invoice.foreignCountry" : "invoice.otherTerritory";
    return { code, name: textIn(language)(key) };
  }
  const { gstCode: code, names } =
    gstin?.state ?? (recipient.state === null ? null : findIndianState(recipient.state)) ?? supplierState;
  return { code, name: names[language] };
}
