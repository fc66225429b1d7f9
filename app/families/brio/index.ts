/** brio on the pages: the store's own product, activated by an access code instead of an account at a vendor. */
import type { FamilyScreens } from "../family.ts";
import { cappedTerms, seatRows } from "../seat-rows.ts";

export const brio: FamilyScreens = {
  tile: "desk",
  also: {
    text: "offers.alsoText",
    link: "offers.alsoLink",
  },
  plansBanner: null,
  promotions: () => [],
  questions: {
    genuine: "offers.genuineOwn",
    activation: "offers.activationMail",
  },
  choosing: null,
  detailsHeading: "families.setUp",
  signIn: null,
  review: { rows: seatRows, totalLabel: "steps.totalLabel" },
  terms: cappedTerms,
  secret: { name: "closure.secretAccessCode", hint: "closure.emailedAsWell" },
};
