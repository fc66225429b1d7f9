/** The same in Hindi. */
import type { computed as english } from "../english/computed.ts";
import type { MessagesOf } from "../messages.ts";

export const computed: MessagesOf<typeof english> = {
  title: "इसका हिसाब कैसे हुआ",
  aYear: "प्रति वर्ष",
  aMonth: "प्रति माह",
  listNumbered: "{name} के एक लाइसेंस की क़ीमत {price} {period} है (प्राइस लिस्ट {list}, {date} से लागू)।",
  listSince: "{name} के एक लाइसेंस की क़ीमत {price} {period} है ({date} से लागू प्राइस लिस्ट)।",
  firstList: "{name} के एक लाइसेंस की क़ीमत {price} {period} है (हमारी पहली प्राइस लिस्ट)।",
  days: "आपको अवधि के {all} में से {left} दिनों का पेमेंट करना है: {full} × {left} ÷ {all} = {price}{rounded}।",
  daysAlone: "आपको अवधि के {all} में से {left} दिनों का पेमेंट करना है, यानी प्रति लाइसेंस {price}।",
  rounded: ", दो दशमलव तक राउंड ऑफ़",
  line: "{licences} × {price} = {amount}।",
  subtotal: "सबटोटल: {amount}।",
  tax: "{name}, {of} का {rate}%: {amount}{rounded}।{why}",
  whySame: " सप्लाई का स्थान (Place of supply) {place} है, वही राज्य जहाँ से हम सप्लाई करते हैं।",
  whyOther: " सप्लाई का स्थान (Place of supply) {place} है, जो उस राज्य से अलग है जहाँ से हम सप्लाई करते हैं।",
  whyExport: " यह निर्यात (export) है, जिसे अंतर-राज्यीय सप्लाई माना जाता है।",
  whyZone: " आपकी कंपनी विशेष आर्थिक क्षेत्र (SEZ) में है, इसलिए इसे अंतर-राज्यीय सप्लाई माना जाता है।",
  noTax: "कोई टैक्स नहीं जोड़ा गया।",
  rounding: "{before} को {amount} से राउंड ऑफ़ किया गया।",
  total: "कुल राशि {amount} है।",
};
