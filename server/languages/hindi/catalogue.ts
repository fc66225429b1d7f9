/** The same in Hindi. */
import type { catalogue as english } from "../english/catalogue.ts";
import type { MessagesOf } from "../messages.ts";

export const catalogue: MessagesOf<typeof english> = {
  service: "सेवा",
  country: "देश",
  featured: "प्रमुख सेवाएँ",
  other: "अन्य सेवाएँ",
  addOns: "ऐड-ऑन सेवाएँ",
  previousOf: "{title}: पिछला",
  nextOf: "{title}: अगला",
  place: "{of} में से {at}",
  startingAt: "शुरुआती क़ीमत",
  listPrice: "सूची मूल्य ",
  monthly: " / प्रति माह",
  paidYearly: "प्रति व्यक्ति, सालाना भुगतान",
  paidMonthly: "प्रति व्यक्ति, मासिक भुगतान",
  included: "इसमें क्या शामिल है",
  apps: "ऐप",
  buyNow: "अभी ख़रीदें",
};
