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
  listPrice: "लिस्ट प्राइस ",
  monthly: " / माह",
  paidYearly: "प्रति यूज़र, सालाना बिलिंग",
  paidMonthly: "प्रति यूज़र, मासिक बिलिंग",
  included: "इसमें क्या शामिल है",
  apps: "ऐप",
  buyNow: "अभी ख़रीदें",
};
