/** The same in Hindi. */
import type { fields as english } from "../english/fields.ts";
import type { MessagesOf } from "../messages.ts";

export const fields: MessagesOf<typeof english> = {
  required: "“{label}” भरना ज़रूरी है।",
  tooLong: "“{label}” बहुत लंबा है।",
  missing: "यह भरना ज़रूरी है।",
  tooManyCharacters: "ज़्यादा से ज़्यादा {count, plural, other {{count} अक्षर}} लिखें।",
  unexpected: "यह सही फ़ॉर्मैट में नहीं है।",
  unclean: "इसमें ऐसे अक्षर हैं जिन्हें हम सेव नहीं कर सकते। उन्हें हटाकर फिर से कोशिश करें।",
  chooseOne: "कृपया एक चुनें",

  email: "कृपया अपना ईमेल डालें",
  anEmail: "कृपया ईमेल डालें",
  emailForm: "कृपया सही ईमेल डालें",
  validEmail: "कृपया सही ईमेल डालें",
  password: "कृपया अपना पासवर्ड डालें",
  newPassword: "कृपया नया पासवर्ड डालें।",
  currentPassword: "कृपया अपना मौजूदा पासवर्ड डालें।",
  passwordsDiffer: "दोनों पासवर्ड एक जैसे नहीं हैं!",
  passwordLength: "पासवर्ड में कम से कम 8 अक्षर होने चाहिए।",
  firstName: "कृपया अपना नाम डालें",
  firstNameTooLong: "आपका नाम बहुत लंबा है",
  lastName: "कृपया अपना उपनाम डालें",
  lastNameTooLong: "आपका उपनाम बहुत लंबा है",
  code: "कृपया कोड डालें",
  codeForm: "कोड में 8 अंक होते हैं",
  role: "कृपया भूमिका चुनें",
  login: "यूज़रनेम और पासवर्ड ख़ाली नहीं होने चाहिए",
  loginEmail: "यूज़रनेम एक सही ईमेल पता होना चाहिए (जैसे you@company.com)",

  commitment: "कृपया अवधि चुनें",
  quantity: "संख्या भरना ज़रूरी है और वह 0 से ज़्यादा होनी चाहिए",
  quantityLeast: "यह प्लान कम से कम {count, plural, other {{count} लाइसेंस}} से शुरू होता है।",
  quantityMost: "आप एक ऑर्डर में ज़्यादा से ज़्यादा {count, plural, other {{count} लाइसेंस}} ख़रीद सकते हैं।",
  quantityHeld:
    "आपके पास {held, plural, other {{held} लाइसेंस}} हैं और ज़्यादा से ज़्यादा {most} हो सकते हैं, इसलिए आप {room} और जोड़ सकते हैं।",
  quantityFull:
    "आपके पास {held, plural, other {{held} लाइसेंस}} हैं और अधिकतम सीमा {most} है, इसलिए आप और नहीं जोड़ सकते।",
  domain: "डोमेन भरना ज़रूरी है",
  transferToken: "कृपया ट्रांसफ़र टोकन डालें",
  username: "अंग्रेज़ी अक्षर, अंक, डॉट, हाइफ़न और अंडरस्कोर इस्तेमाल करें; शुरुआत किसी अक्षर या अंक से हो",
  companyAddress: "कृपया अपनी कंपनी का कोई एक पता चुनें।",
  destination: "कृपया चुनें कि सब्सक्रिप्शन कहाँ जोड़ना है।",
  base: "कृपया वह सब्सक्रिप्शन चुनें जिसमें इसे जोड़ना है।",

  address: "कृपया पता जाँच लें।",
  otherCountry: "यह पता किसी दूसरे देश का है।",
  state: "कृपया सही राज्य डालें",
  otherTerritory: "97 से शुरू होने वाले GST नंबर के लिए अपने दफ़्तर का राज्य चुनें। नंबर न हो तो ऑर्डर से पहले {email} पर लिखें।",
  notSoldThere: "हम अभी {place} में नहीं बेचते।",
  postcode: "कृपया सही {postcode} डालें",
  pincodeElsewhere: "पिनकोड {pincode} {place} का है, {state} का नहीं। पिनकोड या राज्य ठीक करें।",
  pincodeNotThere: "पिनकोड {pincode} {state} का नहीं है। पिनकोड या राज्य ठीक करें।",
  phone: "कृपया सही फ़ोन नंबर डालें",
  ofCountry: "{problem}",
  registrationTooLong: "यह रजिस्ट्रेशन नंबर बहुत लंबा है।",
  gstNumber: "कृपया GST नंबर डालें",
  gstNumberForm: "कृपया सही GST नंबर डालें",
  gstNumberProblem: "कृपया सही GST नंबर डालें। {problem}",
  gstOrPan: "कृपया सही GST नंबर या PAN डालें। {problem}",
  gstState: "यह GST नंबर {state} में रजिस्टर्ड है। वही राज्य चुनें या नंबर जाँचें।",
  gstinLength: "GST नंबर में 15 अक्षर होते हैं, इसमें {length} हैं।",
  gstinForm: "GST नंबर ऐसा दिखता है: {example}।",
  gstinState: "{code} मान्य राज्य कोड नहीं है।",
  gstinMerged:
    "राज्य कोड {code} ({name}) को {into} में मिला दिया गया है। अपना वह GST नंबर डालें जो {into} से शुरू होता है।",
  gstinNonResident:
    "यह अनिवासी (non-resident) करदाता का नंबर है, जिस पर हम भारत में व्यवसाय के तौर पर इनवॉइस नहीं बना सकते। सामान्य GST नंबर या अपना PAN डालें।",
  gstinOnlineService:
    "यह विदेश की ऑनलाइन सेवा (OIDAR) का नंबर है, जिस पर हम भारत में व्यवसाय के तौर पर इनवॉइस नहीं बना सकते। सामान्य GST नंबर या अपना PAN डालें।",
  ownGstin: "यह हमारा अपना GST नंबर है। अपनी कंपनी का नंबर डालें।",
  shortCompanyName:
    "GST नंबर के साथ कंपनी का नाम कम से कम {count} अक्षरों का होना चाहिए। उसे वैसे लिखें जैसे GST रजिस्टर में है।",
  shortCity: "GST नंबर के साथ शहर का नाम कम से कम {count} अक्षरों का होना चाहिए। शहर का पूरा नाम लिखें।",
  gstinCheckDigit: "कोई एक अक्षर ग़लत लिखा गया है: आख़िरी अक्षर बाक़ी से मेल नहीं खाता।",
  panForm: "PAN में 5 अक्षर, 4 अंक और एक अक्षर होते हैं, जैसे {example}; GST नंबर में 15 अक्षर होते हैं।",
};
