/** The same in Hindi. */
import type { journey as english } from "../english/journey.ts";
import type { MessagesOf } from "../messages.ts";

export const journey: MessagesOf<typeof english> = {
  place: "चरण {at} / {of}",
  yourOrder: "आपका ऑर्डर",
  done: "(पूरा)",
  paid: "पेमेंट हो गया",
  sumPaid: "{amount} का पेमेंट हो गया",
  orderPaid: "ऑर्डर {number}, {date}",
  oneStepLeft: "एक चरण बाकी है",
  total: "कुल",
  serviceDetails: "सेवा की जानकारी",
  trouble: "कोई परेशानी है? <link>हमसे संपर्क करें</link>",
  toggle: "अपना ऑर्डर खोलें या बंद करें",
};
