/** The same in Hindi. */
import type { creditNote as english } from "../english/credit-note.ts";
import type { MessagesOf } from "../messages.ts";

export const creditNote: MessagesOf<typeof english> = {
  title: "क्रेडिट नोट",
  number: "क्रेडिट नोट नंबर",
  date: "क्रेडिट नोट की तारीख़",
  invoiceNumber: "मूल इनवॉइस",
  invoiceDate: "मूल इनवॉइस की तारीख़",
  reason: "कारण",
  billedTo: "किसके नाम क्रेडिट",
  total: "कुल क्रेडिट ({currency})",
  noSignature: "यह कंप्यूटर से बना क्रेडिट नोट है और बिना हस्ताक्षर के मान्य है।",
};
