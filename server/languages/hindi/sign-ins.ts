/** The same in Hindi. */
import type { signIns as english } from "../english/sign-ins.ts";
import type { MessagesOf } from "../messages.ts";

export const signIns: MessagesOf<typeof english> = {
  title: "दूसरी जगह के साइन-इन",
  lead: "किसी दूसरी जगह का आपका अकाउंट, आपके पासवर्ड की जगह, यहाँ का आपका अकाउंट खोल सकता है।",
  list: "जुड़े हुए",
  none: "अभी कोई नहीं जुड़ा है।",
  since: "<since>{since}</since> को जोड़ा गया।",
  remove: "<hidden>{provider} </hidden>हटाएँ…",
  removeNamed: "{provider} हटाएँ",
  removed: "अब {provider} से आपका अकाउंट नहीं खुलता। बाक़ी सब जगह से आप साइन आउट हो गए हैं।",
  goneAlready: "इसे पहले ही हटाया जा चुका है।",
  lastWay: "आपका अकाउंट किसी और तरीक़े से नहीं खुलता। पहले पासवर्ड रखें, पासकी जोड़ें या कोई दूसरा साइन-इन जोड़ें।",
  addTitle: "एक और जोड़ें",
  standsOnPassword: "नया पासवर्ड रखने पर दूसरे ईमेल पतों वाले साइन-इन फिर से जोड़ें।",
  confirmEmail: "साइन-इन जोड़ने से पहले अपने ईमेल की पुष्टि करें।",
  connectTitle: "{provider} जोड़ें?",
  connectNamed: "तब जो भी {provider} से <email>{email}</email> के रूप में साइन इन करेगा, वह आपका अकाउंट खोल सकेगा।",
  connectNameless: "तब जो भी इस {provider} अकाउंट से साइन इन करेगा, वह आपका अकाउंट खोल सकेगा।",
  connect: "{provider} जोड़ें",
  connectedNow: "अब {provider} से आपका अकाउंट खुलता है।",
  already: "यह {provider} अकाउंट पहले से ही आपका अकाउंट खोलता है।",
  over: "इसमें ज़्यादा समय लग गया, या यह पहले ही हो चुका है। कृपया इसे फिर से जोड़ें।",
};
