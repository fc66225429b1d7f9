/** The same in Hindi. */
import type { subscriptions as english } from "../english/subscriptions.ts";
import type { MessagesOf } from "../messages.ts";

export const subscriptions: MessagesOf<typeof english> = {
  title: "मेरे सब्सक्रिप्शन",
  add: "नया सब्सक्रिप्शन",
  searchLabel: "डोमेन या ऑर्डर आईडी",
  serviceDetails: "सेवा का विवरण",
  domain: "डोमेन",
  purchased: "ख़रीदे गए लाइसेंस",
  start: "आरंभ तिथि",
  end: "समाप्ति तिथि",
  actions: "कार्रवाई",

  active: "चालू",
  activeList: "चालू सब्सक्रिप्शन",
  activePages: "चालू सब्सक्रिप्शन के पेज",
  noneActive: "कोई चालू सब्सक्रिप्शन नहीं मिला।",
  noneYet: "आपकी कंपनी जो ख़रीदती है, वह यहाँ अपने मूल्य और समाप्ति की तारीख़ के साथ दिखता है।",
  expired: "समाप्त",
  expiredList: "समाप्त सब्सक्रिप्शन",
  expiredPages: "समाप्त सब्सक्रिप्शन के पेज",
  noneExpired: "कोई समाप्त सब्सक्रिप्शन नहीं मिला।",

  buyMore: "और ख़रीदें",
  buyMoreOf: "और ख़रीदें: {what}",
  renew: "रिन्यू करें",
  renewOf: "रिन्यू करें: {what}",
  addItem: "{name} जोड़ें",
  addItemTo: "{what} में {name} जोड़ें",
  what: "{name}, {domain}",

  aYear: "<amount>{amount}</amount> प्रति वर्ष{tax}",
  aMonth: "<amount>{amount}</amount> प्रति माह{tax}",
  inDays: "{count, plural, other {{count} दिन बाकी}}",
  inMonths: "{count, plural, one {{count} महीना बाकी} other {{count} महीने बाकी}}",

  dueTitle: "{days, plural, other {{name} {days} दिन में समाप्त होगा}}",
  dueOn:
    "<domain>{domain}</domain> के लिए {licences}, {date} तक। नई अवधि इस अवधि के समाप्त होने पर शुरू होती है: पहले रिन्यू करने से कुछ नहीं घटता।",
  dueIncludes: "{amount} में {tax} शामिल है।",
  dueRenewFor: "{amount} में रिन्यू करें",
  dueOthers:
    "{count, plural, one {{count} और सब्सक्रिप्शन जल्द समाप्त होगा।} other {{count} और सब्सक्रिप्शन जल्द समाप्त होंगे।}}",

  overview: "ख़र्च और नवीनीकरण",
  ahead: "आने वाले नवीनीकरण",
  aheadTotal: "अगले बारह महीने{tax}: <total>{total}</total>",
  aheadUnpriced: "{count, plural, other {इसमें वे {count} सब्सक्रिप्शन शामिल नहीं हैं जिनका आज कोई मूल्य नहीं है।}}",
  spend: "महीने के हिसाब से ख़र्च",
  spendTotal: "पिछले बारह महीने: <total>{total}</total>",
  spendTotalTaxed: "पिछले बारह महीने, {tax} सहित: <total>{total}</total>",

  renewed: "रिन्यू हो गया: अगली अवधि {date} से, {licences}",
  extended: "{family} ने इसे महीने-दर-महीने बढ़ाया है, फ़िलहाल {date} तक। इसे बनाए रखने के लिए रिन्यू करें।",
  isCancelled: "रद्द किया गया",
  isMoved: "{family} पर हमारे पास से दूसरी जगह ले जाया गया",
  isSuspended: "{family} ने रोक रखा है",
  isReduced: "{family} पर {licences} से घटकर {count}",
  waitsForTerms: "आपके एडमिनिस्ट्रेटर को {family} की शर्तें स्वीकार करनी हैं",

  completed: "आपका भुगतान हो गया है। ऑर्डर पूरा करने के लिए कृपया ‘जारी रखें’ दबाएँ।",
  continue: "जारी रखें",
  notNow: "अभी नहीं",

  notChanged: "{what}: {why}",
  cancelled: "यह सब्सक्रिप्शन रद्द किया जा चुका है। कृपया नया ऑर्डर करें।",
  moved: "यह सब्सक्रिप्शन {family} पर अब हमारे पास नहीं है। इसे वहीं बदला जा सकता है जहाँ इसे ले जाया गया।",
  suspended: "{family} ने यह सब्सक्रिप्शन रोक रखा है। दोबारा चालू होने पर इसे बदला जा सकता है।",
  endedRenewFirst: "यह सब्सक्रिप्शन समाप्त हो गया है। पहले इसे रिन्यू करें, फिर लाइसेंस जोड़ें।",
  renewedAlready: "यह सब्सक्रिप्शन रिन्यू हो चुका है: इसकी अगली अवधि का भुगतान {date} तक हो गया है।",
  renewalOpens: "समाप्ति से {days} दिन पहले, {date} से आप इसे रिन्यू कर सकते हैं।",
  lookedInto:
    "हमारी टीम इस सब्सक्रिप्शन के एक पिछले ऑर्डर को देख रही है। काम पूरा होने तक इसे बदला नहीं जा सकता, और आपसे कोई राशि नहीं ली जाती। ज़रूरी हो तो कृपया हमसे संपर्क करें।",
  renewsAll:
    "{family} आपके सभी {licences} रिन्यू करता है। ज़्यादा चाहिए तो पहले लाइसेंस जोड़ें; कम चाहिए तो अवधि समाप्त होने के बाद रिन्यू करें।",
};
