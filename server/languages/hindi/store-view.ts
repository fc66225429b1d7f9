/** The same in Hindi. */
import type { storeView as english } from "../english/store-view.ts";
import type { MessagesOf } from "../messages.ts";

export const storeView: MessagesOf<typeof english> = {
  label: "सिर्फ़ देखने के लिए",
  asMember:
    "आप स्टोर वैसे देख रहे हैं जैसे {company} के <strong>{email}</strong> उसे देखते हैं, {until} तक। कुछ भी बदला नहीं जा सकता।",
  end: "देखना बंद करें",
  readOnly: "यहाँ स्टोर सिर्फ़ देखा जा सकता है, जैसे ग्राहक उसे देखता है। कुछ भी नहीं बदला गया।",
  over: "ग्राहक की नज़र से स्टोर देखने का समय पूरा हो गया। कुछ भी नहीं बदला गया। ज़रूरत हो, तो डेस्क पर फिर से खोलें।",
  noSignInDetails: "साइन-इन की जानकारी सिर्फ़ ग्राहक को दिखती है, यहाँ कभी नहीं।",
};
