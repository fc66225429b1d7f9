/** The seller: what an invoice must say about it, read from the settings. */
import { brand } from "#server/brand.ts";
import { parseGstin } from "#server/countries/gstin.ts";
import type { IndianState } from "#server/countries/indian-states.ts";
import type { Env } from "#server/env.ts";

export interface Supplier {
  name: string;
  addressLines: string[];
  /** 15 characters, upper case. */
  gstin: string;
  /** Where it is registered, which decides between CGST with SGST and IGST. */
  state: IndianState;
  /** The service accounting code of everything sold. */
  sac: string;
  signatory: string;
  email: string;
}

type Settings = Pick<
  Env,
  "SELLER_NAME" | "SELLER_ADDRESS" | "SELLER_GSTIN" | "SELLER_SAC" | "SELLER_SIGNATORY"
>;

/** @throws RangeError when the GSTIN is not of an Indian state, which readEnv has already refused */
export function supplierOf(settings: Settings): Supplier {
  const gstin = parseGstin(settings.SELLER_GSTIN);
  if (gstin === null || gstin.state === null) throw new RangeError("SELLER_GSTIN is of no Indian state");
  return {
    name: settings.SELLER_NAME,
    addressLines: settings.SELLER_ADDRESS.split(";")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    gstin: gstin.value,
    state: gstin.state,
    sac: settings.SELLER_SAC,
    signatory: settings.SELLER_SIGNATORY,
    email: brand.supportEmail,
  };
}
