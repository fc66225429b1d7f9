/** The place of supply of a service, which decides how GST is split (docs/providers.md, section 4). */
import { parseGstin } from "#server/countries/gstin.ts";
import { findIndianState, type IndianState } from "#server/countries/indian-states.ts";

export interface PlaceOfSupply {
  /** The state's two digits, or 96 or 97 for a registration outside the states. */
  code: string;
  name: string;
}

const outsideStates: Readonly<Record<string, string>> = { "96": "Foreign country", "97": "Other territory" };

/**
 * A registered recipient's place is that of its registration. Otherwise it is the state of the address on record, or the
 * supplier's own when there is none.
 * @param recipient.gstin null when the recipient is not registered
 * @param recipient.state as written in the address; null when no address is known
 */
export function placeOfSupply(
  supplierState: IndianState,
  recipient: { gstin: string | null; state: string | null },
): PlaceOfSupply {
  const gstin = recipient.gstin === null ? null : parseGstin(recipient.gstin);
  if (gstin !== null && gstin.state === null) {
    const code = gstin.value.slice(0, 2);
    return { code, name: outsideStates[code] ?? "Other territory" };
  }
  const { gstCode: code, name } =
    gstin?.state ?? (recipient.state === null ? null : findIndianState(recipient.state)) ?? supplierState;
  return { code, name };
}
