/** The same in Hindi. */
import type { subscriptions as english } from "../english/subscriptions.ts";
import type { MessagesOf } from "../messages.ts";

export const subscriptions: MessagesOf<typeof english> = {
  title: "मेरे सब्सक्रिप्शन",
  add: "नया सब्सक्रिप्शन",
  searchLabel: "डोमेन या ऑर्डर आईडी",
  serviceDetails: "सेवा की जानकारी",
  domain: "डोमेन",
  purchased: "ख़रीदे गए लाइसेंस",
  start: "शुरू की तारीख़",
  end: "आख़िरी तारीख़",
  actions: "विकल्प",

  active: "चालू",
  activeList: "चालू सब्सक्रिप्शन",
  activePages: "चालू सब्सक्रिप्शन के पेज",
  noneActive: "कोई चालू सब्सक्रिप्शन नहीं मिला।",
  noneYet: "आपकी कंपनी के सब्सक्रिप्शन यहाँ क़ीमत और ख़त्म होने की तारीख़ के साथ दिखेंगे।",
  expired: "एक्सपायर हुए",
  expiredList: "एक्सपायर हुए सब्सक्रिप्शन",
  expiredPages: "एक्सपायर हुए सब्सक्रिप्शन के पेज",
  noneExpired: "एक्सपायर हुआ कोई सब्सक्रिप्शन नहीं मिला।",

  buyMore: "और ख़रीदें",
  buyMoreOf: "और ख़रीदें: {what}",
  renew: "रिन्यू करें",
  renewOf: "रिन्यू करें: {what}",
  addItem: "{name} जोड़ें",
  addItemTo: "{what} में {name} जोड़ें",
  what: "{name}, {domain}",

  aYear: "<amount>{amount}</amount> प्रति वर्ष{tax}",
  aMonth: "<amount>{amount}</amount> प्रति माह{tax}",
  inDays: "{count, plural, other {{count} दिन बाक़ी}}",
  inMonths: "{count, plural, one {{count} महीना बाक़ी} other {{count} महीने बाक़ी}}",

  dueTitle: "{days, plural, other {{name} {days} दिन में ख़त्म होगा}}",
  dueOn:
    "<domain>{domain}</domain> के लिए {licences}, {date} तक। नई अवधि इस अवधि के ख़त्म होने पर शुरू होगी, इसलिए जल्दी रिन्यू करने से कोई नुकसान नहीं है।",
  dueIncludes: "{amount} में {tax} शामिल है।",
  dueRenewFor: "{amount} में रिन्यू करें",
  dueOthers:
    "{count, plural, one {{count} और सब्सक्रिप्शन जल्द ख़त्म होगा।} other {{count} और सब्सक्रिप्शन जल्द ख़त्म होंगे।}}",

  overview: "ख़र्च और रिन्यूअल",
  ahead: "आने वाले रिन्यूअल",
  aheadTotal: "अगले 12 महीने{tax}: <total>{total}</total>",
  aheadUnpriced: "{count, plural, other {इसमें वे {count} सब्सक्रिप्शन शामिल नहीं हैं जिनकी आज कोई क़ीमत तय नहीं है।}}",
  spend: "महीने के हिसाब से ख़र्च",
  spendTotal: "पिछले 12 महीने: <total>{total}</total>",
  spendTotalTaxed: "पिछले 12 महीने, {tax} सहित: <total>{total}</total>",

  renewed: "रिन्यू हो गया: अगली अवधि {date} से, {licences}",
  extended: "{family} ने इसे महीने-दर-महीने बढ़ाया है, फ़िलहाल {date} तक। बनाए रखने के लिए रिन्यू करें।",
  isCancelled: "रद्द किया गया",
  isMoved: "{family} पर अब हमारे पास नहीं है",
  isSuspended: "{family} ने रोक रखा है",
  isReduced: "{family} पर {licences} से घटकर {count}",
  waitsForTerms: "आपके एडमिन को {family} की शर्तें स्वीकार करनी हैं",

  completed: "आपका पेमेंट हो गया है। ऑर्डर पूरा करने के लिए कृपया “आगे बढ़ें” पर क्लिक करें।",
  continue: "आगे बढ़ें",
  notNow: "अभी नहीं",

  notChanged: "{what}: {why}",
  cancelled: "यह सब्सक्रिप्शन रद्द हो चुका है। कृपया नया ऑर्डर करें।",
  moved: "यह {family} सब्सक्रिप्शन अब हमारे पास नहीं है। बदलाव वहाँ करें जहाँ इसे ले जाया गया है।",
  suspended: "{family} ने यह सब्सक्रिप्शन रोक रखा है, इसलिए आप इसे अभी बदल नहीं सकते। कारण जानने के लिए हमसे संपर्क करें।",
  endedRenewFirst: "यह सब्सक्रिप्शन ख़त्म हो चुका है। पहले इसे रिन्यू करें, फिर लाइसेंस जोड़ें।",
  renewedAlready: "यह सब्सक्रिप्शन पहले ही रिन्यू हो चुका है: इसकी {date} तक की अगली अवधि का पेमेंट हो गया है।",
  renewalOpens: "आप {date} से रिन्यू कर सकते हैं, इसके ख़त्म होने से {days} दिन पहले।",
  lookedInto:
    "हमारी टीम इस सब्सक्रिप्शन के एक पिछले ऑर्डर को देख रही है। उसका समाधान होने तक आप इसे बदल नहीं सकते और आपसे कोई राशि नहीं ली जाएगी। ज़रूरी हो तो हमसे संपर्क करें।",
  renewsAll:
    "{family} आपके सभी {licences} रिन्यू करता है। ज़्यादा चाहिए, तो पहले लाइसेंस जोड़ें। कम चाहिए, तो अवधि ख़त्म होने के बाद रिन्यू करें।",
};
