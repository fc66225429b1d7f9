/** The states an address may name: India's with their GST codes, and those of the USA. */
import type { Country } from "#db/tables/enums.ts";

export interface State {
  /** Two letters; DNHDD for the one territory that goes by five. */
  abbreviation: string;
  name: string;
}

export interface IndianState extends State {
  /** The two digits a GSTIN begins with. */
  gstCode: string;
}

/** In the order of their GST codes (PROVIDERS section 4). */
export const indianStates: readonly IndianState[] = [
  indian("01", "JK", "Jammu and Kashmir"),
  indian("02", "HP", "Himachal Pradesh"),
  indian("03", "PB", "Punjab"),
  indian("04", "CH", "Chandigarh"),
  indian("05", "UK", "Uttarakhand"),
  indian("06", "HR", "Haryana"),
  indian("07", "DL", "Delhi"),
  indian("08", "RJ", "Rajasthan"),
  indian("09", "UP", "Uttar Pradesh"),
  indian("10", "BR", "Bihar"),
  indian("11", "SK", "Sikkim"),
  indian("12", "AR", "Arunachal Pradesh"),
  indian("13", "NL", "Nagaland"),
  indian("14", "MN", "Manipur"),
  indian("15", "MZ", "Mizoram"),
  indian("16", "TR", "Tripura"),
  indian("17", "ML", "Meghalaya"),
  indian("18", "AS", "Assam"),
  indian("19", "WB", "West Bengal"),
  indian("20", "JH", "Jharkhand"),
  indian("21", "OD", "Odisha"),
  indian("22", "CG", "Chhattisgarh"),
  indian("23", "MP", "Madhya Pradesh"),
  indian("24", "GJ", "Gujarat"),
  indian("26", "DNHDD", "Dadra and Nagar Haveli and Daman and Diu"),
  indian("27", "MH", "Maharashtra"),
  indian("29", "KA", "Karnataka"),
  indian("30", "GA", "Goa"),
  indian("31", "LD", "Lakshadweep"),
  indian("32", "KL", "Kerala"),
  indian("33", "TN", "Tamil Nadu"),
  indian("34", "PY", "Puducherry"),
  indian("35", "AN", "Andaman and Nicobar Islands"),
  indian("36", "TS", "Telangana"),
  indian("37", "AP", "Andhra Pradesh"),
  indian("38", "LA", "Ladakh"),
];

/** The fifty states and the federal district. */
export const usStates: readonly State[] = [
  us("AL", "Alabama"),
  us("AK", "Alaska"),
  us("AZ", "Arizona"),
  us("AR", "Arkansas"),
  us("CA", "California"),
  us("CO", "Colorado"),
  us("CT", "Connecticut"),
  us("DE", "Delaware"),
  us("DC", "District of Columbia"),
  us("FL", "Florida"),
  us("GA", "Georgia"),
  us("HI", "Hawaii"),
  us("ID", "Idaho"),
  us("IL", "Illinois"),
  us("IN", "Indiana"),
  us("IA", "Iowa"),
  us("KS", "Kansas"),
  us("KY", "Kentucky"),
  us("LA", "Louisiana"),
  us("ME", "Maine"),
  us("MD", "Maryland"),
  us("MA", "Massachusetts"),
  us("MI", "Michigan"),
  us("MN", "Minnesota"),
  us("MS", "Mississippi"),
  us("MO", "Missouri"),
  us("MT", "Montana"),
  us("NE", "Nebraska"),
  us("NV", "Nevada"),
  us("NH", "New Hampshire"),
  us("NJ", "New Jersey"),
  us("NM", "New Mexico"),
  us("NY", "New York"),
  us("NC", "North Carolina"),
  us("ND", "North Dakota"),
  us("OH", "Ohio"),
  us("OK", "Oklahoma"),
  us("OR", "Oregon"),
  us("PA", "Pennsylvania"),
  us("RI", "Rhode Island"),
  us("SC", "South Carolina"),
  us("SD", "South Dakota"),
  us("TN", "Tennessee"),
  us("TX", "Texas"),
  us("UT", "Utah"),
  us("VT", "Vermont"),
  us("VA", "Virginia"),
  us("WA", "Washington"),
  us("WV", "West Virginia"),
  us("WI", "Wisconsin"),
  us("WY", "Wyoming"),
];

/** Names still in use beside the official one, in the register's addresses too. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["orissa", "OD"],
  ["pondicherry", "PY"],
  ["uttaranchal", "UK"],
  ["nct of delhi", "DL"],
  ["new delhi", "DL"],
  ["andaman and nicobar", "AN"],
  ["dadra and nagar haveli", "DNHDD"],
  ["daman and diu", "DNHDD"],
]);

/** The states to choose from in an address of that country. */
export function statesOf(country: Country): readonly State[] {
  return country === "IN" ? indianStates : usStates;
}

/** Finds a state by its name or abbreviation, in any case, "&" or "and"; `null` when there is none. */
export function findState(country: Country, text: string): State | null {
  return country === "IN" ? findIndianState(text) : findIn(usStates, canonical(text));
}

/**
 * The two letters of ISO 3166-2, which providers ask for in addresses; `null` when there is no such state. India's are the
 * abbreviations used on its number plates since ISO followed them in 2023, but for one territory.
 */
export function subdivisionCode(country: Country, text: string): string | null {
  const state = findState(country, text);
  if (state === null) return null;
  return state.abbreviation === "DNHDD" ? "DH" : state.abbreviation;
}

/** As findState, for India; also knows former names such as Orissa. */
export function findIndianState(text: string): IndianState | null {
  const wanted = canonical(text);
  return findIn(indianStates, otherNames.get(wanted)?.toLowerCase() ?? wanted);
}

/** The state of the two digits a GSTIN begins with; `null` for 96 and 97, which are no state, and for unknown ones. */
export function stateOfGstCode(gstCode: string): IndianState | null {
  return indianStates.find((state) => state.gstCode === gstCode) ?? null;
}

function findIn<S extends State>(states: readonly S[], wanted: string): S | null {
  return (
    states.find(({ name, abbreviation }) => [canonical(name), abbreviation.toLowerCase()].includes(wanted)) ??
    null
  );
}

function canonical(text: string): string {
  return text.toLowerCase().replaceAll("&", " and ").replace(/\s+/g, " ").trim();
}

function indian(gstCode: string, abbreviation: string, name: string): IndianState {
  return { gstCode, abbreviation, name };
}

function us(abbreviation: string, name: string): State {
  return { abbreviation, name };
}
