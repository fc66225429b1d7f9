/** The same in Hindi. */
import type { scripts as english } from "../english/scripts.ts";
import type { MessagesOf } from "../messages.ts";

export const scripts: MessagesOf<typeof english> = {
  offline: "आप ऑफ़लाइन हैं। आपका लिखा हुआ इसी पेज पर है: इसे बंद या रीलोड न करें।",
  offlineReason: "आप ऑफ़लाइन हैं",
  silent: "स्टोर से जवाब नहीं मिल रहा है। आपका लिखा हुआ इसी पेज पर है: इसे बंद या रीलोड न करें।",
  silentReason: "स्टोर से जवाब नहीं मिल रहा है",
  signedIn:
    "आपने किसी दूसरी विंडो में साइन इन किया है। यहाँ लिखा हुआ तब तक रहेगा जब तक आप यह पेज नहीं छोड़ते। <link>साइन इन करके यह पेज देखें</link>",
};
