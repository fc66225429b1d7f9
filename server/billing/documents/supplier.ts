/** The seller: its facts on an invoice, read from the settings. */
import type { SupplyType } from "#db/orders/order.ts";
import type { Country } from "#db/tables/enums.ts";
import { brand } from "#server/foundation/brand.ts";
import type { standardEndorsements } from "#server/foundation/countries/endorsements.ts";
import { parseGstin } from "#server/foundation/countries/gstin.ts";
import type { IndianState } from "#server/foundation/countries/indian-states.ts";
import type { Env } from "#server/platform/env.ts";
import type { ExchangeRates } from "#server/platform/settings/value-schemas.ts";

export interface Supplier {
  name: string;
  addressLines: string[];
  /** Its GST registration, whose state decides between CGST with SGST and IGST; null when it needs none. */
  gst: { /** 15 characters, upper case. */ gstin: string; state: IndianState } | null;
  /** The service accounting code of everything sold. */
  sac: string;
  /** Its exchange rates, for exports. */
  rates: ExchangeRates;
  /** Endorsements that an invoice must print for a supply abroad or to a special economic zone. */
  endorsements: Readonly<Partial<Record<SupplyType, string>>>;
  signatory: string;
  email: string;
}

/** The settings about each country's seller and the content of its documents. */
export type Sellers = Pick<
  Env,
  "sellers" | "SELLER_SAC" | "EXPORT_RATES" | keyof typeof standardEndorsements
>;

/**
 * The seller of a country's orders (docs/decisions/countries.md#sellers).
 * @throws RangeError when the country has none, or a GSTIN of no Indian state, which readEnv has already refused
 */
export function supplierOf(settings: Sellers, country: Country): Supplier {
  const { SELLER_SAC: sac, EXPORT_RATES: rates } = settings;
  const seller = settings.sellers.get(country);
  if (seller === undefined) throw new RangeError(`${country} has no seller`);
  return {
    name: seller.name,
    addressLines: seller.address
      .split(";")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    gst: seller.gstin === null ? null : gstOf(seller.gstin),
    sac,
    rates,
    endorsements: {
      EXPWOP: settings.ENDORSEMENT_EXPWOP,
      EXPWP: settings.ENDORSEMENT_EXPWP,
      SEZWOP: settings.ENDORSEMENT_SEZWOP,
      SEZWP: settings.ENDORSEMENT_SEZWP,
    },
    signatory: seller.signatory,
    email: brand.supportEmail,
  };
}

function gstOf(text: string): Supplier["gst"] {
  const gstin = parseGstin(text);
  if (gstin === null || gstin.state === null)
    throw new RangeError("The seller's GSTIN is of no Indian state");
  return { gstin: gstin.value, state: gstin.state };
}
