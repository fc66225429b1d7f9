/** The same in Hindi. */
import type { references as english } from "../english/references.ts";
import type { MessagesOf } from "../messages.ts";

export const references: MessagesOf<typeof english> = {
  title: "आपके हिसाब-किताब के लिए",
  edit: "परचेज़ ऑर्डर नंबर और कॉस्ट सेंटर",
  until: "इसे आप इनवॉइस बनने तक बदल सकते हैं। इनवॉइस भुगतान होते ही बनता है।",
  beforeInvoice: "इस ऑर्डर का इनवॉइस अभी नहीं बना है, इसलिए आप इसे अब भी बदल सकते हैं।",
  onProforma: "जो प्रोफ़ॉर्मा आपके पास है, उसमें वही रहता है जो लिखा है।",
  save: "सहेजें",
  saved: "सहेज लिया गया। इनवॉइस पर यही दिखेगा।",
  invoiced: "इस ऑर्डर का इनवॉइस बन चुका है, इसलिए इसे अब नहीं बदला जा सकता।",
  back: "ऑर्डर पर वापस",
};
