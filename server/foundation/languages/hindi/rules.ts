/** The same in Hindi. */
import type { rules as english } from "../english/rules.ts";
import type { MessagesOf } from "../messages.ts";

export const rules: MessagesOf<typeof english> = {
  title: "ऑर्डर की मंज़ूरी के नियम",
  intro: "कोई अप्रूवर या दूसरा ओनर ईमेल किए गए लिंक से मंज़ूरी देता है। ऑर्डर बदलने पर फिर से मंज़ूरी चाहिए।",
  approvalAbove: "इस राशि से ज़्यादा के ऑर्डर को मंज़ूरी चाहिए ({currency})",
  approvalAboveHint: "कोई सीमा न हो तो ख़ाली छोड़ें।",
  includesOwners: "ओनर के ऑर्डर को भी मंज़ूरी चाहिए",
  save: "नियम सेव करें",
  saved: "नियम सेव हो गए।",
  anAmount: "राशि डालें, जैसे 50000 या 50000.50।",
  noneAbove: "किसी भी राशि के ऑर्डर बिना मंज़ूरी के किए जा सकते हैं।",
  above: "{most} से ज़्यादा के ऑर्डर को मंज़ूरी चाहिए।",
  aboveAndOwners: "{most} से ज़्यादा के ऑर्डर को मंज़ूरी चाहिए, ओनर के ऑर्डर को भी।",

  limits: "सीमाएँ<hidden>: {name}</hidden>",
  perOrder: "प्रति ऑर्डर सीमा ({currency})",
  perMonth: "प्रति माह सीमा ({currency})",
  limitsHint: "इन सीमाओं से ज़्यादा के ऑर्डर को मंज़ूरी चाहिए। कोई सीमा न हो तो ख़ाली छोड़ें।",
  saveLimits: "सेव करें<hidden>: {name} की सीमाएँ</hidden>",
  limitsSaved: "सीमाएँ सेव हो गईं।",

  aboveAmount: "आपकी कंपनी के {most} से ज़्यादा के ऑर्डर को पहले मंज़ूरी चाहिए।",
  abovePerOrder: "यह ऑर्डर ख़रीदार की {most} प्रति ऑर्डर की सीमा से ज़्यादा है, इसलिए पहले मंज़ूरी चाहिए।",
  abovePerMonth:
    "इस महीने {ordered} के ऑर्डर हो चुके हैं, इसलिए यह ऑर्डर ख़रीदार की {most} प्रति माह की सीमा से ज़्यादा है और इसे पहले मंज़ूरी चाहिए।",
  otherCurrency: "आपकी कंपनी के नियम {currency} में हैं और यह ऑर्डर नहीं है, इसलिए इसे पहले मंज़ूरी चाहिए।",
  ask: "मंज़ूरी माँगें",
  whoCounts: "आपकी कंपनी के लिए {approvers} मंज़ूरी दे सकते हैं।",
  nobodyCounts: "आपकी कंपनी के लिए अभी कोई मंज़ूरी नहीं दे सकता। किसी ओनर से कहें कि वे किसी को अप्रूवर बनाएँ।",
};
