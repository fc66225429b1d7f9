/** The place of supply of a service, which decides how GST is split (docs/providers.md, section 4). */
import { parseGstin } from "#server/foundation/countries/gstin.ts";
import { findIndianState, type IndianState } from "#server/foundation/countries/indian-states.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import { textIn } from "#server/foundation/languages/text.ts";

export interface PlaceOfSupply {
  /** The state's two digits, or 96 or 97 for a registration outside the states. */
  code: string;
  /** In the language that was asked for. */
  name: string;
}

const foreignCountry = "96";

/** Where an export goes. */
export function exportPlaceOfSupply(language: LanguageId): PlaceOfSupply {
  return { code: foreignCountry, name: textIn(language)("invoice.foreignCountry") };
}

/**
 * A registered recipient's place is that of its registration. Otherwise it is the state of the address on record, or the
 * supplier's own when there is none.
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
