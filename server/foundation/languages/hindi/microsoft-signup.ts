/** The same in Hindi. */
import type { microsoftSignup as english } from "../english/microsoft-signup.ts";
import type { MessagesOf } from "../messages.ts";

export const microsoftSignup: MessagesOf<typeof english> = {
  title: "Microsoft साइन-इन",
  nothingWhy:
    "Microsoft प्लान का पेमेंट करने के बाद हम पूछते हैं कि उसे किस Microsoft अकाउंट में जोड़ना है। जिन ऑर्डर के लिए आपका जवाब बाक़ी है, वे यहाँ दिखेंगे।",
  waiting:
    "{count, plural, one {एक ऑर्डर का पेमेंट हो चुका है। बताएँ कि उसे किस Microsoft अकाउंट में जोड़ना है।} other {{count} ऑर्डर का पेमेंट हो चुका है। हर एक के लिए बताएँ कि उसे किस Microsoft अकाउंट में जोड़ना है।}}",
  goOn: "आगे बढ़ें<hidden>: {name}</hidden>",
  asked: "क्या आपके पास Microsoft 365 अकाउंट है?",
  haveNone: "मेरा कोई Microsoft अकाउंट नहीं है, और न ही Power BI, 365, Azure जैसी कोई Microsoft सेवा इस्तेमाल में है",
  haveNoneHint: "हम एक अकाउंट बनाएँगे: यूज़रनेम और डोमेन नाम चुनें।",
  haveOne: "मेरा Microsoft अकाउंट है और मुझे यह सब्सक्रिप्शन उसी में जोड़ना है",
  haveOneHint: "उसका यूज़रनेम डालें और वहाँ एक बार हमें मंज़ूरी दें।",
  thanks: "आपके ऑर्डर के लिए धन्यवाद। ऑर्डर की पुष्टि हमने आपको ईमेल कर दी है।",
};
