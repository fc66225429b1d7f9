/** The same in Hindi. */
import type { details as english } from "../english/details.ts";
import type { MessagesOf } from "../messages.ts";

export const details: MessagesOf<typeof english> = {
  included: "इसमें क्या शामिल है",
  seeAll: "सभी प्रोडक्ट देखें",
  domain: "डोमेन",
  domainHint: "आपके ईमेल पतों का डोमेन, जैसे yourcompany.com",
  commitment: "अवधि और बिलिंग",
  quantity: "संख्या",
  less: "एक लाइसेंस कम करें",
  more: "एक लाइसेंस बढ़ाएँ",
  updateTotal: "कुल राशि अपडेट करें",
  perMonth: "<figure>{price}</figure> प्रति यूज़र/माह",
  quantityHint: "हर यूज़र के लिए एक लाइसेंस।",
  goesWith: "इस प्लान के साथ: {name}",
  goesWithFrom: "<name>इस प्लान के साथ: {name}</name>, <price>{price}</price> से",
  addLater: "प्लान चालू होने पर आप इसे जोड़ सकेंगे।",
  addNow: "इसे किसी मौजूदा सब्सक्रिप्शन में जोड़ें",
  buyMore: "और लाइसेंस ख़रीदें<hidden>: {tenant}</hidden>",
  newTenantHint: "हम आपके मौजूदा अकाउंट के साथ एक नया अकाउंट बनाएँगे।",
  elsewhere: "दूसरा डोमेन चाहिए? <link>नया ऑर्डर शुरू करें</link>।",
  soldTo: "ख़रीदार",
  openOrder: "वह ऑर्डर खोलें",
  failed: "ऑर्डर भेजने में गड़बड़ी हुई: {error}",
};
