/** Reads the seller of each country from the settings. */
import { z } from "zod";
import type { Country } from "#db/tables/enums.ts";
import { parseGstin } from "#server/foundation/countries/gstin.ts";
import { countries, countryCodes } from "#server/foundation/countries/registry.ts";
import type { Accounts } from "./accounts.ts";
import { namesInCountry, type Source, settingIn } from "./source.ts";
import { isFinancialYear } from "./value-schemas.ts";

/**
 * The legal seller of a country: named on its invoices, as Rule 46 of the GST rules requires, and on its legal and contact pages.
 */
export interface Seller {
  name: string;
  /** Lines are separated by semicolons. */
  address: string;
  /** Null only in countries without GST. */
  gstin: string | null;
  /** Tax number in the USA, shown where there is no GSTIN. */
  ein: string | null;
  /** Letters of undertaking under which the seller exports, and supplies special economic zones, without tax. */
  letters: readonly LetterOfUndertaking[];
  /** Name under an invoice. */
  signatory: string;
  phone: string;
  supportHours: string;
  grievanceOfficer: string;
  grievanceEmail: string;
}

/** Form GST RFD-11, which a seller files for a financial year before the first supply without tax. */
export interface LetterOfUndertaking {
  /** "2026-27" */
  year: string;
  /** Reference number of the application. */
  number: string;
}

/** Names without a country code belong to the seller of every country without its own seller. */
export const sellerSettings = {
  name: "SELLER_NAME",
  address: "SELLER_ADDRESS",
  gstin: "SELLER_GSTIN",
  ein: "SELLER_EIN",
  letters: "SELLER_LUT",
  signatory: "SELLER_SIGNATORY",
  phone: "SELLER_PHONE",
  supportHours: "SELLER_SUPPORT_HOURS",
  grievanceOfficer: "SELLER_GRIEVANCE_OFFICER",
  grievanceEmail: "SELLER_GRIEVANCE_EMAIL",
} as const satisfies Record<keyof Seller, string>;

/** Names of the settings of a country's own seller. */
export const sellerSettingsOf = (country: Country) => namesInCountry(sellerSettings, country);

export const standardSignatory = "Authorised signatory";

/** Support hours that the terms promise (docs/specification.md, section 9.2). */
export const standardHours = "24/7";

/** @returns the seller of each country, and the problems in the settings of those without one */
export function readSellers(source: Source): Accounts<Country, Seller> {
  const accounts = new Map<Country, Seller>();
  const problems = new Set<string>();
  for (const country of countryCodes) {
    const own = sellerSettingsOf(country);
    const isOwn = [own.name, own.address, own.gstin].some((name) => settingIn(source, name) !== null);
    const read = readSeller(source, isOwn ? own : sellerSettings, country);
    if (read.seller !== null) accounts.set(country, read.seller);
    for (const problem of read.problems) problems.add(problem);
  }
  return { accounts, problems: [...problems] };
}

function readSeller(
  source: Source,
  names: Readonly<Record<keyof Seller, string>>,
  country: Country,
): { seller: Seller | null; problems: string[] } {
  const name = settingIn(source, names.name);
  const address = settingIn(source, names.address);
  const gstin = settingIn(source, names.gstin);
  const ein = settingIn(source, names.ein);
  const { letters, problems: wrongLetters } = readLetters(source, names.letters);
  // One office may serve all countries.
  const shared = (part: "phone" | "supportHours" | "grievanceOfficer" | "grievanceEmail") =>
    settingIn(source, sellerSettingsOf(country)[part]) ?? settingIn(source, sellerSettings[part]);
  const phone = shared("phone");
  const grievanceOfficer = shared("grievanceOfficer");
  const grievanceEmail = shared("grievanceEmail");
  const needsGstin = countries[country].invoicing.tax.kind === "gst";
  const problems = [
    ...(name === null ? [`${names.name}: missing`] : []),
    ...(address === null ? [`${names.address}: missing`] : []),
    ...(gstin === null && needsGstin ? [`${names.gstin}: missing`] : []),
    ...(gstin !== null && (parseGstin(gstin)?.state ?? null) === null
      ? [`${names.gstin}: must be a GSTIN of an Indian state`]
      : []),
    ...wrongLetters,
    ...(phone === null ? [`${sellerSettings.phone}: missing`] : []),
    ...(grievanceOfficer === null ? [`${sellerSettings.grievanceOfficer}: missing`] : []),
    ...(grievanceEmail === null ? [`${sellerSettings.grievanceEmail}: missing`] : []),
    ...(grievanceEmail !== null && !z.email().safeParse(grievanceEmail).success
      ? [`${sellerSettings.grievanceEmail}: must be an email address`]
      : []),
  ];
  if (name === null || address === null || phone === null) return { seller: null, problems };
  if (grievanceOfficer === null || grievanceEmail === null || problems.length > 0)
    return { seller: null, problems };
  const signatory = settingIn(source, names.signatory) ?? standardSignatory;
  const supportHours = shared("supportHours") ?? standardHours;
  const contact = { phone, supportHours, grievanceOfficer, grievanceEmail };
  return { seller: { name, address, gstin, ein, letters, signatory, ...contact }, problems };
}

/** Parses "2026-27 AD290326000123X": financial year and reference number, separated by semicolons. */
function readLetters(source: Source, name: string): { letters: LetterOfUndertaking[]; problems: string[] } {
  const parts = (settingIn(source, name) ?? "").split(";").map((part) => part.trim());
  const given = parts.filter((part) => part !== "");
  const letters = given.flatMap((part) => {
    const [, year = "", number = ""] = /^(\d{4}-\d{2}) ([A-Z0-9]{8,20})$/.exec(part) ?? [];
    return isFinancialYear(year) && number !== "" ? [{ year, number }] : [];
  });
  const isRight = letters.length === given.length;
  return { letters, problems: isRight ? [] : [`${name}: must be like 2026-27 AD290326000123X`] };
}
