/** The same in Hindi. */
import type { cart as english } from "../english/cart.ts";
import type { MessagesOf } from "../messages.ts";

export const cart: MessagesOf<typeof english> = {
  title: "कार्ट",
  searchLabel: "ऑर्डर आईडी या डोमेन",
  list: "कार्ट",
  pages: "कार्ट के पेज",
  none: "कार्ट में कुछ नहीं मिला।",
  noneYet: "आप जो ऑर्डर शुरू करते हैं, वह भुगतान होने तक यहाँ रहता है।",
  serviceDetails: "सेवा का विवरण",
  quantity: "संख्या",
  beforeTax: "टैक्स से पहले कुल मूल्य",
  tax: "टैक्स",
  grandTotal: "कुल योग",
  orderType: "ऑर्डर का प्रकार",
  actions: "कार्रवाई",
  rounded: "पूर्णांकन: <amount>{amount}</amount>",
  buy: "ख़रीदें",
  buyNamed: "{name} ख़रीदें",
  quote: "कोटेशन<hidden>: {name}</hidden>",
  remove: "हटाएँ<hidden>: {name}</hidden>",
  removed: "हटाया गया: {name}, {licences}।",
  putBack: "वापस रखें",
  isBack: "यह फिर से आपके कार्ट में है।",
  all: "सभी ऑर्डर",
  together: "{count, plural, one {{count} ऑर्डर} other {कुल {count} ऑर्डर}}",
  each: "हर ऑर्डर अलग से ख़रीदा जाता है और उसका भुगतान अलग से होता है।",
};
