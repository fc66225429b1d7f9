/** The same in Hindi. */
import type { members as english } from "../english/members.ts";
import type { MessagesOf } from "../messages.ts";

export const members: MessagesOf<typeof english> = {
  title: "सदस्य",
  heading: "{company} के सदस्य",
  noCompany: "आप अभी किसी कंपनी के सदस्य नहीं हैं। आपकी कंपनी हम आपके पहले ऑर्डर के साथ सेट अप करेंगे।",
  explore: "सेवाएँ देखें",
  whoMay: "ओनर ऑर्डर करते हैं और सदस्यों को मैनेज करते हैं। ख़रीदार ऑर्डर करते हैं। अप्रूवर उन्हें मंज़ूरी देते हैं। व्यूअर सिर्फ़ देख सकते हैं।",

  role: "भूमिका",
  viewer: "व्यूअर",
  approver: "अप्रूवर",
  buyer: "ख़रीदार",
  owner: "ओनर",
  you: "(आप)",
  roleOf: "{name} की भूमिका",
  save: "सेव करें<hidden>: {name} की भूमिका</hidden>",
  remove: "हटाएँ<hidden>: {name}</hidden>…",
  youNoLonger: "अब आपको कंपनी के सब्सक्रिप्शन और ऑर्डर नहीं दिखेंगे।",
  theyNoLonger: "अब {name} को कंपनी के सब्सक्रिप्शन और ऑर्डर नहीं दिखेंगे।",
  removeYourself: "ख़ुद को हटाएँ",
  removeNamed: "{name} को हटाएँ",
  roleChanged: "भूमिका बदल दी गई।",
  removed: "सदस्य को हटा दिया गया।",

  invited: "न्योता भेजा गया",
  invitedAs:
    "{role, select, owner {ओनर} buyer {ख़रीदार} approver {अप्रूवर} other {व्यूअर}} के रूप में, <date>{date}</date> तक",
  withdraw: "वापस लें<hidden>: {email} को भेजा गया न्योता</hidden>",
  withdrawn: "न्योता वापस ले लिया गया।",
  invite: "सदस्य को न्योता भेजें",
  email: "ईमेल",
  inviteHint: "उन्हें एक लिंक मिलेगा, जो एक ही बार काम करेगा और 7 दिन में एक्सपायर हो जाएगा।",
  send: "न्योता भेजें",
  onItsWay: "{email} को न्योता भेजा जा रहा है।",
  confirmToInvite: "लोगों को न्योता भेजने और उनकी भूमिका तय करने के लिए अपने ईमेल की पुष्टि करें।",

  twoStep: "टू-स्टेप साइन-इन",
  twoStepLead:
    "{count, plural, one {{all} में से # सदस्य ने} other {{all} में से # सदस्यों ने}} टू-स्टेप साइन-इन सेट अप किया है। इसे ज़रूरी करने पर बाक़ी सदस्यों को कंपनी की कोई भी चीज़ खोलने से पहले इसे सेट अप करना होगा। हम सभी सदस्यों को ईमेल करेंगे।",
  twoStepRequired:
    "सभी सदस्यों के लिए टू-स्टेप साइन-इन ज़रूरी है। {count, plural, one {{all} में से # सदस्य ने} other {{all} में से # सदस्यों ने}} इसे सेट अप किया है।",
  twoStepOwnFirst: "इसे ज़रूरी करने के लिए पहले <link>अपने लिए सेट अप करें</link>।",
  requireTwoStep: "सभी सदस्यों के लिए ज़रूरी करें",
  twoStepOptional: "वैकल्पिक करें",
  twoStepIsRequired: "टू-स्टेप साइन-इन अब ज़रूरी है। हम सभी सदस्यों को ईमेल कर रहे हैं।",
  twoStepIsOptional: "टू-स्टेप साइन-इन अब वैकल्पिक है। हम सभी सदस्यों को ईमेल कर रहे हैं।",

  yourInvitation: "आपका न्योता",
  join: "{company} में शामिल हों",
  invitedBy:
    "{inviter} ने आपको {role, select, owner {ओनर} buyer {ख़रीदार} approver {अप्रूवर} other {व्यूअर}} के रूप में शामिल होने का न्योता भेजा है।",
  invitedBySomebody:
    "किसी ने आपको {role, select, owner {ओनर} buyer {ख़रीदार} approver {अप्रूवर} other {व्यूअर}} के रूप में शामिल होने का न्योता भेजा है।",
  logInToJoin: "<email>{email}</email> का अकाउंट पहले से है। न्योता स्वीकार करने के लिए साइन इन करें।",
  logIn: "साइन इन करें",
  signedInAs: "आप <email>{email}</email> के रूप में साइन इन हैं।",
  firstName: "नाम",
  lastName: "उपनाम",
  password: "पासवर्ड",
  passwordHint: "कम से कम 8 अक्षर",
  welcome:
    "{company} में आपका स्वागत है। आप {role, select, owner {ओनर} buyer {ख़रीदार} approver {अप्रूवर} other {व्यूअर}} के रूप में शामिल हुए हैं।",
  otherTitle: "यह न्योता किसी और के लिए है",
  otherAddress:
    "आप <email>{email}</email> के रूप में साइन इन हैं, पर न्योता किसी दूसरे पते पर भेजा गया था। अगर वह भी आपका है, तो साइन आउट करके लिंक फिर से खोलें।",
  logOut: "साइन आउट करें",
  overTitle: "यह न्योता अब काम नहीं करता",
  overWhy:
    "यह इस्तेमाल हो चुका है या वापस ले लिया गया है, 7 दिन से ज़्यादा पुराना है, या लिंक अधूरा है। कंपनी के किसी ओनर से दूसरा न्योता भेजने को कहें।",
  joinedAlready: "पहले ही शामिल हो चुके हैं? उस ईमेल से साइन इन करें जिस पर न्योता आया था।",
  toShop: "स्टोर पर जाएँ",

  ownersOnly: "यह सिर्फ़ {company} के ओनर कर सकते हैं।",
  buyersOnly: "यह सिर्फ़ {company} के ओनर या ख़रीदार कर सकते हैं।",
  ownerNeeded: "कंपनी में एक ओनर होना ज़रूरी है। पहले किसी और को ओनर बनाएँ।",
  memberAlready:
    "{email} पहले से सदस्य हैं, {role, select, owner {ओनर} buyer {ख़रीदार} approver {अप्रूवर} other {व्यूअर}} के रूप में।",
  inviteOver: "यह न्योता अब काम नहीं करता: यह इस्तेमाल हो चुका है या वापस ले लिया गया है, या 7 दिन से ज़्यादा पुराना है।",
  inviteOfAnother: "यह न्योता किसी और के लिए है।",
};
