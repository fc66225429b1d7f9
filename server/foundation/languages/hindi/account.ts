/** The same in Hindi. */
import type { account as english } from "../english/account.ts";
import type { MessagesOf } from "../messages.ts";

export const account: MessagesOf<typeof english> = {
  title: "मेरा अकाउंट",
  name: "नाम",
  email: "ईमेल",
  mobileNumber: "मोबाइल नंबर",
  company: "कंपनी",
  companyDetails: "कंपनी की जानकारी",
  changePassword: "अपना पासवर्ड बदलें",
  twoStep: "टू-स्टेप साइन-इन",
  passkeys: "पासकी",
  signIns: "कनेक्ट किए गए अकाउंट",
  notifications: "सूचनाएँ",
  notConfirmed: "आपके ईमेल की पुष्टि अभी नहीं हुई है। आप ऑर्डर कर सकते हैं, पर अभी किसी को न्योता नहीं भेज सकते।",
  linkConfirms: "हम <email>{email}</email> पर एक लिंक ईमेल करेंगे। उससे पासवर्ड चुनें और फिर से साइन इन करें।",
  emailLink: "मुझे लिंक ईमेल करें",
  linkEmailed: "हमने {email} पर एक लिंक ईमेल किया है। न दिखे तो स्पैम फ़ोल्डर देखें।",
  confirmFirst:
    "लोगों को न्योता भेजने, उनकी भूमिका बदलने या हमसे किसी और को ईमेल भिजवाने से पहले अपने ईमेल की पुष्टि करें। इसका लिंक “मेरा अकाउंट” से पाएँ।",

  sessions: "आप कहाँ-कहाँ साइन इन हैं",
  browser: "ब्राउज़र",
  signedIn: "साइन-इन",
  lastUsed: "पिछला इस्तेमाल",
  isSet: "सेट है",
  notSet: "सेट नहीं है",
  on: "चालू",
  off: "बंद",
  noneYet: "कोई नहीं",
  end: "कार्रवाइयाँ",
  thisOne: "यह डिवाइस",
  device: "{system} पर {browser}",
  deviceUnknown: "अनजान ब्राउज़र",
  network: "नेटवर्क {network}",
  placeOf: "{country}, नेटवर्क {network}",
  placeUnknown: "अनजान लोकेशन",
  endSession: "<hidden>{device} से </hidden>साइन आउट करें",
  sessionEnded: "उस डिवाइस से साइन आउट हो गया।",
  when: "{date}, {time}",
  signsOutHere:
    "कोई डिवाइस खो गया है, या कोई अनजान डिवाइस दिख रहा है? सभी डिवाइस से साइन आउट करें, इस डिवाइस से भी।",
  signOutEverywhere: "हर जगह से साइन आउट करें",
  signedOut: "आप सभी डिवाइस से साइन आउट हो गए हैं।",

  setPassword: "पासवर्ड सेट करें",
  linkSetsPassword:
    "आपके अकाउंट का पासवर्ड अभी सेट नहीं है। हम <email>{email}</email> पर एक लिंक ईमेल करेंगे। उससे पासवर्ड चुनें और फिर से साइन इन करें।",
  noPassword: "इस अकाउंट का पासवर्ड अभी सेट नहीं है। पासवर्ड सेट करने का लिंक ईमेल पर पाएँ।",
  currentPassword: "मौजूदा पासवर्ड",
  codeInstead:
    "आपके अकाउंट में पासवर्ड नहीं है। साइन इन करने का तरीक़ा बदलने से पहले हम <email>{email}</email> पर एक कोड ईमेल करेंगे। हर बदलाव के लिए नया कोड चाहिए।",
  emailCode: "मुझे कोड ईमेल करें",
  codeEmailed: "हमने {email} पर एक कोड ईमेल किया है। ईमेल न मिले तो स्पैम फ़ोल्डर देखें।",
  mailedCode: "हमारे ईमेल का कोड",
  mailedCodeHint: "16 अक्षर। यह 15 मिनट तक, एक बार काम करता है।",
  mailedCodeWrong: "यह कोड ग़लत है, इस्तेमाल हो चुका है या एक्सपायर हो गया है। नया कोड मँगाएँ।",
  currentPasswordWrong: "आपका मौजूदा पासवर्ड ग़लत है।",
  staysHere:
    "आप यहाँ साइन इन रहेंगे और बाक़ी सभी जगह से साइन आउट हो जाएँगे। पहले ईमेल किए गए अकाउंट के लिंक और आपके भेजे न्योते काम करना बंद कर देंगे।",
  change: "पासवर्ड बदलें",
  back: "मेरा अकाउंट पर वापस जाएँ",
  forgotten: "मौजूदा पासवर्ड भूल गए हैं? <link>रीसेट करें</link>।",
  passwordChanged: "पासवर्ड बदल गया है। आप बाक़ी सभी जगह से साइन आउट हो गए हैं।",

  sync: "सिंक",
};
