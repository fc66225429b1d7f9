/** The same in Hindi. */
import type { account as english } from "../english/account.ts";
import type { MessagesOf } from "../messages.ts";

export const account: MessagesOf<typeof english> = {
  title: "मेरा खाता",
  name: "नाम",
  email: "ईमेल",
  mobileNumber: "मोबाइल नंबर",
  company: "कंपनी",
  companyDetails: "आपकी कंपनी की जानकारी",
  changePassword: "अपना पासवर्ड बदलें",
  twoStep: "दो चरणों में साइन इन",
  passkeys: "पासकी",
  signIns: "दूसरी जगह के साइन-इन",
  notifications: "सूचनाएँ",
  notConfirmed: "आपके ईमेल की पुष्टि अभी नहीं हुई है: आप ऑर्डर कर सकते हैं, पर अभी किसी को बुला नहीं सकते।",
  linkConfirms: "हम <email>{email}</email> पर एक लिंक ईमेल करेंगे; उससे आप पासवर्ड चुनेंगे और फिर से साइन इन करेंगे।",
  emailLink: "मुझे लिंक ईमेल करें",
  linkEmailed: "हमने {email} पर एक लिंक ईमेल किया है। ईमेल न मिले तो स्पैम फ़ोल्डर देखें।",
  confirmFirst:
    "लोगों को बुलाने या उनकी भूमिका बदलने से पहले कृपया अपने ईमेल की पुष्टि करें। “मेरा खाता” पेज आपको लिंक ईमेल करता है।",

  sessions: "आप कहाँ-कहाँ साइन इन हैं",
  browser: "ब्राउज़र",
  signedIn: "साइन इन किया",
  lastUsed: "पिछली बार इस्तेमाल",
  place: "जगह",
  thisOne: "यही",
  device: "{system} पर {browser}",
  deviceUnknown: "कोई अनजान ब्राउज़र",
  network: "नेटवर्क {network}",
  placeOf: "{country}, नेटवर्क {network}",
  placeUnknown: "कोई अनजान जगह",
  endSession: "<hidden>{device} वाला सेशन </hidden>समाप्त करें",
  sessionEnded: "वह सेशन समाप्त हो गया है।",
  when: "{date}, {time}",
  signsOutHere:
    "क्या कुछ गड़बड़ लग रहा है, या कोई डिवाइस खो गया है? यह आपको हर डिवाइस से साइन आउट कर देता है, इस डिवाइस से भी।",
  signOutEverywhere: "हर जगह से साइन आउट करें",
  signedOut: "आप हर जगह से साइन आउट हो गए हैं।",

  setPassword: "पासवर्ड तय करें",
  linkSetsPassword:
    "आपके अकाउंट का अभी कोई पासवर्ड नहीं है। हम <email>{email}</email> पर एक लिंक ईमेल करेंगे; उससे आप पासवर्ड चुनेंगे और फिर से साइन इन करेंगे।",
  noPassword: "इस अकाउंट का अभी कोई पासवर्ड नहीं है: ईमेल किए गए लिंक से तय करें।",
  currentPassword: "मौजूदा पासवर्ड",
  currentPasswordWrong: "यह आपका मौजूदा पासवर्ड नहीं है।",
  staysHere:
    "आप यहाँ साइन इन रहेंगे और बाकी हर जगह से साइन आउट हो जाएँगे। आपके अकाउंट के पहले ईमेल किए गए लिंक और आपके भेजे न्योते अब काम नहीं करेंगे।",
  change: "पासवर्ड बदलें",
  back: "मेरा खाता पर वापस जाएँ",
  forgotten: "मौजूदा पासवर्ड भूल गए हैं? <link>नया चुनें</link>।",
  passwordChanged: "आपका पासवर्ड बदल गया है। आप बाकी हर जगह से साइन आउट हो गए हैं।",

  sync: "सिंक",
};
