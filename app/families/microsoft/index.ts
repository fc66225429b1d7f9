/** Microsoft 365 on the pages: sold into a tenant created for the buyer, or into one the buyer has. */

import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { laptopPromotionIn } from "#server/catalogue/promotions.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { FamilyScreens } from "../family.ts";
import { seatRows } from "../seat-rows.ts";
import { choosing } from "./choosing.ts";
import { signIn } from "./sign-in.ts";

export const microsoft: FamilyScreens = {
  tile: "grid",
  also: null,
  plansBanner: { artwork: "office", title: "offers.bannerOffice" },
  promotions(country, language) {
    const laptop = laptopPromotionIn(country);
    return [
      {
        id: "laptop",
        artwork: "laptop",
        maker: "Microsoft",
        title: "offers.bannerLaptop",
        price:
          laptop === null
            ? null
            : {
                amount: formatMoney(laptop.offer),
                list: formatMoney(laptop.list),
                after: "home.bothPlusTax",
              },
        action:
          laptop === null
            ? msg("home.askPrice", { money: countries[country].words[language].money })
            : msg("home.askOffer"),
      },
    ];
  },
  questions: {
    genuine: "offers.genuineLicence",
    activation: "offers.activationAccount",
  },
  choosing,
  detailsHeading: "families.setUp",
  signIn,
  review: { rows: seatRows, totalLabel: "steps.totalLabel" },
  terms: [
    msg("legal.cancelWithin7Days"),
    msg("legal.reduceWithin72Hours"),
    msg("legal.advance"),
    msg("legal.billingAdministrators"),
    msg("legal.supportAlways"),
  ],
  secret: { name: "closure.secretPassword", hint: "closure.chooseNewPassword" },
};
