/** Explains a refusal of the invoice registration portal in a sentence that says what to correct (docs/providers.md, section 4). */
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";

/** Codes of the portal and of the store's own checks that mean one thing. */
const explained: ReadonlyMap<string, MessageDescriptor> = new Map([
  ["3028", msg("refusedDocuments.buyerGstinInvalid")],
  ["3029", msg("refusedDocuments.buyerGstinInactive")],
  ["2211", msg("refusedDocuments.sameParty")],
  ["3039", msg("refusedDocuments.pincode")],
  ["2172", msg("refusedDocuments.placeOfSupply")],
  ["2173", msg("refusedDocuments.placeOfSupply")],
  ["2259", msg("refusedDocuments.stateOfGstin")],
  ["2258", msg("refusedDocuments.ours")],
  ["2265", msg("refusedDocuments.ours")],
  ["2283", msg("refusedDocuments.unreadable")],
  ["5007", msg("refusedDocuments.tooOld")],
  ["too_old", msg("refusedDocuments.tooOld")],
  ["different", msg("refusedDocuments.different")],
]);

/** Code 5002 names a field of the portal's form: "BuyerDtls.LglNm: Too small". */
const formCode = "5002";
const formFields: readonly (readonly [RegExp, MessageDescriptor])[] = [
  [/SellerDtls|seller|supplier|ItemList|item list|ValDtls/i, msg("refusedDocuments.ours")],
  [/LglNm|legal name/i, msg("refusedDocuments.legalName")],
  [/TrdNm|trade name/i, msg("refusedDocuments.tradeName")],
  [/Addr[12]|address/i, msg("refusedDocuments.street")],
  [/\bLoc\b|location/i, msg("refusedDocuments.city")],
  [/\bPin\b|pincode/i, msg("refusedDocuments.pincodeForm")],
  [/Stcd|\bPos\b|state/i, msg("refusedDocuments.stateOfGstin")],
  [/gstin/i, msg("refusedDocuments.buyerGstinInvalid")],
];

/** The last refusal of a document, as it was stored. */
export interface StoredRefusal {
  errorCode: string | null;
  errorWords: string | null;
}

/** Describes the problem of a refused document. For an unknown code it returns the portal's own message. */
export function explainRefusal({ errorCode, errorWords }: StoredRefusal): MessageDescriptor {
  const words = (errorWords ?? "").trim();
  const known = errorCode === null ? undefined : explained.get(errorCode);
  if (known !== undefined) return known;
  const field = errorCode === formCode ? formFields.find(([named]) => named.test(words)) : undefined;
  if (field !== undefined) return field[1];
  return words === "" ? msg("refusedDocuments.noReason") : msg("refusedDocuments.other", { words });
}

/** Refusals that no detail of the buyer resolves, and those that we cannot explain. */
const forStaff: readonly string[] = (
  ["ours", "tooOld", "different", "unreadable", "other", "noReason"] as const
).map((name) => msg(`refusedDocuments.${name}`).key);

/** Whether the buyer can resolve a refusal, by correcting their names, address or GSTIN. */
export function isForBuyer(refusal: StoredRefusal): boolean {
  return !forStaff.includes(explainRefusal(refusal).key);
}

/** Whether a document can only be registered under another number: too old for the portal, or its number is another document's. */
export function needsNewNumber({ errorCode }: Pick<StoredRefusal, "errorCode">): boolean {
  return errorCode === "too_old" || errorCode === "5007" || errorCode === "different";
}
