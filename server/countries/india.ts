/** India: rupees, 18% GST split by the place of supply, GSTIN and PAN, invoices numbered by the financial year. */
import { shortFinancialYear } from "#server/countries/financial-year.ts";
import { parseGstin, parsePan, registrationProblem } from "#server/countries/gstin.ts";
import { findIndianState, indianStates } from "#server/countries/indian-states.ts";
import { told } from "#server/languages/text.ts";
import type { CountryProfile } from "./country.ts";
import { rupeesInWords } from "./rupees-in-words.ts";

export const india: CountryProfile = {
  name: "India",
  nameInSentence: "India",
  console: "IP",
  currency: "INR",
  // Totals are whole rupees, so paise are shown only when there are any.
  shownFractionDigits: 0,
  taxRateBasisPoints: 1_800,
  totalStepMinor: 100,
  locale: "en-IN",
  timeZone: "Asia/Kolkata",
  tenantEndings: ["in", "india"],
  address: {
    states: indianStates,
    findState: findIndianState,
    // Since 2023 ISO 3166-2 has used the letters of number plates, except for one territory.
    subdivisionCode: ({ abbreviation }) => (abbreviation === "DNHDD" ? "DH" : abbreviation),
    postcode: /^[1-9]\d{5}$/,
    postcodeRule: "6 digits",
    postcodeKeys: "numeric",
  },
  phone: { code: "+91", digits: 10 },
  registration: {
    rule: "a GSTIN with its check digit, or a PAN",
    isGst: true,
    problem(text) {
      const problem = registrationProblem(text);
      return problem === null ? null : told("fields.gstOrPan", { problem });
    },
    canonical: (text) => parseGstin(text)?.value ?? parsePan(text) ?? text,
    nameOf: (number) => (parsePan(number) === null ? "GSTIN" : "PAN"),
    // A GSTIN belongs to one state; vendors register the company itself, by the PAN inside it.
    vendorNumber({ organisationRegistrationNumber: number, gst_code }) {
      return parsePan(number) ?? parseGstin(number)?.pan ?? parseGstin(gst_code ?? "")?.pan ?? null;
    },
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
      catalogue: "Prices are for each person, before 18% GST, and for businesses registered in India.",
      taxName: "GST",
      assurances: ["Genuine licences", "A GST invoice with every payment", "Support 24/7"],
      whoMayBuy:
        "The offer is only for businesses registered in India. You pay in rupees, and get a tax invoice with your GST number on it.",
      postcodeLabel: "Pincode",
      postcodeInSentence: "pincode",
      registrationLabel: "Organisation Registration Number (GST or PAN)",
      registrationHint: "Your GSTIN, or your PAN when you have no GSTIN.",
      registrationInSentence: "GST number or PAN",
    },
    hi: {
      name: "भारत",
      inSentence: "भारत",
      market: "भारत (₹)",
      money: "रुपये",
      catalogue: "क़ीमतें प्रति व्यक्ति हैं, 18% GST से पहले, और भारत में पंजीकृत व्यवसायों के लिए हैं।",
      taxName: "GST",
      assurances: ["असली लाइसेंस", "हर भुगतान पर GST इनवॉइस", "24/7 सहायता"],
      whoMayBuy:
        "यह ऑफ़र केवल भारत में पंजीकृत व्यवसायों के लिए है। आप रुपयों में भुगतान करते हैं और आपको अपने GST नंबर वाला टैक्स इनवॉइस मिलता है।",
      postcodeLabel: "पिनकोड",
      postcodeInSentence: "पिनकोड",
      registrationLabel: "संगठन का पंजीकरण नंबर (GST या PAN)",
      registrationHint: "आपका GSTIN; GSTIN न हो तो आपका PAN।",
      registrationInSentence: "GST नंबर या PAN",
    },
  },
};
