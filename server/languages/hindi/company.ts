/** The same in Hindi. */
import type { company as english } from "../english/company.ts";
import type { MessagesOf } from "../messages.ts";

export const company: MessagesOf<typeof english> = {
  title: "कंपनी",
  ownersOnly: "इसे सिर्फ़ कंपनी के ओनर बदल सकते हैं।",
  intro:
    "यहाँ का बदलाव आगे के ऑर्डर पर और उन ऑर्डर पर लागू होता है जिनका भुगतान अभी नहीं हुआ है। दस्तावेज़ों में वही रहता है जो बनते समय लिखा था।",
  legalName: "कानूनी नाम",
  legalNameHint: "जैसा पंजीकृत है। यह आपके इनवॉइस पर छपता है।",
  save: "सहेजें",
  nameSaved: "नाम सहेज लिया गया।",

  places: "इनवॉइस किस पते पर बनता है",
  placesHint: "हर जगह का अपना पता और अपना पंजीकरण होता है। ऑर्डर करते समय आप इनमें से चुनते हैं।",
  standard: "ऑर्डर में कुछ और न चुनें तो यही",
  makeStandard: "इसे डिफ़ॉल्ट बनाएँ<hidden>: {place}</hidden>",
  madeStandard: "अब ऑर्डर में कुछ और न चुनने पर इनवॉइस यहीं का बनेगा।",
  add: "जगह जोड़ें",
  change: "बदलें<hidden>: {place}</hidden>",
  remove: "हटाएँ<hidden>: {place}</hidden>…",
  removeQuestion: "ऑर्डर करते समय यह आगे नहीं दिखेगी। जिन दस्तावेज़ों में यह है, वे वैसे ही रहते हैं।",
  removeIt: "यह जगह हटाएँ",
  removed: "जगह हटा दी गई।",
  lastPlace: "इस देश में आपकी यही एक जगह है। हटाने से पहले दूसरी जोड़ें।",
  placeSaved: "जगह सहेज ली गई।",
  newPlace: "जगह जोड़ें",
  changePlace: "जगह बदलें",
  back: "कंपनी पर वापस",
  registered: "GST रजिस्टर में {number} इस नाम से दर्ज है: {name}, {status}।",
  notRegistered: "{number} की जाँच अभी नहीं हुई है। जगह फिर से सहेजें, तो हम GST रजिस्टर से पूछेंगे।",

  tax: "आप जो टैक्स काटते हैं",
  taxHint:
    "अगर आपकी कंपनी हमें भुगतान करते समय TDS काटती है, तो यहाँ बताएँ। तब बैंक ट्रांसफ़र से पहले हम बताते हैं कि कितनी राशि भेजनी है।",
  deductorNumber: "TAN",
  deductorNumberHint: "जैसे {example}",
  deductorNumberForm: "TAN में 4 अक्षर, 5 अंक और एक अक्षर होते हैं, जैसे {example}।",
  section: "क़ानून की धारा",
  sectionHint: "जैसे 194J",
  rate: "टैक्स से पहले के मूल्य पर दर",
  nothing: "कुछ नहीं",
  otherEntity:
    "यह नंबर किसी दूसरी कानूनी इकाई का है: उसका PAN {given} है, और आपकी कंपनी की दूसरी जगहों का {known}। दूसरी इकाई यहाँ एक अलग कंपनी है: उसके लिए अलग अकाउंट से ऑर्डर करें।",
  unknownRate: "कृपया इनमें से कोई दर चुनें।",
  taxSaved: "टैक्स की जानकारी सहेज ली गई।",

  documents: "पुरानी जानकारी वाले इनवॉइस",
  documentsSay:
    "{count, plural, one {इनवॉइस {newest} में लिखा है:} other {{count} इनवॉइस में लिखा है (सबसे नया {newest}):}}",
};
