/** The same in Hindi. */
import type { cart as english } from "../english/cart.ts";
import type { MessagesOf } from "../messages.ts";

export const cart: MessagesOf<typeof english> = {
  title: "कार्ट",
  searchLabel: "ऑर्डर आईडी या डोमेन",
  list: "कार्ट",
  pages: "कार्ट के पेज",
  none: "कार्ट में कुछ नहीं मिला।",
  noneYet: "आप जो ऑर्डर शुरू करेंगे, वे पेमेंट होने तक यहाँ दिखेंगे।",
  serviceDetails: "सेवा की जानकारी",
  quantity: "संख्या",
  beforeTax: "टैक्स से पहले की कुल राशि",
  tax: "टैक्स की राशि",
  grandTotal: "कुल योग",
  orderType: "ऑर्डर का प्रकार",
  actions: "विकल्प",
  rounded: "राउंड ऑफ़: <amount>{amount}</amount>",
  buy: "ख़रीदें",
  buyNamed: "{name} ख़रीदें",
  quote: "कोटेशन<hidden>: {name}</hidden>",
  remove: "हटाएँ<hidden>: {name}</hidden>",
  removed: "हटाया गया: {name}, {licences}।",
  putBack: "पहले जैसा करें",
  isBack: "यह फिर से आपके कार्ट में आ गया है।",
  each: "हर ऑर्डर का पेमेंट अलग से होता है।",
};
