/** The same in Hindi. */
import type { storeView as english } from "../english/store-view.ts";
import type { MessagesOf } from "../messages.ts";

export const storeView: MessagesOf<typeof english> = {
  label: "सिर्फ़ देखने के लिए",
  asMember: "आप {until} तक स्टोर को {company} के <strong>{email}</strong> के रूप में देख रहे हैं। आप कुछ बदल नहीं सकते।",
  end: "देखना बंद करें",
  readOnly: "यह स्टोर का सिर्फ़ देखने वाला (read-only) व्यू है, जैसा ग्राहक को दिखता है। कुछ भी नहीं बदला गया।",
  over: "ग्राहक के रूप में स्टोर देखने का समय ख़त्म हो गया। कुछ भी नहीं बदला गया। ज़रूरत हो तो Desk में नया व्यू शुरू करें।",
  noSignInDetails: "साइन-इन जानकारी सिर्फ़ ग्राहक को दिखती है, इस व्यू में कभी नहीं।",
};
