/** The USA: dollars and cents, no tax charged, ZIP codes, invoices numbered by the calendar year. */
import { canonicalName, findStateIn, type State } from "#server/foundation/countries/state.ts";
import { ungrouped } from "#server/foundation/digits.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { CountryProfile } from "./country.ts";

/** The fifty states and the federal district. */
const states: readonly State[] = [
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

interface UnsoldPlace extends State {
  /** ZIP codes of the place. */
  zips: RegExp;
}

/**
 * Territories, states in free association and military addresses, which the US mail serves. It is not decided whose tax applies
 * to a sale there, so nothing is sold there (docs/decisions/countries.md#us-territories). ZIP codes from the Postal Service's
 * Publication 65.
 */
const unsold: readonly UnsoldPlace[] = [
  { ...us("AS", "American Samoa"), zips: /^96799/ },
  { ...us("AA", "Armed Forces Americas"), zips: /^340/ },
  { ...us("AE", "Armed Forces Europe"), zips: /^09/ },
  { ...us("AP", "Armed Forces Pacific"), zips: /^96[2-6]/ },
  { ...us("GU", "Guam"), zips: /^969(?:[12]|3[12])/ },
  { ...us("MH", "Marshall Islands"), zips: /^969[67]/ },
  { ...us("FM", "Micronesia"), zips: /^9694[1-4]/ },
  { ...us("MP", "Northern Mariana Islands"), zips: /^9695/ },
  { ...us("PW", "Palau"), zips: /^969(?:39|40)/ },
  { ...us("PR", "Puerto Rico"), zips: /^00[679]/ },
  { ...us("UM", "US Minor Outlying Islands"), zips: /^96898/ },
  { ...us("VI", "US Virgin Islands"), zips: /^008/ },
];

/** Other names by which people know them. */
const otherNames: Readonly<Record<string, string>> = {
  "armed forces the americas": "AA",
  "armed forces africa": "AE",
  "armed forces canada": "AE",
  "armed forces middle east": "AE",
  "armed forces europe, the middle east, and canada": "AE",
  "federated states of micronesia": "FM",
  "northern marianas": "MP",
  "commonwealth of puerto rico": "PR",
  "virgin islands": "VI",
  "virgin islands, u.s.": "VI",
  "virgin islands of the united states": "VI",
  "u.s. virgin islands": "VI",
  "united states virgin islands": "VI",
  "u.s. minor outlying islands": "UM",
  "united states minor outlying islands": "UM",
};

export const usa: CountryProfile = {
  name: "USA",
  nameInSentence: "the USA",
  console: "UP",
  currency: "USD",
  // As is usual in the USA.
  shownFractionDigits: 2,
  taxRates: [
    {
      from: "1970-01-01",
      value: 0,
      source: "docs/decisions/countries.md#open-countries: no sales tax is charged",
    },
  ],
  totalStepMinor: 1,
  locale: "en-US",
  timeZone: "America/New_York",
  tenantEndings: ["us", "usa"],
  address: {
    states,
    unsold,
    unsoldProblem(text) {
      const place = findStateIn(unsold, otherNames[canonicalName(text)] ?? text);
      return place === null ? null : msg("fields.notSoldThere", { place: place.name });
    },
    findState: (text) => findStateIn(states, text),
    subdivisionCode: ({ abbreviation }) => abbreviation,
    postcode: /^\d{5}(-\d{4})?$/,
    canonicalPostcode: canonicalZip,
    postcodeProblem(zip) {
      const place = unsold.find(({ zips }) => zips.test(zip));
      return place === undefined ? null : msg("fields.notSoldThere", { place: place.name });
    },
    postcodeRule: "a ZIP code, 94105 or 94105-1804",
    // A nine-digit ZIP code contains a hyphen.
    postcodeKeys: "text",
  },
  phone: { code: "+1", digits: 10 },
  registration: {
    rule: "an EIN",
    isGst: false,
    problem: () => null,
    canonical: (text) => text,
    nameOf: () => "EIN",
    vendorNumber: () => null,
  },
  invoicing: {
    series: ({ year }) => `US/${year}`,
    firstMonth: 1,
    tax: { kind: "none" },
    inWords: null,
  },
  words: {
    en: {
      name: "USA",
      inSentence: "the USA",
      market: "USA ($)",
      money: "dollars",
      catalogue: "Prices are per user, in US dollars.",
      taxName: null,
      assurances: ["Genuine licenses", "An invoice with every payment", "Support 24/7"],
      whoMayBuy:
        "Businesses in the USA pay the prices in dollars shown here. The offers in rupees are only for businesses registered in India.",
      postcodeLabel: "ZIP Code",
      postcodeInSentence: "ZIP code",
      registrationLabel: "Employer Identification Number (EIN)",
      registrationHint: "9 digits, such as 12-3456789.",
      registrationInSentence: "EIN",
    },
    hi: {
      name: "अमेरिका",
      inSentence: "अमेरिका",
      market: "अमेरिका ($)",
      money: "डॉलर",
      catalogue: "क़ीमतें प्रति यूज़र हैं, अमेरिकी डॉलर में।",
      taxName: null,
      assurances: ["असली लाइसेंस", "हर पेमेंट पर इनवॉइस", "24/7 सपोर्ट"],
      whoMayBuy:
        "अमेरिका के व्यवसाय यहाँ दिखाई गई डॉलर की क़ीमतों पर पेमेंट करते हैं। रुपयों के ऑफ़र सिर्फ़ भारत में रजिस्टर्ड व्यवसायों के लिए हैं।",
      postcodeLabel: "ZIP कोड",
      postcodeInSentence: "ZIP कोड",
      registrationLabel: "Employer Identification Number (EIN)",
      registrationHint: "9 अंक, जैसे 12-3456789।",
      registrationInSentence: "EIN",
    },
  },
};

function us(abbreviation: string, name: string): State {
  return { abbreviation, name };
}

/**
 * Returns a ZIP code as 94105 or 94105-1804 when it was entered with gaps or other dashes, or without one; any other text
 * unchanged.
 */
function canonicalZip(text: string): string {
  const digits = ungrouped(text);
  return /^\d{5}(\d{4})?$/.test(digits) ? digits.replace(/(?<=^\d{5})(?=\d)/, "-") : text;
}
