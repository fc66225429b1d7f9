/** India: rupees, GST split by the place of supply, GSTIN and PAN, invoices numbered by the financial year. */
import { brand } from "#server/foundation/brand.ts";
import { shortFinancialYear } from "#server/foundation/countries/financial-year.ts";
import { panIn, parseGstin, parsePan, registrationProblem } from "#server/foundation/countries/gstin.ts";
import {
  canonicalPincode,
  pincodeForm,
  pincodeProblem,
} from "#server/foundation/countries/indian-pincodes.ts";
import { findIndianState, indianStates } from "#server/foundation/countries/indian-states.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { CountryProfile } from "./country.ts";
import { rupeesInWords } from "./rupees-in-words.ts";
import { findStateIn, type State } from "./state.ts";

/** Offshore areas and other places outside the states. An address there needs a person (docs/decisions/countries.md#tax-registrations). */
const outsideStates: State = {
  abbreviation: "OT",
  name: "Other Territory",
  names: { en: "Other Territory", hi: "अन्य क्षेत्र" },
};

export const india: CountryProfile = {
  name: "India",
  nameInSentence: "India",
  console: "IP",
  currency: "INR",
  // Totals are whole rupees, so paise are shown only when there are any.
  shownFractionDigits: 0,
  taxRates: [
    {
      from: "2017-07-01",
      value: 1_800,
      source: "Notification 11/2017-Central Tax (Rate), heading 9973, and 8/2017-Integrated Tax (Rate)",
    },
  ],
  totalStepMinor: 100,
  locale: "en-IN",
  timeZone: "Asia/Kolkata",
  tenantEndings: ["in", "india"],
  address: {
    states: indianStates,
    unsold: [outsideStates],
    unsoldProblem: (text) =>
      findStateIn([outsideStates], text) === null
        ? null
        : msg("fields.otherTerritory", { email: brand.supportEmail }),
    findState: findIndianState,
    // Since 2023 ISO 3166-2 has used the letters of number plates, except for one territory.
    subdivisionCode: ({ abbreviation }) => (abbreviation === "DNHDD" ? "DH" : abbreviation),
    postcode: pincodeForm,
    canonicalPostcode: canonicalPincode,
    postcodeProblem(pincode, state) {
      const found = findIndianState(state);
      return found === null ? null : pincodeProblem(pincode, found);
    },
    postcodeRule: "6 digits",
    postcodeKeys: "numeric",
  },
  phone: { code: "+91", digits: 10 },
  registration: {
    rule: "a GSTIN with its check digit, or a PAN",
    isGst: true,
    problem(text) {
      const problem = registrationProblem(text);
      return problem === null ? null : msg("fields.gstOrPan", { problem });
    },
    canonical: (text) => parseGstin(text)?.value ?? parsePan(text) ?? text,
    nameOf: (number) => (parsePan(number) === null ? "GSTIN" : "PAN"),
    // A GSTIN belongs to one state; vendors register the company itself, by the PAN inside it.
    vendorNumber: ({ organisationRegistrationNumber: number, gst_code }) =>
      panIn(number) ?? panIn(gst_code ?? ""),
  },
  invoicing: {
    series: (month) => `IN/${shortFinancialYear(month)}`,
    firstMonth: 4,
    tax: { kind: "gst" },
    // A TAN.
    withholding: { numberForm: /^[A-Z]{4}\d{5}[A-Z]$/, example: "BLRA12345B" },
    inWords: rupeesInWords,
  },
  words: {
    en: {
      name: "India",
      inSentence: "India",
      market: "India (₹)",
      money: "rupees",
      catalogue: "Prices are per user, before {rate}% GST, for businesses registered in India.",
      taxName: "GST",
      assurances: ["Genuine licenses", "A GST invoice with every payment", "Support 24/7"],
      whoMayBuy:
        "The offer is only for businesses registered in India. You pay in rupees, and get a tax invoice with your GST number on it.",
      postcodeLabel: "Pincode",
      postcodeInSentence: "pincode",
      registrationLabel: "Organisation Registration Number (GST or PAN)",
      registrationHint: "Your GSTIN, or your PAN if you don't have a GSTIN.",
      registrationInSentence: "GST number or PAN",
    },
    hi: {
      name: "भारत",
      inSentence: "भारत",
      market: "भारत (₹)",
      money: "रुपये",
      catalogue: "क़ीमतें प्रति यूज़र हैं, {rate}% GST से पहले, और भारत में रजिस्टर्ड व्यवसायों के लिए हैं।",
      taxName: "GST",
      assurances: ["असली लाइसेंस", "हर पेमेंट पर GST इनवॉइस", "24/7 सपोर्ट"],
      whoMayBuy:
        "यह ऑफ़र सिर्फ़ भारत में रजिस्टर्ड व्यवसायों के लिए है। आप रुपयों में पेमेंट करते हैं और आपको अपने GST नंबर वाला टैक्स इनवॉइस मिलता है।",
      postcodeLabel: "पिनकोड",
      postcodeInSentence: "पिनकोड",
      registrationLabel: "संगठन का रजिस्ट्रेशन नंबर (GST या PAN)",
      registrationHint: "आपका GSTIN; GSTIN न हो तो आपका PAN।",
      registrationInSentence: "GST नंबर या PAN",
    },
  },
};
