/** The same in Hindi. */
import type { errorPage as english } from "../english/error-page.ts";
import type { MessagesOf } from "../messages.ts";

export const errorPage: MessagesOf<typeof english> = {
  unexpected: "अचानक कोई गड़बड़ी हो गई!",
  noPage: "{address} पर कोई पेज नहीं है।",
  noPageWhy: "हो सकता है कि लिंक पुराना या अधूरा हो।",
  lost: "यह पेज हमें नहीं मिला",
  lostWhy: "लिंक पुराना हो सकता है या किसी और अकाउंट का। लिंक जाँचें, या “मेरे ऑर्डर” और “मेरे सब्सक्रिप्शन” में देखें।",
  wait: "कृपया ज़रा रुकें",
  closed: "आपके पास इस पेज का एक्सेस नहीं है",
  notThisTime: "कुछ गड़बड़ हो गई",
  notThrough: "आपका अनुरोध पूरा नहीं हुआ",
  ourFault: "समस्या हमारी ओर से है। अगर आप पेमेंट कर रहे थे, तो फिर से कोशिश करने से पहले “मेरे ऑर्डर” देखें।",
  inAMinute: "कृपया एक मिनट बाद फिर से कोशिश करें।",
  tryAgain: "फिर से कोशिश करें",
  shop: "स्टोर पर जाएँ",
  desk: "Desk पर जाएँ",
  contact: "सपोर्ट से संपर्क करें",
  request: "अनुरोध <id>{id}</id>",
};
