/** The same in Hindi. */
import type { microsoftSignup as english } from "../english/microsoft-signup.ts";
import type { MessagesOf } from "../messages.ts";

export const microsoftSignup: MessagesOf<typeof english> = {
  title: "Microsoft साइन-इन",
  nothing: "आपसे कुछ नहीं पूछना है।",
  nothingWhy:
    "Microsoft प्लान का भुगतान करने के बाद हम पूछते हैं कि वह किस Microsoft अकाउंट में जाए। जिस ऑर्डर के लिए आपका जवाब बाकी हो, वह इस पेज पर दिखता है।",
  waiting:
    "{count, plural, one {एक ऑर्डर का भुगतान हो चुका है, बस यह बताना बाकी है कि वह किस Microsoft अकाउंट में जाए।} other {{count} ऑर्डर का भुगतान हो चुका है, बस यह बताना बाकी है कि वे किस Microsoft अकाउंट में जाएँ।}}",
  goOn: "आगे बढ़ें<hidden>: {name}</hidden>",
  asked: "आपसे पूछा जाएगा कि इनमें से क्या सही है",
  haveNone:
    "“मेरा कोई Microsoft अकाउंट नहीं है, और मैं Power BI, 365, Azure जैसी किसी Microsoft सेवा का इस्तेमाल नहीं करता/करती।” तब हम एक अकाउंट बनाते हैं: आप यूज़रनेम और @onmicrosoft.com पर ख़त्म होने वाला डोमेन नाम चुनते हैं।",
  haveOne:
    "“मेरा Microsoft अकाउंट है और मैं यह सब्सक्रिप्शन उसी में जोड़ना चाहता/चाहती हूँ।” तब आप उसका यूज़रनेम देते हैं और वहाँ एक बार हमें स्वीकार करते हैं।",
};
