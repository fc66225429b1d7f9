/** Microsoft 365 on the pages: sold into a tenant created for the buyer, or into one the buyer has. */
import { laptopPromotionIn } from "#server/catalogue/promotions.ts";
import { countries } from "#server/countries/country.ts";
import { told } from "#server/languages/text.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { seatRows } from "../common.ts";
import type { FamilyScreens } from "../family.ts";
import { choosing } from "./choosing.ts";
import { firstSteps } from "./first-steps.ts";
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
            ? told("home.askPrice", { money: countries[country].words[language].money })
            : told("home.askOffer"),
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
    told("legal.cancelWithin7Days"),
    told("legal.reduceWithin72Hours"),
    told("legal.advance"),
    told("legal.billingAdministrators"),
    told("legal.supportAlways"),
  ],
  secret: { name: "closure.secretPassword", hint: "closure.chooseNewPassword" },
  firstSteps,
};
