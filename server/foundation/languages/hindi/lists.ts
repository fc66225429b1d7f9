/** The same in Hindi. */
import type { lists as english } from "../english/lists.ts";
import type { MessagesOf } from "../messages.ts";

export const lists: MessagesOf<typeof english> = {
  service: "सेवा",
  find: "खोजें",
  newest: "सबसे नए",
  older: "पुराने",
  first: "पहला पेज",
  next: "अगला पेज",
  nothingBegins: "यहाँ “{search}” से शुरू होने वाला कुछ नहीं है।",
  moreFor: "{what} के और विकल्प",
  showAll: "सभी दिखाएँ",
  explore: "सेवाएँ देखें",
  searchHow: "ऑर्डर आईडी या डोमेन के शुरुआती अक्षरों से खोजें, ज़्यादा से ज़्यादा {most} अक्षर।",
  noSuchPage: "इस सूची का यह पेज मौजूद नहीं है। पहले पेज पर वापस जाएँ।",
};
