/** brio on the pages: the store's own product, activated by an access code instead of an account at a vendor. */
import { cappedTerms, seatRows } from "../common.ts";
import type { FamilyScreens } from "../family.ts";

export const brio: FamilyScreens = {
  also: {
    text: "Also here: a start page for the working day, rooms for calls, and single sign-on with backup.",
    link: "brio, our own workplace plans",
  },
  plansBanner: null,
  promotions: () => [],
  questions: {
    genuine: "Yes. brio is our own: you buy from the people who make it and run it.",
    activation:
      "Activation is automatic after the purchase. The details with which your team signs in are emailed to you.",
  },
  detailsHeading: "Set up your Subscription",
  signIn: null,
  review: { rows: seatRows, totalLabel: "Total" },
  terms: cappedTerms,
  secret: { name: "Access code", hint: "Emailed to you as well." },
};
