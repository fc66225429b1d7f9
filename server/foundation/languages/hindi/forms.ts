/** The same in Hindi. */
import type { forms as english } from "../english/forms.ts";
import type { MessagesOf } from "../messages.ts";

export const forms: MessagesOf<typeof english> = {
  next: "आगे बढ़ें",
  problem: "एक समस्या है",
  errorTitle: "त्रुटि: ",
  optional: "(वैकल्पिक)",
  email: "ईमेल:",
  show: "दिखाएँ",
  showPassword: "पासवर्ड दिखाएँ",
  newPassword: "नया पासवर्ड",
  newPasswordHint: "कम से कम 8 अक्षर",
  confirmPassword: "नया पासवर्ड दोबारा लिखें",
  username: "यूज़रनेम",
  kept: "{said}। आपका लिखा हुआ इसी पेज पर है: इसे बंद या रीलोड न करें।",
  domainName: "डोमेन नाम",
  domainNameHint:
    "यह नाम बाद में नहीं बदला जा सकता। यह साइन-इन के लिए है: ईमेल के लिए आप अपना डोमेन इस्तेमाल कर सकते हैं।",
  usernamePreview: "आपका यूज़रनेम होगा: <name>{name}</name>",
};
