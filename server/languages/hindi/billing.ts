/** The same in Hindi. */
import type { billing as english } from "../english/billing.ts";
import type { MessagesOf } from "../messages.ts";

export const billing: MessagesOf<typeof english> = {
  title: "आपके दस्तावेज़ों की प्रति किसे मिलती है",
  hint: "जैसे आपके अकाउंटेंट को। हम पहले हर एक से पूछते हैं, और वे इसे कभी भी बंद कर सकते हैं।",
  none: "अभी कोई नहीं।",
  email: "ईमेल",
  gets: "उन्हें क्या मिलता है",
  invoices: "इनवॉइस और क्रेडिट नोट, PDF में",
  proformas: "प्रोफ़ॉर्मा, PDF में",
  both: "इनवॉइस, क्रेडिट नोट और प्रोफ़ॉर्मा",
  invoicesOnly: "इनवॉइस और क्रेडिट नोट",
  proformasOnly: "प्रोफ़ॉर्मा",
  confirmed: "सहमति दे दी है",
  asked: "पूछा गया है, जवाब अभी नहीं आया",
  chooseWhat: "कृपया कम से कम एक तरह का दस्तावेज़ चुनें।",
  tooMany: "एक कंपनी के ज़्यादा से ज़्यादा {count} हो सकते हैं। पहले किसी को हटाएँ।",
  add: "जोड़ें",
  addHint: "किसी को क्या मिलता है यह बदलने या फिर से पूछने के लिए वही ईमेल दोबारा जोड़ें।",
  remove: "हटाएँ<hidden>: {email}</hidden>",
  removed: "{email} को अब प्रतियाँ नहीं मिलेंगी।",
  questionSent: "हमने {email} को ईमेल करके पूछा है कि क्या वे ये दस्तावेज़ चाहते हैं।",
  changed: "{email} को क्या मिलता है, यह बदल दिया गया।",
  copies: "इनवॉइस की प्रति इन्हें भी जाती है: {emails}।",

  linkTitle: "{company} के दस्तावेज़",
  linkAsks:
    "{company} चाहती है कि उसके दस्तावेज़ हमारी ओर से {email} को भी मिलें: {what}। आपकी सहमति के बिना कुछ नहीं भेजा जाता।",
  linkGets: "{email} को {company} के ये दस्तावेज़ हमारी ओर से मिलते हैं: {what}।",
  agree: "मुझे भेजें",
  stop: "मुझे कुछ न भेजें",
  agreed: "धन्यवाद। अब से आपको ये दस्तावेज़ मिलेंगे।",
  stopped: "अब आपको {company} के दस्तावेज़ नहीं मिलेंगे।",
  deadTitle: "यह लिंक अब काम नहीं करता",
  dead: "अगर आपको अब भी अनचाहे दस्तावेज़ मिलते हैं, तो सबसे नए ईमेल का लिंक इस्तेमाल करें।",

  askSubject: "क्या हम आपको {company} के दस्तावेज़ भेजें?",
  askPreheader: "आपकी सहमति के बिना कुछ नहीं भेजा जाता।",
  askWhat: "{company} हमसे लाइसेंस ख़रीदती है और चाहती है कि उसके दस्तावेज़ों की प्रति आपको मिले: {what}।",
  askHow: "अगर आप सहमत नहीं हैं, तो कुछ करने की ज़रूरत नहीं है।",
  answer: "जवाब दें",
  copySubject: "{title} {number}, {company}",
  copyPreheader: "दस्तावेज़ PDF में साथ है।",
  copyWhat: "{company} का एक दस्तावेज़ साथ है: {title} {number}, {total}।",
  copyStop: "ये ईमेल बंद करें",
};
