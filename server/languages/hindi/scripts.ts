/** The same in Hindi. */
import type { scripts as english } from "../english/scripts.ts";
import type { MessagesOf } from "../messages.ts";

export const scripts: MessagesOf<typeof english> = {
  offline: "यह डिवाइस ऑफ़लाइन है। आपका लिखा हुआ सब सुरक्षित है: कनेक्शन लौटने पर फिर भेजें।",
  offlineReason: "यह डिवाइस ऑफ़लाइन है",
  silent: "स्टोर से जवाब नहीं मिल रहा है। आपका लिखा हुआ सब सुरक्षित है: एक मिनट बाद फिर भेजें।",
  silentReason: "स्टोर से जवाब नहीं मिल रहा है",
  signedIn:
    "आप किसी दूसरी विंडो में साइन इन हो गए हैं। यहाँ लिखा हुआ तब तक रहेगा जब तक आप यह पेज नहीं छोड़ते। <link>यह पेज साइन इन होकर देखें</link>",
};
