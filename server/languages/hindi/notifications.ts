/** The same in Hindi. */
import type { notifications as english } from "../english/notifications.ts";
import type { MessagesOf } from "../messages.ts";

export const notifications: MessagesOf<typeof english> = {
  title: "सूचनाएँ",
  lead: "चुनें कि हम {email} पर कौन-से ईमेल भेजें।",
  renewals: "रिन्यूअल",
  renewalsHint: "आपकी कंपनी का कोई सब्सक्रिप्शन समाप्त होने से पहले की चिट्ठियाँ, और नई अवधि में से क्या लौटाया जा सकता है।",
  reminders: "याद दिलाने वाले ईमेल",
  remindersHint: "जब आपने कोई ऑर्डर अधूरा छोड़ा हो।",
  always: "हमेशा भेजे जाते हैं",
  alwaysHint: "आपके ऑर्डर, पैसे (इनवॉइस, भुगतान, रिफ़ंड) और आपके अकाउंट की सुरक्षा से जुड़े ईमेल बंद नहीं किए जा सकते।",
  save: "सेव करें",
  saved: "आपकी पसंद सेव हो गई है।",

  stopTitle: "ये ईमेल बंद करें?",
  stopRenewals: "हम {email} पर रिन्यूअल की चिट्ठियाँ नहीं भेजेंगे।",
  stopReminders: "हम {email} पर अधूरे ऑर्डर याद दिलाने वाले ईमेल नहीं भेजेंगे।",
  endsAnyway: "रिन्यू न करने पर सब्सक्रिप्शन फिर भी समाप्त होते हैं। उनकी तारीख़ें “मेरे सब्सक्रिप्शन” में हैं।",
  stop: "ये ईमेल बंद करें",
  stoppedTitle: "ये ईमेल बंद हैं",
  stoppedRenewals: "हम {email} पर रिन्यूअल की चिट्ठियाँ अब नहीं भेजते।",
  stoppedReminders: "हम {email} पर अधूरे ऑर्डर याद दिलाने वाले ईमेल अब नहीं भेजते।",
  again: "फिर से भेजें",
  others: "ऑर्डर, पैसे और अकाउंट की सुरक्षा से जुड़े ईमेल आते रहेंगे।",
};
