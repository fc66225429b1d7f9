/** Our own workplace family. It has no tenant at an outside vendor, so an order needs no sign-in step. */
import { commitments, type SeedItem } from "./item.ts";

export const brio: readonly SeedItem[] = [
  {
    id: "brio-desk",
    sku: "BRIO-DESK",
    section: "featured",
    name: "brio Desk",
    audience: "For offices that want one start page for the working day",
    description:
      "A shared desk in the browser: notices, tasks, leave and visitor booking, ready on the first day.",
    features: [
      "Notice board and company directory",
      "Tasks and approvals",
      "Leave, attendance and visitor booking",
      "Help by phone and chat, day and night",
    ],
    words: {
      hi: {
        audience: "उन दफ़्तरों के लिए जिन्हें काम के दिन का एक ही स्टार्ट पेज चाहिए",
        description: "ब्राउज़र में एक साझा डेस्क: नोटिस, कार्य, छुट्टी और आगंतुकों की बुकिंग, पहले दिन से तैयार।",
        features: [
          "नोटिस बोर्ड और कंपनी डायरेक्टरी",
          "कार्य और मंज़ूरी",
          "छुट्टी, हाज़िरी और आगंतुकों की बुकिंग",
          "फ़ोन और चैट पर सहायता, दिन-रात",
        ],
      },
    },
    images: ["desk", "tasks", "directory"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: false,
      mailbox: null,
      storage: null,
      meetings: null,
      security: [],
      extras: ["noticeBoard", "tasks", "attendance"],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [155, 190],
        yearPaidAtOnce: [1548, 1908],
      }),
      ...commitments("USD", {
        monthToMonth: [3, 3.6],
        yearPaidAtOnce: [30, 36],
      }),
    ],
  },
  {
    id: "brio-connect",
    sku: "BRIO-CONNECT",
    section: "featured",
    name: "brio Connect",
    audience: "For teams spread over several offices or homes",
    description:
      "Rooms for chat and calls beside the desk, with people, places and files found by one search.",
    features: [
      "Everything in brio Desk",
      "Chat rooms and video calls",
      "One search over people, places and files",
      "Desk and meeting room booking",
    ],
    words: {
      hi: {
        audience: "कई दफ़्तरों या घरों से काम करने वाली टीमों के लिए",
        description: "डेस्क के साथ चैट और कॉल के रूम; लोग, जगहें और फ़ाइलें एक ही खोज में मिल जाती हैं।",
        features: [
          "brio Desk की हर सुविधा",
          "चैट रूम और वीडियो कॉल",
          "लोगों, जगहों और फ़ाइलों में एक ही खोज",
          "डेस्क और मीटिंग रूम की बुकिंग",
        ],
      },
    },
    images: ["desk", "rooms", "calls", "search"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: false,
      mailbox: null,
      storage: null,
      meetings: { people: null, also: null },
      security: [],
      extras: ["noticeBoard", "tasks", "attendance", "chatRooms", "oneSearch", "roomBooking"],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [270, 325],
        yearPaidAtOnce: [2700, 3240],
      }),
      ...commitments("USD", {
        monthToMonth: [5.1, 6],
        yearPaidAtOnce: [51, 60],
      }),
    ],
  },
  {
    id: "brio-guard",
    sku: "BRIO-GUARD",
    section: "other",
    name: "brio Guard",
    audience: "For businesses that must show who opened what",
    description:
      "Single sign-on, daily backup and an access record for the whole workplace, watched by our own team.",
    features: [
      "Single sign-on with multi-factor check",
      "Daily backup, kept for a year",
      "Access record for audits",
    ],
    words: {
      hi: {
        audience: "उन व्यवसायों के लिए जिन्हें दिखाना होता है कि किसने क्या खोला",
        description:
          "पूरे वर्कप्लेस के लिए सिंगल साइन-ऑन, रोज़ का बैकअप और एक्सेस रिकॉर्ड, जिन पर हमारी अपनी टीम नज़र रखती है।",
        features: [
          "सिंगल साइन-ऑन, मल्टी-फ़ैक्टर जाँच के साथ",
          "रोज़ बैकअप, एक साल तक सुरक्षित",
          "ऑडिट के लिए एक्सेस रिकॉर्ड",
        ],
      },
    },
    images: ["guard", "backup", "audit"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: false,
      mailbox: null,
      storage: null,
      meetings: null,
      security: ["singleSignOn", "backup", "accessRecord"],
      extras: [],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [210, 250],
        yearPaidAtOnce: [2100, 2520],
      }),
      ...commitments("USD", {
        monthToMonth: [4.05, 4.8],
        yearPaidAtOnce: [40.8, 48],
      }),
    ],
  },
];
