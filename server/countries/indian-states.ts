/** India's states and union territories with their GST codes. */
import { canonicalName, findStateIn, type State } from "./state.ts";

export interface IndianState extends State {
  /** The two digits a GSTIN begins with. */
  gstCode: string;
}

/** In the order of their GST codes (docs/providers.md, section 4). */
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

/** Other names still in use, even in the register's addresses. */
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

/** Finds a state by its name or abbreviation, including former names such as Orissa; `null` when there is none. */
export function findIndianState(text: string): IndianState | null {
  return findStateIn(indianStates, otherNames.get(canonicalName(text)) ?? text);
}

/** The state of a GSTIN's first two digits; `null` for 96 and 97, which are not states, and for unknown ones. */
export function stateOfGstCode(gstCode: string): IndianState | null {
  return indianStates.find((state) => state.gstCode === gstCode) ?? null;
}

function indian(gstCode: string, abbreviation: string, name: string): IndianState {
  return { gstCode, abbreviation, name };
}
