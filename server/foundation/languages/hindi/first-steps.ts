/** What a buyer does at the vendor when a new account is ready. The vendors' menus stand in the families, in the vendors' words. */
import type { firstSteps as english } from "../english/first-steps.ts";
import type { MessagesOf } from "../messages.ts";

export const firstSteps: MessagesOf<typeof english> = {
  microsoftSignIn: "एडमिन सेंटर में साइन इन करें",
  microsoftSignInText:
    "Microsoft के साइन-इन पेज पर ऊपर दिया गया यूज़रनेम और पासवर्ड डालें। फिर आपको नया पासवर्ड चुनना होगा और अपनी पहचान की पुष्टि के लिए कोई ऐप या फ़ोन नंबर सेट करना होगा।",
  microsoftPeople: "यूज़र जोड़ें",
  microsoftPeopleText:
    "सूची में एक ही यूज़र है, एडमिन। हर नए यूज़र का नाम और ईमेल पता डालें और {plan} चुनें। कई यूज़र एक साथ जोड़ने के लिए “Add multiple users” इस्तेमाल करें।",
  microsoftDomain: "अपना डोमेन कनेक्ट करें",
  microsoftDomainText:
    "तब तक ईमेल पतों के अंत में {domain} रहेगा। अपना डोमेन डालें; Microsoft वे DNS रिकॉर्ड दिखाएगा जिन्हें आपको वहाँ जोड़ना है जहाँ से डोमेन ख़रीदा था।",
  googleSignIn: "एडमिन कंसोल में साइन इन करें",
  googleSignInText:
    "Google के साइन-इन पेज पर ऊपर दिया गया यूज़रनेम और पासवर्ड डालें। इसके बाद Google की शर्तों वाला स्वागत पेज दिखेगा।",
  googlePeople: "यूज़र जोड़ें",
  googlePeopleText:
    "सूची में एक ही यूज़र है, एडमिन। हर नए यूज़र का नाम और ईमेल पता डालें। कई यूज़र एक साथ जोड़ने के लिए “Bulk update users” इस्तेमाल करें।",
  googleDomain: "अपना डोमेन कनेक्ट करें",
  googleDomainText:
    "कंसोल आपको दो DNS रिकॉर्ड बताएगा, जिन्हें वहाँ जोड़ना है जहाँ से आपने {domain} ख़रीदा था: एक से साबित होता है कि डोमेन आपका है, दूसरे से उसके ईमेल Gmail में आते हैं।",
  brioSignIn: "brio में साइन इन करें",
  brioSignInText: "brio के साइन-इन पेज पर ऊपर दिया गया यूज़रनेम और एक्सेस कोड डालें।",
};
