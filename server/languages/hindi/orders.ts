/** The same in Hindi. */
import type { orders as english } from "../english/orders.ts";
import type { MessagesOf } from "../messages.ts";

export const orders: MessagesOf<typeof english> = {
  licences: "{count, plural, other {{count} लाइसेंस}}",
  daysOf: "{all} में से {left} दिन",
  daysWithNext: "{left} दिन, पूरी अगली अवधि सहित",
  accountMoved: "आपका {family} अकाउंट और उसके प्लान अब हमारे पास हैं। हमेशा की तरह साइन इन करें।",
  acceptTerms:
    "{family} एडमिन कंसोल ({place}) में सुपर एडमिनिस्ट्रेटर के रूप में साइन इन करें और {family} की सेवा की शर्तें स्वीकार करें। तब तक {family} सब्सक्रिप्शन को रोके रखता है, पर उसकी अवधि चलती रहती है।",
  verifyDomain: "फिर वहीं सत्यापित करें कि डोमेन आपका है। तब तक {family} आपका ईमेल न भेजता है, न लेता है।",
};
