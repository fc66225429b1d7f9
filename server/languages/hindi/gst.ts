/** The same in Hindi. */
import type { gst as english } from "../english/gst.ts";
import type { MessagesOf } from "../messages.ts";

export const gst: MessagesOf<typeof english> = {
  notFound: "यह GST नंबर नहीं मिला। कृपया इसे जाँच लें, या विवरण ख़ुद भरें।",
  notActive: "यह GST पंजीकरण सक्रिय नहीं है (स्थिति: {status})। सिर्फ़ सक्रिय पंजीकरण इस्तेमाल किया जा सकता है।",
  doubtfulStatus:
    "टैक्स रजिस्टर के अनुसार यह GST पंजीकरण सक्रिय नहीं है (स्थिति: {status})। कृपया नंबर जाँच लें: इससे आप टैक्स का क्रेडिट नहीं ले सकते।",
  doubtfulName: "टैक्स रजिस्टर में यह GST नंबर दूसरे नाम से दर्ज है: {registered}। कृपया जाँच लें कि यह आपकी कंपनी का ही है।",
  unavailable: "HTTP error! status: {status}। GST रजिस्टर जवाब नहीं दे रहा है; आप विवरण ख़ुद भर सकते हैं।",
};
