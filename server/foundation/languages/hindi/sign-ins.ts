/** The same in Hindi. */
import type { signIns as english } from "../english/sign-ins.ts";
import type { MessagesOf } from "../messages.ts";

export const signIns: MessagesOf<typeof english> = {
  title: "कनेक्ट किए गए अकाउंट",
  lead: "पासवर्ड की जगह अपने किसी मौजूदा अकाउंट से यहाँ साइन इन करें।",
  list: "कनेक्ट किए गए",
  none: "अभी कोई अकाउंट कनेक्ट नहीं है।",
  since: "<since>{since}</since> को कनेक्ट किया गया।",
  remove: "<hidden>{provider} </hidden>हटाएँ…",
  removeNamed: "{provider} हटाएँ",
  removed: "{provider} हटा दिया गया। आप बाक़ी सभी जगह से साइन आउट हो गए हैं।",
  goneAlready: "इसे पहले ही हटाया जा चुका है।",
  lastWay:
    "आपके अकाउंट में साइन इन करने का यही एक तरीक़ा है। पहले पासवर्ड सेट करें, पासकी जोड़ें या कोई दूसरा अकाउंट कनेक्ट करें।",
  addTitle: "एक और अकाउंट कनेक्ट करें",
  standsOnPassword: "नया पासवर्ड सेट करने पर आपको वे अकाउंट फिर से कनेक्ट करने होंगे जिनका ईमेल पता अलग है।",
  confirmEmail: "अकाउंट कनेक्ट करने से पहले अपने ईमेल की पुष्टि करें।",
  connectTitle: "{provider} कनेक्ट करें?",
  connectNamed:
    "जो भी {provider} में <email>{email}</email> के रूप में साइन इन कर सकता है, वह आपके अकाउंट में साइन इन कर सकेगा।",
  connectNameless: "जो भी इस {provider} अकाउंट में साइन इन कर सकता है, वह आपके अकाउंट में साइन इन कर सकेगा।",
  connect: "{provider} कनेक्ट करें",
  connectedNow: "{provider} कनेक्ट हो गया। अब आप इससे साइन इन कर सकते हैं।",
  already: "यह {provider} अकाउंट पहले से कनेक्ट है।",
  over: "यह अनुरोध एक्सपायर हो चुका है या पहले ही पूरा हो चुका है। कृपया इसे फिर से कनेक्ट करें।",
};
