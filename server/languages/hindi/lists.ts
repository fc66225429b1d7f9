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
  nothingBegins: "यहाँ “{search}” से कुछ शुरू नहीं होता।",
  showAll: "सभी दिखाएँ",
  explore: "सेवाएँ देखें",
  searchHow: "कृपया ऑर्डर की आईडी या डोमेन की शुरुआत से खोजें, ज़्यादा से ज़्यादा {most} अक्षरों में।",
  noSuchPage: "इस सूची का ऐसा कोई पेज नहीं है। कृपया इसका पहला पेज खोलें।",
};
