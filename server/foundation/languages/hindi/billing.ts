/** The same in Hindi. */
import type { billing as english } from "../english/billing.ts";
import type { MessagesOf } from "../messages.ts";

export const billing: MessagesOf<typeof english> = {
  title: "बिलिंग संपर्क",
  hint: "जैसे आपके अकाउंटेंट। हम पहले हर व्यक्ति से पूछते हैं, और वे कभी भी मना कर सकते हैं।",
  none: "अभी कोई बिलिंग संपर्क नहीं है।",
  email: "ईमेल",
  gets: "भेजे जाने वाले दस्तावेज़",
  invoices: "इनवॉइस और क्रेडिट नोट (PDF)",
  proformas: "प्रोफ़ॉर्मा इनवॉइस (PDF)",
  both: "इनवॉइस, क्रेडिट नोट और प्रोफ़ॉर्मा इनवॉइस",
  invoicesOnly: "इनवॉइस और क्रेडिट नोट",
  proformasOnly: "प्रोफ़ॉर्मा इनवॉइस",
  confirmed: "स्वीकार किया",
  asked: "अभी स्वीकार नहीं किया। दोबारा भेजने के लिए वही ईमेल फिर से जोड़ें।",
  chooseWhat: "कम से कम एक तरह का दस्तावेज़ चुनें।",
  tooMany: "ज़्यादा से ज़्यादा {count} बिलिंग संपर्क हो सकते हैं। पहले किसी एक को हटाएँ।",
  add: "जोड़ें",
  addHint: "किसी को मिलने वाले दस्तावेज़ बदलने या उनसे फिर से पूछने के लिए वही ईमेल दोबारा जोड़ें।",
  remove: "हटाएँ<hidden>: {email}</hidden>",
  removed: "{email} को अब कॉपी नहीं मिलेगी।",
  questionSent: "हमने {email} से ईमेल पर पूछा है कि क्या वे ये दस्तावेज़ पाना चाहते हैं।",
  changed: "{email} के दस्तावेज़ अपडेट हो गए।",
  copies: "हम इनवॉइस की कॉपी इन्हें भी भेजेंगे: {emails}।",

  linkTitle: "{company} के दस्तावेज़",
  linkAsks:
    "{company} चाहती है कि हम उसके दस्तावेज़ों की कॉपी {email} पर भी भेजें: {what}। हम इन्हें आपकी सहमति के बाद ही भेजेंगे।",
  linkGets: "हम {company} के ये दस्तावेज़ {email} पर भेजते हैं: {what}।",
  agree: "मुझे भेजें",
  stop: "मुझे दस्तावेज़ न भेजें",
  agreed: "धन्यवाद। अब से आपको ये दस्तावेज़ मिलेंगे।",
  stopped: "अब आपको {company} के दस्तावेज़ नहीं मिलेंगे।",
  deadTitle: "यह लिंक अब काम नहीं करता",
  dead: "दस्तावेज़ आना बंद करने के लिए सबसे नए ईमेल में दिया गया लिंक इस्तेमाल करें।",

  askSubject: "कृपया पुष्टि करें: {company} के बिलिंग दस्तावेज़",
  askPreheader: "आपकी सहमति के बिना हम कुछ नहीं भेजेंगे।",
  askWhat: "{company} हमसे लाइसेंस ख़रीदती है और चाहती है कि उसके दस्तावेज़ों की कॉपी आपको भी मिले: {what}।",
  askHow: "अगर आपको ये नहीं चाहिए, तो इस ईमेल को अनदेखा करें।",
  answer: "अनुरोध देखें",
  copySubject: "{title} {number}, {company}",
  copyPreheader: "दस्तावेज़ PDF में अटैच है।",
  copyWhat: "{company} का एक दस्तावेज़ अटैच है: {title} {number}, {total}।",
  copyStop: "ये ईमेल बंद करें",
};
