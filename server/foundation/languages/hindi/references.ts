/** The same in Hindi. */
import type { references as english } from "../english/references.ts";
import type { MessagesOf } from "../messages.ts";

export const references: MessagesOf<typeof english> = {
  title: "आपके अकाउंटिंग के लिए",
  edit: "परचेज़ ऑर्डर नंबर और कॉस्ट सेंटर",
  until: "आप इसे इनवॉइस जारी होने तक, यानी ऑर्डर का पेमेंट होने तक बदल सकते हैं।",
  beforeInvoice: "इस ऑर्डर का इनवॉइस अभी जारी नहीं हुआ है, इसलिए आप इसे अब भी बदल सकते हैं।",
  onProforma: "आपके पास पहले से मौजूद प्रोफ़ॉर्मा इनवॉइस नहीं बदलेगा।",
  save: "सेव करें",
  saved: "सेव हो गया। इनवॉइस पर यही दिखेगा।",
  invoiced: "इस ऑर्डर का इनवॉइस जारी हो चुका है, इसलिए आप इसे यहाँ नहीं बदल सकते। इसके बजाय इनवॉइस में सुधार करें।",
  back: "ऑर्डर पर वापस जाएँ",
};
