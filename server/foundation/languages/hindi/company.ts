/** The same in Hindi. */
import type { company as english } from "../english/company.ts";
import type { MessagesOf } from "../messages.ts";

export const company: MessagesOf<typeof english> = {
  title: "कंपनी",
  ownersOnly: "इसे सिर्फ़ कंपनी के ओनर बदल सकते हैं।",
  intro: "बदलाव नए ऑर्डर पर और उन ऑर्डर पर लागू होंगे जिनका पेमेंट अभी नहीं हुआ है। जारी हो चुके दस्तावेज़ नहीं बदलेंगे।",
  legalName: "कानूनी नाम",
  legalNameHint: "आपका रजिस्टर्ड नाम, जैसा इनवॉइस पर छपता है।",
  save: "सेव करें",
  nameSaved: "नाम सेव हो गया।",

  places: "बिलिंग पते",
  placesHint: "हर बिलिंग पते का अपना टैक्स रजिस्ट्रेशन होता है। ऑर्डर करते समय आप इनमें से एक चुनते हैं।",
  standard: "डिफ़ॉल्ट",
  makeStandard: "डिफ़ॉल्ट बनाएँ<hidden>: {place}</hidden>",
  madeStandard: "डिफ़ॉल्ट बिलिंग पता अपडेट हो गया।",
  add: "बिलिंग पता जोड़ें",
  change: "बदलें<hidden>: {place}</hidden>",
  remove: "हटाएँ<hidden>: {place}</hidden>…",
  removeQuestion: "नए ऑर्डर में आप इसे नहीं चुन पाएँगे। मौजूदा दस्तावेज़ नहीं बदलेंगे।",
  removeIt: "बिलिंग पता हटाएँ",
  removed: "बिलिंग पता हटा दिया गया।",
  lastPlace: "इस देश में आपका यही एक बिलिंग पता है। हटाने से पहले दूसरा जोड़ें।",
  placeSaved: "बिलिंग पता सेव हो गया।",
  newPlace: "बिलिंग पता जोड़ें",
  changePlace: "बिलिंग पता बदलें",
  back: "कंपनी पर वापस जाएँ",
  registered: "GST रजिस्टर में {number} इस नाम पर है: {name} (स्थिति: {status})।",
  notRegistered: "{number} की जाँच अभी नहीं हुई है। GST रजिस्टर से जाँचने के लिए यह पता फिर से सेव करें।",

  tax: "आपका काटा जाने वाला टैक्स (TDS)",
  taxHint:
    "अगर आपकी कंपनी हमें पेमेंट करते समय TDS काटती है, तो यहाँ भरें। बैंक ट्रांसफ़र के समय हम TDS काटने के बाद की राशि दिखाएँगे।",
  deductorNumber: "TAN",
  deductorNumberHint: "जैसे {example}",
  deductorNumberForm: "TAN में 4 अक्षर, 5 अंक और एक अक्षर होते हैं, जैसे {example}।",
  section: "क़ानून की धारा (Section)",
  sectionHint: "जैसे 194J",
  rate: "टैक्स से पहले की राशि पर दर",
  nothing: "TDS नहीं",
  otherEntity:
    "यह नंबर किसी दूसरी कानूनी इकाई (legal entity) का है: इसका PAN {given} है, जबकि आपकी कंपनी के दूसरे पतों का PAN {known} है। उस इकाई के लिए ऑर्डर करने के लिए अलग अकाउंट बनाएँ।",
  unknownRate: "कृपया इनमें से कोई दर चुनें।",
  taxSaved: "आपकी टैक्स जानकारी सेव हो गई।",

  documents: "पुरानी जानकारी वाले इनवॉइस",
  documentsSay:
    "{count, plural, one {इनवॉइस {newest} में यह जानकारी है:} other {{count} इनवॉइस (सबसे नया {newest}) में यह जानकारी है:}}",
};
