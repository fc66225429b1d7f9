/** The same in Hindi. */
import type { errorPage as english } from "../english/error-page.ts";
import type { MessagesOf } from "../messages.ts";

export const errorPage: MessagesOf<typeof english> = {
  unexpected: "कुछ अप्रत्याशित गड़बड़ी हुई!",
  noPage: "{address} पर कोई पेज नहीं है।",
  noPageWhy: "हो सकता है कि लिंक पुराना हो या उसका कोई हिस्सा छूट गया हो।",
  lost: "यह पेज हमें नहीं मिला",
  lostWhy: "हो सकता है कि लिंक पुराना हो या किसी दूसरे अकाउंट का हो।",
  wait: "कृपया थोड़ा इंतज़ार करें",
  closed: "यह आपके लिए उपलब्ध नहीं है",
  notThisTime: "इस बार काम नहीं हो सका",
  notThrough: "यह पूरा नहीं हो सका",
  ourFault: "गड़बड़ी हमारी ओर से है। आपका सहेजा हुआ सब सुरक्षित है, और कोई राशि दो बार नहीं ली जाती।",
  inAMinute: "कृपया एक मिनट बाद फिर कोशिश करें।",
  tryAgain: "फिर कोशिश करें",
  shop: "स्टोर पर जाएँ",
  desk: "डेस्क पर जाएँ",
  contact: "सहायता से संपर्क करें",
  request: "अनुरोध <id>{id}</id>",
};
