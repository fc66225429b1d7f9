/**
 * Pincodes by state, as in the invoice registration portal's list of their first three digits (docs/providers.md, section 4).
 * Several states share some, so a pincode is refused only if it cannot be in the state.
 */
import { ungrouped } from "#server/foundation/digits.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { type IndianState, indianStates } from "./indian-states.ts";

/** Six digits. No pincode begins with 10, and the portal uses 999999 for an address without one. */
export const pincodeForm = /^(?!10|999999)[1-9]\d{5}$/;

/** Pincode that the portal requires for an address abroad or in the other territory. */
export const noPincode = "999999";

type Range = readonly [first: number, last: number];

/** Inclusive ranges of the first three digits, by GST code. */
const ranges: ReadonlyMap<string, readonly Range[]> = new Map<string, readonly Range[]>([
  ["01", [[180, 194]]],
  ["02", [[171, 177]]],
  ["03", [[140, 160]]],
  [
    "04",
    [
      [140, 140],
      [160, 160],
    ],
  ],
  ["05", [[244, 263]]],
  ["06", [[121, 136]]],
  ["07", [[110, 110]]],
  ["08", [[301, 345]]],
  ["09", [[201, 285]]],
  ["10", [[800, 855]]],
  ["11", [[737, 737]]],
  ["12", [[790, 792]]],
  ["13", [[797, 798]]],
  ["14", [[795, 795]]],
  ["15", [[796, 796]]],
  ["16", [[799, 799]]],
  ["17", [[793, 794]]],
  ["18", [[781, 788]]],
  ["19", [[700, 743]]],
  ["20", [[813, 835]]],
  ["21", [[751, 770]]],
  ["22", [[490, 497]]],
  ["23", [[450, 488]]],
  ["24", [[360, 396]]],
  // Diu is reached through Gujarat's 362, Daman and Dadra through its 396.
  [
    "26",
    [
      [362, 362],
      [396, 396],
    ],
  ],
  ["27", [[400, 445]]],
  ["29", [[560, 591]]],
  ["30", [[403, 403]]],
  ["31", [[682, 682]]],
  ["32", [[670, 695]]],
  ["33", [[600, 643]]],
  // Yanam is in Andhra Pradesh, Mahe in Kerala, the others in Tamil Nadu.
  [
    "34",
    [
      [533, 533],
      [605, 605],
      [607, 607],
      [609, 609],
      [673, 673],
    ],
  ],
  ["35", [[744, 744]]],
  // Andhra Pradesh until 2014: post offices on both sides of the border kept their pincodes.
  [
    "36",
    [
      [500, 509],
      [518, 518],
      [533, 533],
    ],
  ],
  ["37", [[500, 535]]],
  // Jammu and Kashmir until 2019.
  ["38", [[180, 194]]],
]);

/** Returns a pincode as six digits when it was entered with gaps, dots or dashes; any other text unchanged. */
export function canonicalPincode(text: string): string {
  const digits = ungrouped(text);
  return /^\d{6}$/.test(digits) ? digits : text;
}

/** Returns the states that a pincode can be in; none for first digits that the portal does not list. */
export function statesOfPincode(pincode: string): IndianState[] {
  return indianStates.filter(({ gstCode }) => isInState(pincode, gstCode));
}

/** Returns why a pincode cannot be in a state; `null` when it can, or when its first digits are unknown. */
export function pincodeProblem(pincode: string, state: IndianState): MessageDescriptor | null {
  const [first, ...others] = statesOfPincode(pincode);
  if (first === undefined || isInState(pincode, state.gstCode)) return null;
  return others.length === 0
    ? msg("fields.pincodeElsewhere", { pincode, place: first.names, state: state.names })
    : msg("fields.pincodeNotThere", { pincode, state: state.names });
}

function isInState(pincode: string, gstCode: string): boolean {
  const digits = Number(pincode.slice(0, 3));
  return ranges.get(gstCode)?.some(([first, last]) => digits >= first && digits <= last) ?? false;
}
