/** India's states and union territories with their GST codes. */
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { canonicalName, findStateIn, type State } from "./state.ts";

export interface IndianState extends State {
  /** First two digits of a GSTIN. */
  gstCode: string;
  names: Readonly<Record<LanguageId, string>>;
}

/** Code of a registration for offshore areas and other places outside the states. */
export const otherTerritory = "97";

/** All states in the order of their GST codes (docs/providers.md, section 4). */
export const indianStates: readonly IndianState[] = [
  indian("01", "JK", "Jammu and Kashmir", "जम्मू और कश्मीर"),
  indian("02", "HP", "Himachal Pradesh", "हिमाचल प्रदेश"),
  indian("03", "PB", "Punjab", "पंजाब"),
  indian("04", "CH", "Chandigarh", "चंडीगढ़"),
  indian("05", "UK", "Uttarakhand", "उत्तराखंड"),
  indian("06", "HR", "Haryana", "हरियाणा"),
  indian("07", "DL", "Delhi", "दिल्ली"),
  indian("08", "RJ", "Rajasthan", "राजस्थान"),
  indian("09", "UP", "Uttar Pradesh", "उत्तर प्रदेश"),
  indian("10", "BR", "Bihar", "बिहार"),
  indian("11", "SK", "Sikkim", "सिक्किम"),
  indian("12", "AR", "Arunachal Pradesh", "अरुणाचल प्रदेश"),
  indian("13", "NL", "Nagaland", "नागालैंड"),
  indian("14", "MN", "Manipur", "मणिपुर"),
  indian("15", "MZ", "Mizoram", "मिज़ोरम"),
  indian("16", "TR", "Tripura", "त्रिपुरा"),
  indian("17", "ML", "Meghalaya", "मेघालय"),
  indian("18", "AS", "Assam", "असम"),
  indian("19", "WB", "West Bengal", "पश्चिम बंगाल"),
  indian("20", "JH", "Jharkhand", "झारखंड"),
  indian("21", "OD", "Odisha", "ओडिशा"),
  indian("22", "CG", "Chhattisgarh", "छत्तीसगढ़"),
  indian("23", "MP", "Madhya Pradesh", "मध्य प्रदेश"),
  indian("24", "GJ", "Gujarat", "गुजरात"),
  indian("26", "DNHDD", "Dadra and Nagar Haveli and Daman and Diu", "दादरा और नगर हवेली तथा दमन और दीव"),
  indian("27", "MH", "Maharashtra", "महाराष्ट्र"),
  indian("29", "KA", "Karnataka", "कर्नाटक"),
  indian("30", "GA", "Goa", "गोवा"),
  indian("31", "LD", "Lakshadweep", "लक्षद्वीप"),
  indian("32", "KL", "Kerala", "केरल"),
  indian("33", "TN", "Tamil Nadu", "तमिलनाडु"),
  indian("34", "PY", "Puducherry", "पुदुचेरी"),
  indian("35", "AN", "Andaman and Nicobar Islands", "अंडमान और निकोबार द्वीपसमूह"),
  indian("36", "TS", "Telangana", "तेलंगाना"),
  indian("37", "AP", "Andhra Pradesh", "आंध्र प्रदेश"),
  indian("38", "LA", "Ladakh", "लद्दाख"),
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
  ["j and k", "JK"],
  ["chattisgarh", "CG"],
  ["chhatisgarh", "CG"],
  ["telengana", "TS"],
]);

/** Drops "(UT)", "The ", spaces and punctuation, in which spellings of a name differ. */
const lettersOf = (name: string) =>
  name.replaceAll(/\(.*?\)|^the |^state of |^union territory of |[^\p{L}\p{M}]/gu, "");

const byLetters: ReadonlyMap<string, IndianState> = new Map([
  ...indianStates.flatMap((state) =>
    Object.values(state.names).map((name) => [lettersOf(canonicalName(name)), state] as const),
  ),
  ...[...otherNames].flatMap(([name, abbreviation]) => {
    const state = findStateIn(indianStates, abbreviation);
    return state === null ? [] : [[lettersOf(name), state] as const];
  }),
]);

/**
 * Finds a state by its name or abbreviation, including former names such as Orissa and usual misspellings, with or without "The",
 * spaces and a remark in brackets; `null` when there is none.
 */
export function findIndianState(text: string): IndianState | null {
  const name = canonicalName(text);
  return findStateIn(indianStates, otherNames.get(name) ?? name) ?? byLetters.get(lettersOf(name)) ?? null;
}

/** Returns the state of a GSTIN's first two digits; `null` for 96, 97 and 99, which are not states, and for unknown ones. */
export function stateOfGstCode(gstCode: string): IndianState | null {
  return indianStates.find((state) => state.gstCode === gstCode) ?? null;
}

function indian(gstCode: string, abbreviation: string, name: string, hindi: string): IndianState {
  return { gstCode, abbreviation, name, names: { en: name, hi: hindi } };
}
