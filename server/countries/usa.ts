/** The USA: dollars and cents, no tax charged, ZIP codes, invoices numbered by the calendar year. */
import { findStateIn, type State } from "#server/countries/state.ts";
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

export const usa: CountryProfile = {
  name: "USA",
  nameInSentence: "the USA",
  market: "USA ($)",
  console: "UP",
  currency: "USD",
  moneyInSentence: "dollars",
  // As is usual in the USA.
  shownFractionDigits: 2,
  taxRateBasisPoints: 0,
  totalStepMinor: 1,
  locale: "en-US",
  timeZone: "America/New_York",
  tenantEndings: ["us", "usa"],
  address: {
    states,
    findState: (text) => findStateIn(states, text),
    subdivisionCode: ({ abbreviation }) => abbreviation,
    postcode: /^\d{5}(-\d{4})?$/,
    postcodeRule: "a ZIP code, 94105 or 94105-1804",
    // A nine-digit ZIP code contains a hyphen.
    postcodeKeys: "text",
  },
  phone: { code: "+1", label: "+1 USA", digits: 10 },
  registration: {
    rule: "an EIN",
    inSentence: "registration number",
    hint: "Your EIN.",
    isGst: false,
    problem: () => null,
    canonical: (text) => text,
  },
  invoicing: {
    series: ({ year }) => `US/${year}`,
    tax: { kind: "none" },
    inWords: null,
  },
  words: {
    catalogue: "Prices are for each person, in US dollars.",
    beforeTax: "",
    assurances: ["Genuine licences", "An invoice with every payment", "Support 24/7"],
    whoMayBuy:
      "Businesses in the USA pay the prices in dollars shown here. The offers in rupees are only for businesses registered in India.",
  },
};

function us(abbreviation: string, name: string): State {
  return { abbreviation, name };
}
