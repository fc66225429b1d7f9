/** The same in Hindi. */
import type { renewals as english } from "../english/renewals.ts";
import type { MessagesOf } from "../messages.ts";

export const renewals: MessagesOf<typeof english> = {
  choose: "रिन्यूअल तय करें",
  chooseOf: "रिन्यूअल तय करें: {what}",
  choiceTitle: "{name} का रिन्यूअल",
  about: "<domain>{domain}</domain> के लिए {licences}, {date} तक।",
  nothingYet:
    "आपका चुनाव केवल लिख लिया जाता है: न कोई शुल्क लगता है, न कुछ बदलता है, और {date} तक आप फिर से चुन सकते हैं।",
  opensOn: "रिन्यूअल {date} से खुलता है। भुगतान तभी होता है, उस दिन के मूल्य पर।",
  isOpen: "रिन्यूअल खुला है, और उसकी अवधि इस अवधि के समाप्त होने पर शुरू होती है।",
  isOpenByLink: "रिन्यूअल खुला है, और उसकी अवधि इस अवधि के समाप्त होने पर शुरू होती है। भुगतान के लिए आप लॉग इन करते हैं।",

  keep: "सभी {licences} रखें",
  fewer: "कम रखें",
  fewerPrice: "हर लाइसेंस के लिए <amount>{price}</amount>{tax}।",
  seats: "कितने लाइसेंस रखने हैं",
  seatsHint: "1 से {most} तक।",
  seatsMost: "कृपया 1 से {count} तक की संख्या लिखें।",
  oneLicence: "लाइसेंस एक ही है, इसलिए इससे कम नहीं रखे जा सकते।",
  stop: "समाप्त होने दें",
  stopPrice: "<amount>{price}</amount>। {date} को लाइसेंस काम करना बंद कर देते हैं; उससे पहले हम और पत्र नहीं भेजते।",

  costsYear: "एक साल के लिए <amount>{price}</amount>, आज के मूल्य पर।",
  costsMonth: "एक महीने के लिए <amount>{price}</amount>, आज के मूल्य पर।",
  costsYearTaxed: "एक साल के लिए {tax} सहित <amount>{price}</amount>, आज के मूल्य पर।",
  costsMonthTaxed: "एक महीने के लिए {tax} सहित <amount>{price}</amount>, आज के मूल्य पर।",
  noPrice: "यह अब इस तरह नहीं बिकता। मूल्य के लिए हमसे पूछें।",

  keepAll: "सभी रखें",
  keepSome: "इतने रखें",
  renewAll: "सभी रिन्यू करें",
  renewSome: "इतने रिन्यू करें",
  toRenewal: "रिन्यूअल पर जाएँ",
  undo: "चुनाव वापस लें",

  saidKeep: "सभी लाइसेंस रिन्यू होने हैं, {date} को चुना गया।",
  saidFewer: "{licences} रिन्यू होने हैं, {date} को चुना गया।",
  saidStop: "अवधि के साथ समाप्त होना है, {date} को चुना गया। हम इसके बारे में और पत्र नहीं भेजते।",
  kept: "धन्यवाद। हमने लिख लिया है।",
  stopped: "धन्यवाद। यह अपनी अवधि के साथ समाप्त होगा, और हम इसके बारे में और पत्र नहीं भेजेंगे।",
  undone: "आपका चुनाव वापस ले लिया गया है।",

  ended: "यह सब्सक्रिप्शन समाप्त हो चुका है। इसे मेरे सब्सक्रिप्शन में रिन्यू किया जा सकता है।",
  choiceOpens: "यह {date} से चुना जा सकता है, समाप्ति से {days} दिन पहले।",
  underWay: "इसके रिन्यूअल का भुगतान हो चुका है और वह पूरा किया जा रहा है।",
  linkOver: "यह लिंक अब काम नहीं करता",
  linkOverWhy:
    "रिन्यूअल के पत्रों के लिंक उसी अवधि के अंत तक काम करते हैं, और केवल उनके लिए जो कंपनी के लिए ख़रीद सकते हैं। स्थिति मेरे सब्सक्रिप्शन में दिखती है।",
};
