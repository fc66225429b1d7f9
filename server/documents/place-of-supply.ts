/** Where a service counts as supplied, which decides whose tax it bears (docs/providers.md, section 4). */
import { parseGstin } from "#server/countries/gstin.ts";
import { findIndianState, type IndianState } from "#server/countries/indian-states.ts";

export interface PlaceOfSupply {
  /** The two digits of the state, or 96 and 97 for a registration outside the states. */
  code: string;
  name: string;
}

const outsideStates: Readonly<Record<string, string>> = { "96": "Foreign country", "97": "Other territory" };

/**
 * A registered recipient's place is that of its registration; another's is the state of its address on record, and the
 * supplier's own when there is none.
 * @param recipient.gstin null when it is not registered
 * @param recipient.state as its address has it; null when no address is known
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
