/** The same in Hindi. */
import type { gst as english } from "../english/gst.ts";
import type { MessagesOf } from "../messages.ts";

export const gst: MessagesOf<typeof english> = {
  notFound: "यह GST नंबर नहीं मिला। कृपया इसे जाँच लें, या जानकारी ख़ुद भरें।",
  notActive: "यह GST रजिस्ट्रेशन चालू नहीं है (स्थिति: {status})। सिर्फ़ चालू (Active) रजिस्ट्रेशन इस्तेमाल किया जा सकता है।",
  doubtfulStatus:
    "टैक्स रजिस्टर के अनुसार यह GST रजिस्ट्रेशन चालू नहीं है (स्थिति: {status}), इसलिए इससे आप टैक्स क्रेडिट नहीं ले सकते। नंबर जाँचें।",
  doubtfulName: "टैक्स रजिस्टर में यह GST नंबर किसी दूसरे नाम पर है: {registered}। जाँच लें कि यह आपकी कंपनी का ही है।",
  unavailable: "HTTP error! status: {status}। GST रजिस्टर से जवाब नहीं मिल रहा है। आप जानकारी ख़ुद भर सकते हैं।",
};
