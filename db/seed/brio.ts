/** Our own workplace family. It has no tenant at an outside vendor, so an order needs no sign-in step. */
import { commitments, type SeedItem } from "./item.ts";

export const brio: readonly SeedItem[] = [
  {
    id: "brio-desk",
    sku: "BRIO-DESK",
    section: "featured",
    name: "brio Desk",
    audience: "For offices that want one start page for everyone",
    description:
      "A shared workspace in the browser: notices, tasks, leave and visitor booking, ready from day one.",
    features: [
      "Notice board and company directory",
      "Tasks and approvals",
      "Leave, attendance and visitor booking",
      "24/7 phone and chat support",
    ],
    words: {
      hi: {
        audience: "उन दफ़्तरों के लिए जिन्हें काम के दिन का एक ही स्टार्ट पेज चाहिए",
        description: "ब्राउज़र में एक शेयर्ड डेस्क: नोटिस, टास्क, छुट्टी और विज़िटर बुकिंग, पहले दिन से तैयार।",
        features: [
          "नोटिस बोर्ड और कंपनी डायरेक्टरी",
          "टास्क और अप्रूवल",
          "छुट्टी, हाज़िरी और विज़िटर बुकिंग",
          "फ़ोन और चैट पर 24/7 सपोर्ट",
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
    description: "Chat and call rooms alongside brio Desk, with one search for people, places and files.",
    features: [
      "Everything in brio Desk",
      "Chat rooms and video calls",
      "One search for people, places and files",
      "Desk and meeting room booking",
    ],
    words: {
      hi: {
        audience: "कई दफ़्तरों या घरों से काम करने वाली टीमों के लिए",
        description: "डेस्क के साथ चैट और कॉल के रूम; लोग, जगहें और फ़ाइलें एक ही खोज में मिल जाती हैं।",
        features: [
          "brio Desk की हर सुविधा",
          "चैट रूम और वीडियो कॉल",
          "लोगों, जगहों और फ़ाइलों में एक साथ खोज",
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
    audience: "For businesses that need to show who accessed what",
    description:
      "Single sign-on, daily backup and access logs for the whole workplace, monitored by our team.",
    features: [
      "Single sign-on with multi-factor authentication",
      "Daily backup, kept for a year",
      "Access logs for audits",
    ],
    words: {
      hi: {
        audience: "उन व्यवसायों के लिए जिन्हें दिखाना होता है कि किसने क्या खोला",
        description:
          "पूरे वर्कप्लेस के लिए सिंगल साइन-ऑन, रोज़ाना बैकअप और एक्सेस लॉग, जिन पर हमारी अपनी टीम नज़र रखती है।",
        features: [
          "सिंगल साइन-ऑन, मल्टी-फ़ैक्टर ऑथेंटिकेशन के साथ",
          "रोज़ाना बैकअप, एक साल तक सुरक्षित",
          "ऑडिट के लिए एक्सेस लॉग",
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
