/** The same in Hindi. */
import type { search as english } from "../english/search.ts";
import type { MessagesOf } from "../messages.ts";

export const search: MessagesOf<typeof english> = {
  failed: "खोज नहीं हो सकी",
  searching: "खोज जारी है…",
  featured: "प्रमुख सेवाएँ",
  results: "“{query}” के नतीजे",
  again: "फिर से खोजें",
  whatFor: "आप क्या खोज रहे हैं?",
  search: "खोजें",
  nothing: "कोई नतीजा नहीं मिला। “ईमेल” या “मीटिंग” जैसा एक शब्द आज़माएँ, या <link>सभी प्रोडक्ट देखें</link>।",
  found: "{count, plural, one {{count} सेवा} other {{count} सेवाएँ}}, {pages} में से पेज {page}",
  services: "सेवाएँ",
  pages: "नतीजों के पेज",
  previous: "पिछला",
  next: "अगला",
  page: "पेज {number}",
  metaSearch: "खोज: {query}",
  metaFeatured: "{sells} के वे प्लान जिन्हें ज़्यादातर व्यवसाय चुनते हैं, आमने-सामने।",
};
