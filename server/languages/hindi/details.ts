/** The same in Hindi. */
import type { details as english } from "../english/details.ts";
import type { MessagesOf } from "../messages.ts";

export const details: MessagesOf<typeof english> = {
  included: "इसमें क्या शामिल है",
  seeAll: "हमारे सभी प्लान देखें",
  domain: "डोमेन",
  domainHint: "आपके ईमेल पतों का डोमेन, जैसे yourcompany.com",
  commitment: "अवधि और बिलिंग",
  quantity: "संख्या",
  less: "एक लाइसेंस कम",
  more: "एक लाइसेंस ज़्यादा",
  updateTotal: "कुल राशि अपडेट करें",
  perMonth: "<figure>{price}</figure> प्रति व्यक्ति प्रति माह",
  quantityHint: "हर इस्तेमाल करने वाले व्यक्ति के लिए एक लाइसेंस।",
  goesWith: "इस प्लान के साथ: {name}",
  goesWithFrom: "<name>इस प्लान के साथ: {name}</name>, <price>{price}</price> से",
  addLater: "यह प्लान मिलते ही आप इसे जोड़ सकते हैं।",
  addNow: "इसे अपने मौजूदा सब्सक्रिप्शन में जोड़ें",
  buyMore: "और लाइसेंस ख़रीदें<hidden>: {tenant}</hidden>",
  newTenantHint: "हम आपके मौजूदा अकाउंट के साथ एक नया अकाउंट बनाते हैं।",
  elsewhere: "जो डोमेन यहाँ नहीं है, उसके लिए <link>नए डोमेन का ऑर्डर शुरू करें</link>।",
  soldTo: "किसके नाम बिक्री",
  openOrder: "वह ऑर्डर खोलें",
  failed: "ऑर्डर भेजने में गड़बड़ी हुई: {error}",
};
