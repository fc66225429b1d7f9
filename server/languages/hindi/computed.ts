/** The same in Hindi. */
import type { computed as english } from "../english/computed.ts";
import type { MessagesOf } from "../messages.ts";

export const computed: MessagesOf<typeof english> = {
  title: "यह राशि कैसे बनी",
  aYear: "एक साल",
  aMonth: "एक महीने",
  listNumbered: "{name} का एक लाइसेंस {period} के लिए {price} का है: मूल्य सूची {list}, जो {date} से लागू है।",
  listSince: "{name} का एक लाइसेंस {period} के लिए {price} का है: {date} से लागू मूल्य सूची के अनुसार।",
  firstList: "{name} का एक लाइसेंस {period} के लिए {price} का है: हमारी पहली मूल्य सूची के अनुसार।",
  days: "आप अवधि के {all} में से {left} दिनों का भुगतान करते हैं: {full} × {left} ÷ {all} = {price}{rounded}।",
  daysAlone: "आप अवधि के {all} में से {left} दिनों का भुगतान करते हैं, यानी हर लाइसेंस के {price}।",
  rounded: ", दो दशमलव तक पूर्णांकित",
  line: "{licences} × {price} = {amount}।",
  subtotal: "कुल मिलाकर {amount}।",
  tax: "{name}, {of} का {rate}%, {amount} है{rounded}।{why}",
  whySame: " आपूर्ति का स्थान {place} है, वही राज्य जहाँ से हम आपूर्ति करते हैं।",
  whyOther: " आपूर्ति का स्थान {place} है, वह राज्य नहीं जहाँ से हम आपूर्ति करते हैं।",
  whyExport: " यह निर्यात है, जो राज्यों के बीच की आपूर्ति माना जाता है।",
  whyZone: " आपकी कंपनी विशेष आर्थिक क्षेत्र में है, जो राज्यों के बीच की आपूर्ति मानी जाती है।",
  noTax: "कोई टैक्स नहीं जोड़ा गया।",
  rounding: "{before} को {amount} से पूर्णांकित किया गया।",
  total: "कुल {amount}।",
};
