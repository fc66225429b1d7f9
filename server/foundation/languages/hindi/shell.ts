/** The same in Hindi. */
import type { shell as english } from "../english/shell.ts";
import type { MessagesOf } from "../messages.ts";

export const shell: MessagesOf<typeof english> = {
  skip: "मुख्य कॉन्टेंट पर जाएँ",
  home: "होम",
  country: "देश: ",
  account: "अकाउंट",
  logIn: "साइन इन",
  logOut: "साइन आउट",
  close: "बंद करें",
  copy: "कॉपी करें",
  copyNamed: "{label}: कॉपी करें",
  copied: "कॉपी हो गया",
  copyByHand: "टेक्स्ट चुनकर कॉपी करें",
};
