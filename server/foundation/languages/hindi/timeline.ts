/** The same in Hindi. */
import type { timeline as english } from "../english/timeline.ts";
import type { MessagesOf } from "../messages.ts";

export const timeline: MessagesOf<typeof english> = {
  label: "आपके ऑर्डर का अब तक का ब्योरा",
  paid: "पेमेंट हुआ",
  account: "अकाउंट बना",
  ready: "लाइसेंस तैयार",
  mailed: "आपको ईमेल किया गया",
  paidNow: "आपके पेमेंट की पुष्टि हो रही है…",
  accountNow: "आपका अकाउंट बन रहा है…",
  readyNow: "आपके लाइसेंस तैयार हो रहे हैं…",
  mailedNow: "आपको ईमेल भेजा जा रहा है…",
  paidNext: "पेमेंट",
  accountNext: "आपका अकाउंट",
  readyNext: "आपके लाइसेंस",
  mailedNext: "आपको ईमेल",
  credited: "{amount} का रिफ़ंड: क्रेडिट नोट {number}",
  done: "हो गया",
  now: "जारी है",
};
