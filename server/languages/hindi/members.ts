/** The same in Hindi. */
import type { members as english } from "../english/members.ts";
import type { MessagesOf } from "../messages.ts";

export const members: MessagesOf<typeof english> = {
  title: "सदस्य",
  heading: "{company} के सदस्य",
  noCompany: "आप अभी किसी कंपनी के सदस्य नहीं हैं। आपकी कंपनी आपके पहले ऑर्डर के साथ बनती है।",
  explore: "सेवाएँ देखें",
  whoMay: "ओनर ऑर्डर करते हैं और सदस्यों को सँभालते हैं। ख़रीदार ऑर्डर करते हैं। अनुमोदक उन्हें मंज़ूरी देते हैं। दर्शक सिर्फ़ देख सकते हैं।",

  role: "भूमिका",
  viewer: "दर्शक",
  approver: "अनुमोदक",
  buyer: "ख़रीदार",
  owner: "ओनर",
  you: "(आप)",
  roleOf: "{name} की भूमिका",
  save: "सहेजें<hidden>: {name} की भूमिका</hidden>",
  remove: "हटाएँ<hidden>: {name}</hidden>…",
  youNoLonger: "अब आपको कंपनी के सब्सक्रिप्शन और ऑर्डर नहीं दिखेंगे।",
  theyNoLonger: "अब {name} को कंपनी के सब्सक्रिप्शन और ऑर्डर नहीं दिखेंगे।",
  removeYourself: "ख़ुद को हटाएँ",
  removeNamed: "{name} को हटाएँ",
  roleChanged: "भूमिका बदल दी गई।",
  removed: "सदस्य को हटा दिया गया।",

  invited: "जिन्हें बुलाया गया है",
  invitedAs:
    "{role, select, owner {ओनर} buyer {ख़रीदार} approver {अनुमोदक} other {दर्शक}} के रूप में, <date>{date}</date> तक",
  withdraw: "वापस लें<hidden>: {email} का न्योता</hidden>",
  withdrawn: "न्योता वापस ले लिया गया।",
  invite: "किसी को बुलाएँ",
  email: "ईमेल",
  inviteHint: "उन्हें एक लिंक मिलता है, जो एक बार, 7 दिन तक काम करता है।",
  send: "न्योता भेजें",
  onItsWay: "{email} का न्योता भेजा जा रहा है।",
  confirmToInvite: "अपने ईमेल की पुष्टि करें, फिर आप यहाँ लोगों को बुला सकते हैं और बता सकते हैं कि वे क्या कर सकते हैं।",

  twoStep: "दो चरणों में साइन इन",
  twoStepLead:
    "{count, plural, one {{all} में से # सदस्य ने} other {{all} में से # सदस्यों ने}} दो चरणों में साइन इन चालू किया है। इसे ज़रूरी करेंगे, तो बाकी सदस्य इसे चालू करेंगे, तभी कंपनी का कुछ उनके लिए खुलेगा। सभी सदस्यों को ईमेल से बताया जाता है।",
  twoStepRequired:
    "कंपनी के सभी सदस्यों के लिए दो चरणों में साइन इन ज़रूरी है। {count, plural, one {{all} में से # सदस्य ने} other {{all} में से # सदस्यों ने}} इसे चालू किया है।",
  twoStepOwnFirst: "इसे ज़रूरी करने के लिए पहले <link>अपने लिए चालू करें</link>।",
  requireTwoStep: "सबके लिए ज़रूरी करें",
  twoStepOptional: "हर सदस्य की मर्ज़ी पर छोड़ें",
  twoStepIsRequired: "दो चरणों में साइन इन अब ज़रूरी है। सभी सदस्यों को ईमेल से बताया जाता है।",
  twoStepIsOptional: "दो चरणों में साइन इन अब हर सदस्य की मर्ज़ी पर है। सभी सदस्यों को ईमेल से बताया जाता है।",

  yourInvitation: "आपका न्योता",
  join: "{company} में शामिल हों",
  invitedBy:
    "{inviter} ने आपको {role, select, owner {ओनर} buyer {ख़रीदार} approver {अनुमोदक} other {दर्शक}} के रूप में शामिल होने के लिए बुलाया है।",
  invitedBySomebody:
    "किसी ने आपको {role, select, owner {ओनर} buyer {ख़रीदार} approver {अनुमोदक} other {दर्शक}} के रूप में शामिल होने के लिए बुलाया है।",
  logInToJoin: "<email>{email}</email> का अकाउंट पहले से है। उससे लॉग इन करें, आप यहीं लौट आएँगे।",
  logIn: "लॉग इन करें",
  signedInAs: "आप <email>{email}</email> के रूप में साइन इन हैं।",
  firstName: "नाम",
  lastName: "उपनाम",
  password: "पासवर्ड",
  passwordHint: "कम से कम 8 अक्षर",
  welcome:
    "{company} में आपका स्वागत है। आप {role, select, owner {ओनर} buyer {ख़रीदार} approver {अनुमोदक} other {दर्शक}} के रूप में शामिल हुए हैं।",
  otherTitle: "यह न्योता किसी और के लिए है",
  otherAddress:
    "आप <email>{email}</email> के रूप में साइन इन हैं, और यह किसी दूसरे पते पर भेजा गया था। अगर वह भी आपका है, तो लॉग आउट करके लिंक फिर से खोलें।",
  logOut: "लॉग आउट करें",
  overTitle: "यह न्योता अब काम नहीं करता",
  overWhy:
    "यह इस्तेमाल हो चुका है, वापस ले लिया गया है, या सात दिन से पुराना है; या लिंक का कोई हिस्सा छूट गया है। कंपनी के किसी ओनर से दूसरा न्योता भेजने को कहें।",
  joinedAlready: "क्या आप पहले ही शामिल हो चुके हैं? तो उस ईमेल से लॉग इन करें जिस पर न्योता आया था।",
  toShop: "स्टोर पर जाएँ",

  ownersOnly: "यह सिर्फ़ {company} के ओनर कर सकते हैं।",
  buyersOnly: "यह सिर्फ़ {company} के ओनर या ख़रीदार कर सकते हैं।",
  ownerNeeded: "कंपनी में एक ओनर होना ज़रूरी है। पहले किसी और को ओनर बनाएँ।",
  memberAlready:
    "{email} पहले से सदस्य हैं, {role, select, owner {ओनर} buyer {ख़रीदार} approver {अनुमोदक} other {दर्शक}} के रूप में।",
  inviteOver: "यह न्योता अब काम नहीं करता: यह इस्तेमाल हो चुका है, वापस ले लिया गया है, या सात दिन से पुराना है।",
  inviteOfAnother: "यह न्योता किसी और के लिए है।",
};
