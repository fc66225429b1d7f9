/** The seller and the buyer of a document, in the parts that the invoice registration portal requires. */

import { z } from "zod";
import type { PlaceOfBusiness, Supply } from "#db/orders/order.ts";
import { noPincode } from "#server/foundation/countries/indian-pincodes.ts";
import type { IndianState } from "#server/foundation/countries/indian-states.ts";
import { withoutPlaceholder } from "#server/foundation/placeholders.ts";
import { isExport } from "#server/orders/supply.ts";
import type { PlaceOfSupply } from "./place-of-supply.ts";
import type { Supplier } from "./supplier.ts";

/** An address in parts. */
export const partySchema = z.object({
  street: z.string(),
  locality: z.string(),
  /** Six digits; null when the stored address has none. */
  pincode: z.string().nullable(),
  /** The state's two-digit code, 96 for abroad. */
  stateCode: z.string(),
  /** The names in the GST register. Left out when it was not queried, and by earlier versions. */
  registered: z.object({ legalName: z.string(), tradeName: z.string() }).optional(),
});
export type RegisteredNames = NonNullable<DocumentParty["registered"]>;
export type DocumentParty = z.infer<typeof partySchema>;

const pincodeForm = /\b[1-9]\d{5}\b/;

/** Splits the seller's address lines; the line with the pincode contains the locality. */
export function supplierParty({ addressLines }: Supplier, { gstCode, name }: IndianState): DocumentParty {
  const line = addressLines.find((each) => pincodeForm.test(each)) ?? addressLines.at(-1) ?? "";
  const locality = line
    .replace(pincodeForm, "")
    .replace(name, "")
    .replace(/[\s,]+$/, "")
    .trim();
  const streets = addressLines.slice(0, Math.max(1, addressLines.indexOf(line)));
  return {
    street: streets.join(", "),
    locality: locality === "" ? name : locality,
    pincode: pincodeForm.exec(line)?.[0] ?? null,
    stateCode: gstCode,
  };
}

export function recipientParty(
  place: PlaceOfBusiness | null,
  supply: Supply,
  { code }: Pick<PlaceOfSupply, "code">,
): DocumentParty {
  const street = [place?.addressLine1, place?.addressLine2]
    .filter((line) => withoutPlaceholder(line ?? "") !== "")
    .join(", ");
  const pincode = isExport(supply) ? noPincode : (place?.pincode ?? null);
  return { street, locality: place?.city ?? "", pincode, stateCode: code };
}

/** Returns the party with its names in the GST register; unchanged when it was not queried. */
export function withNames(party: DocumentParty, names: RegisteredNames | null): DocumentParty {
  if (names === null) return party;
  const { legalName, tradeName } = names;
  return { ...party, registered: { legalName, tradeName } };
}
