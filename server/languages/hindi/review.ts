/** The same in Hindi. */
import type { review as english } from "../english/review.ts";
import type { MessagesOf } from "../messages.ts";

export const review: MessagesOf<typeof english> = {
  title: "जाँचें और ऑर्डर करें",
  yourOrder: "आपका ऑर्डर",
  contact: "संपर्क",
  soldTo: "किसके नाम बिक्री",
  change: "बदलें<hidden>: {what}</hidden>",
  asIs: "आपकी कंपनी की यही जानकारी हमारे पास है। <link>हमसे बदलवाएँ</link>",
  bill: "आपका बिल",
  seller: "विक्रेता: {name}",
  sellerWithGstin: "विक्रेता: {name}, GSTIN {gstin}",
  confirm: "भुगतान से पहले {domain} के किसी एडमिनिस्ट्रेटर को इस ऑर्डर की पुष्टि करनी होगी।",
  confirmAsked: "हमने {email} को एक लिंक ईमेल किया है, और पुष्टि होते ही आपको ईमेल करेंगे।",
  confirmNow: "पुष्टि करें, या अपने एडमिनिस्ट्रेटर से कहें",
  confirmAgain: "ख़ुद पुष्टि करें, या दूसरा लिंक ईमेल करें",
  priceChanged: "आपके शुरू करने के बाद क़ीमतें बदल गई हैं। यह आज की कुल राशि है।",
  paymentFailed: "भुगतान नहीं हुआ। {why} आपसे कोई राशि नहीं ली गई। आप फिर कोशिश कर सकते हैं।",
  references: "परचेज़ ऑर्डर, कॉस्ट सेंटर, टिप्पणी",
  referencesWhy: "आपके इनवॉइस पर छपते हैं। इनसे क़ीमत नहीं बदलती।",
  purchaseOrder: "परचेज़ ऑर्डर नंबर",
  costCentre: "कॉस्ट सेंटर",
  note: "टिप्पणी",
  noteHint: "इनवॉइस दर्ज करने वाले के लिए आपकी अपनी एक पंक्ति",
  terms: "शर्तें",
  accept: "मैंने ये शर्तें पढ़ ली हैं और इन्हें स्वीकार करता/करती हूँ।",
  payNext: "आप अगली स्क्रीन पर {methods} से {total} का भुगतान करते हैं। कनेक्शन टूटने पर भी आपका ऑर्डर सुरक्षित रहता है।",
  placeOrder: "ऑर्डर करें · {total} का भुगतान करें",
  renew: "रिन्यू करें",
  completed: "आपका भुगतान हो गया है। ऑर्डर पूरा करने के लिए कृपया ‘जमा करें’ दबाएँ।",
  unmatched:
    "हम इसे अभी इस ऑर्डर से नहीं मिला पाए: {problem} हमारी टीम को बता दिया गया है, और आपका कोई पैसा नहीं डूबा है।",
  notAgain: "आपसे दोबारा राशि नहीं ली जाएगी।",
  submit: "जमा करें",
  pay: "{total} का भुगतान करें",
  noCheckout: "Razorpay SDK लोड नहीं हो सका।",
  hostedOpens:
    "इसकी जगह Razorpay का भुगतान पेज खुलता है। न खुले तो भुगतान का बटन फिर दबाएँ। आपसे कोई राशि नहीं ली गई है।",
  checking: "हम आपका भुगतान जाँच रहे हैं। इसमें थोड़ा समय लगता है।",
  byMethods: "{methods} से, Razorpay के सुरक्षित पेज पर। आपका ऑर्डर यहाँ खुला रहता है।",
};
