/** The same in Hindi. */
import type { notifications as english } from "../english/notifications.ts";
import type { MessagesOf } from "../messages.ts";

export const notifications: MessagesOf<typeof english> = {
  title: "नोटिफ़िकेशन",
  lead: "चुनें कि हम {email} पर कौन-से ईमेल भेजें।",
  renewals: "रिन्यूअल",
  renewalsHint: "आपकी कंपनी का सब्सक्रिप्शन ख़त्म होने से पहले, और जब तक उसकी नई अवधि कम की जा सकती है।",
  reminders: "रिमाइंडर",
  remindersHint: "जब आप कोई ऑर्डर अधूरा छोड़ते हैं।",
  always: "हमेशा भेजे जाते हैं",
  alwaysHint: "ऑर्डर, पैसों (इनवॉइस, पेमेंट, रिफ़ंड) और अकाउंट की सुरक्षा से जुड़े ईमेल बंद नहीं किए जा सकते।",
  save: "सेव करें",
  saved: "आपकी पसंद सेव हो गई।",

  stopTitle: "ये ईमेल बंद करें?",
  stopRenewals: "हम {email} पर रिन्यूअल के ईमेल भेजना बंद कर देंगे।",
  stopReminders: "हम {email} पर अधूरे ऑर्डर के रिमाइंडर भेजना बंद कर देंगे।",
  endsAnyway: "रिन्यू न करने पर सब्सक्रिप्शन फिर भी ख़त्म होंगे। तारीख़ें “मेरे सब्सक्रिप्शन” में देखें।",
  stop: "अनसब्सक्राइब करें",
  stoppedTitle: "आपने अनसब्सक्राइब कर दिया है",
  stoppedRenewals: "अब हम {email} पर रिन्यूअल के ईमेल नहीं भेजते।",
  stoppedReminders: "अब हम {email} पर अधूरे ऑर्डर के रिमाइंडर नहीं भेजते।",
  again: "फिर से सब्सक्राइब करें",
  others: "ऑर्डर, पैसों और अकाउंट की सुरक्षा से जुड़े ईमेल आते रहेंगे।",
};
