/** What a buyer does at the vendor when a new account is ready. The vendors' menus stand in the families, in the vendors' words. */
import type { firstSteps as english } from "../english/first-steps.ts";
import type { MessagesOf } from "../messages.ts";

export const firstSteps: MessagesOf<typeof english> = {
  microsoftSignIn: "एडमिन सेंटर में साइन इन करें",
  microsoftSignInText:
    "आपको Microsoft का साइन-इन पेज दिखता है। ऊपर का यूज़रनेम और पासवर्ड डालें। वह आपसे नया पासवर्ड चुनने को कहता है, और पूछता है कि आप अपनी पहचान कैसे साबित करेंगे: किसी ऐप से या फ़ोन नंबर से।",
  microsoftPeople: "अपने लोगों को जोड़ें",
  microsoftPeopleText:
    "सूची में एक ही व्यक्ति है, एडमिनिस्ट्रेटर। बाकी हर व्यक्ति का नाम और पता दें, और {plan} चुनें। कई लोग एक साथ “Add multiple users” से सूची के रूप में जुड़ते हैं।",
  microsoftDomain: "अपना डोमेन जोड़ें",
  microsoftDomainText:
    "तब तक पते {domain} पर ख़त्म होते हैं। आप अपना डोमेन लिखते हैं, और पेज वे एंट्री दिखाता है जो डोमेन ख़रीदने की जगह पर करनी हैं।",
  googleSignIn: "एडमिन कंसोल में साइन इन करें",
  googleSignInText:
    "आपको Google का साइन-इन पेज दिखता है। ऊपर का यूज़रनेम और पासवर्ड डालें। उसके बाद Google की शर्तों के साथ स्वागत पेज आता है।",
  googlePeople: "अपने लोगों को जोड़ें",
  googlePeopleText:
    "सूची में एक ही व्यक्ति है, एडमिनिस्ट्रेटर। बाकी हर व्यक्ति का नाम और पता दें। कई लोग एक साथ “Bulk update users” से सूची के रूप में जुड़ते हैं।",
  googleDomain: "अपना डोमेन जोड़ें",
  googleDomainText:
    "कंसोल आपसे वहाँ दो एंट्री करवाता है जहाँ से आपने {domain} ख़रीदा: एक दिखाती है कि वह आपका है, दूसरी उसकी मेल Gmail में लाती है।",
  brioSignIn: "brio में साइन इन करें",
  brioSignInText: "आपको brio का साइन-इन पेज दिखता है। ऊपर का यूज़रनेम और एक्सेस कोड डालें।",
};
