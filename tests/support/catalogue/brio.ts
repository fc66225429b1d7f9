/** The brio plans of the test catalogue. */
import { commitments, type SeedItem } from "#db/seed/item.ts";
import { inHindi } from "./words.ts";

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
    words: inHindi("एक स्टार्ट पेज", "साझा डेस्क", "नोटिस बोर्ड"),
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
    words: inHindi("कई दफ़्तर", "चैट और कॉल के रूम", "वीडियो कॉल"),
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
    words: inHindi("किसने क्या खोला", "रोज़ का बैकअप", "एक्सेस रिकॉर्ड"),
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
