/** The same in Hindi. */
import type { shell as english } from "../english/shell.ts";
import type { MessagesOf } from "../messages.ts";

export const shell: MessagesOf<typeof english> = {
  skip: "सामग्री पर जाएँ",
  home: "होम",
  country: "देश: ",
  account: "खाता",
  logIn: "लॉग इन",
  logOut: "लॉग आउट",
  close: "बंद करें",
  copy: "कॉपी करें",
  copyNamed: "{label}: कॉपी करें",
  copied: "कॉपी हो गया",
  copyByHand: "इसे चुनकर ख़ुद कॉपी करें",
};
