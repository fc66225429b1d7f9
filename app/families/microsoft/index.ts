/** Microsoft 365 on the pages: sold into a tenant created for the buyer, or into one the buyer has. */
import { laptopPromotionIn } from "#server/catalogue/promotions.ts";
import { countries } from "#server/countries/country.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { seatRows } from "../common.ts";
import type { FamilyScreens } from "../family.ts";
import { signIn } from "./sign-in.ts";

export const microsoft: FamilyScreens = {
  also: null,
  plansBanner: { artwork: "office", title: "Meetings, mail or all of Office: a plan for each team" },
  promotions(country) {
    const laptop = laptopPromotionIn(country);
    return [
      {
        artwork: "laptop",
        maker: "Microsoft",
        title: "A business laptop, set up for your team",
        price:
          laptop === null
            ? null
            : {
                amount: formatMoney(laptop.offer),
                list: formatMoney(laptop.list),
                after: "both plus GST",
              },
        action:
          laptop === null ? `Ask for a price in ${countries[country].moneyInSentence}` : "Ask for this offer",
      },
    ];
  },
  questions: {
    genuine:
      "Yes. Every licence is genuine, comes from Microsoft through its partner, and is registered to your company.",
    activation:
      "Activation is automatic after the purchase. You say which Microsoft account it is for, new or your own, and the licences appear there.",
  },
  detailsHeading: "Set up your Subscription",
  signIn,
  review: { rows: seatRows, totalLabel: "Total" },
  terms: [
    "You may cancel within 7 days for a prorated refund.",
    "Licences can only be reduced within 72 hours.",
    "100% advance payment.",
    "New Global, Billing and Reader administrators get access to the billing account.",
    "Support is available 24/7.",
  ],
  secret: { name: "Password", hint: "You choose a new password when you first sign in." },
};
