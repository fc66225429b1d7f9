/** Our Google Workspace items: sold by the year, with a sign-up price for the first users of a new customer. */
import { type SeedItem, yearlyPrices } from "./item.ts";

export const google: readonly SeedItem[] = [
  {
    id: "google-workspace-business-starter",
    sku: "GW-BUSINESS-STARTER",
    vendor: { product: "Google Workspace", sku: "Google Workspace Business Starter" },
    section: "featured",
    name: "Google Workspace Business Starter",
    audience: "For new businesses that want professional email",
    description: "Gmail on your own domain, with documents, calendars and meetings that everyone can share.",
    features: [
      "Email on your own domain",
      "30 GB of storage per user",
      "Video meetings with 100 people",
      "Real-time editing in Docs, Sheets and Slides",
    ],
    words: {
      hi: {
        audience: "नए व्यवसायों के लिए जिन्हें पेशेवर ईमेल पता चाहिए",
        description: "आपके अपने डोमेन पर Gmail, साथ में दस्तावेज़, कैलेंडर और मीटिंग जिन्हें सब शेयर कर सकते हैं।",
        features: [
          "आपके अपने डोमेन पर ईमेल",
          "हर यूज़र के लिए 30 GB स्टोरेज",
          "100 लोगों के साथ वीडियो मीटिंग",
          "Docs, Sheets और Slides पर साथ-साथ काम",
        ],
      },
    },
    images: ["gmail", "drive", "meet", "calendar", "docs", "sheets"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: true,
      mailbox: "in-storage",
      storage: 30,
      meetings: { people: 100, also: null },
      security: ["twoStepSignIn", "spamFilter"],
      extras: [],
    },
    prices: [
      ...yearlyPrices("INR", { signup: 1932, regular: 2760, list: 3240 }),
      ...yearlyPrices("USD", { signup: 67.2, regular: 84, list: 100.8 }),
    ],
  },
  {
    id: "google-workspace-business-standard",
    sku: "GW-BUSINESS-STANDARD",
    vendor: { product: "Google Workspace", sku: "Google Workspace Business Standard" },
    section: "featured",
    name: "Google Workspace Business Standard",
    audience: "For growing teams that work together all day",
    description: "More storage, meeting recordings and shared drives for teams.",
    features: [
      "2 TB of storage per user",
      "Video meetings with 150 people, recorded to Drive",
      "Shared drives for teams",
      "Appointment booking pages",
    ],
    words: {
      hi: {
        audience: "बढ़ती टीमों के लिए जो दिन भर मीटिंग करती और फ़ाइलें शेयर करती हैं",
        description:
          "फ़ाइलों के लिए ज़्यादा जगह, मीटिंग जिन्हें रिकॉर्ड किया जा सकता है, और शेयर्ड ड्राइव जो पूरी टीम की होती हैं।",
        features: [
          "हर यूज़र के लिए 2 TB स्टोरेज",
          "150 लोगों के साथ वीडियो मीटिंग, जो Drive में रिकॉर्ड होती हैं",
          "टीमों के लिए शेयर्ड ड्राइव",
          "अपॉइंटमेंट बुकिंग पेज",
        ],
      },
    },
    images: ["gmail", "drive", "meet", "calendar", "docs", "sheets", "chat"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: true,
      mailbox: "in-storage",
      storage: 2000,
      meetings: { people: 150, also: "recordings" },
      security: ["twoStepSignIn", "spamFilter"],
      extras: ["sharedDrives", "bookingPages"],
    },
    prices: [
      ...yearlyPrices("INR", { signup: 8292, regular: 10368, list: 12960 }),
      ...yearlyPrices("USD", { signup: 134.4, regular: 168, list: 201.6 }),
    ],
  },
  {
    id: "google-workspace-business-plus",
    sku: "GW-BUSINESS-PLUS",
    vendor: { product: "Google Workspace", sku: "Google Workspace Business Plus" },
    section: "other",
    name: "Google Workspace Business Plus",
    audience: "For businesses that need to retain records and manage devices",
    description:
      "Everything in Business Standard, plus retention, search across all email and advanced device management.",
    features: [
      "5 TB of storage per user",
      "Video meetings with 500 people and attendance",
      "Vault: retain, search and export records",
      "Advanced device management",
    ],
    words: {
      hi: {
        audience: "उन व्यवसायों के लिए जिन्हें रिकॉर्ड रखने और डिवाइस कंट्रोल करने होते हैं",
        description:
          "Business Standard की हर सुविधा, साथ में डेटा सुरक्षित रखना, सभी ईमेल में खोज और डिवाइस पर बेहतर कंट्रोल।",
        features: [
          "हर यूज़र के लिए 5 TB स्टोरेज",
          "500 लोगों के साथ वीडियो मीटिंग और हाज़िरी",
          "Vault: डेटा सुरक्षित रखें, खोजें और एक्सपोर्ट करें",
          "एडवांस्ड डिवाइस मैनेजमेंट",
        ],
      },
    },
    images: ["gmail", "drive", "meet", "calendar", "docs", "sheets", "vault"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: true,
      mailbox: "in-storage",
      storage: 5000,
      meetings: { people: 500, also: "recordings" },
      security: ["twoStepSignIn", "spamFilter", "records", "deviceManagement"],
      extras: ["sharedDrives", "bookingPages"],
    },
    prices: [
      ...yearlyPrices("INR", { signup: 13248, regular: 16560, list: 20700 }),
      ...yearlyPrices("USD", { signup: 211.2, regular: 264, list: 316.8 }),
    ],
  },
  {
    id: "google-workspace-enterprise-essentials",
    sku: "GW-ENTERPRISE-ESSENTIALS",
    vendor: { product: "Google Workspace", sku: "Google Workspace Enterprise Essentials" },
    section: "other",
    name: "Google Workspace Enterprise Essentials",
    audience: "For teams keeping their current email",
    description:
      "Meetings, documents and shared drives with business controls, alongside your current email system.",
    features: [
      "1 TB of storage per user",
      "Video meetings with 150 people",
      "Real-time editing in Docs, Sheets and Slides",
      "Works with your current email",
    ],
    words: {
      hi: {
        audience: "उन टीमों के लिए जो अपना मौजूदा ईमेल रखना चाहती हैं",
        description:
          "मीटिंग, दस्तावेज़ और शेयर्ड ड्राइव, व्यवसाय के लिए ज़रूरी कंट्रोल के साथ, आपके मौजूदा ईमेल सिस्टम के साथ-साथ।",
        features: [
          "हर यूज़र के लिए 1 TB स्टोरेज",
          "150 लोगों के साथ वीडियो मीटिंग",
          "Docs, Sheets और Slides पर साथ-साथ काम",
          "आपके मौजूदा ईमेल के साथ काम करता है",
        ],
      },
    },
    images: ["drive", "meet", "calendar", "docs", "sheets"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: true,
      mailbox: null,
      storage: 1000,
      meetings: { people: 150, also: null },
      security: ["twoStepSignIn"],
      extras: ["sharedDrives"],
    },
    prices: [
      ...yearlyPrices("INR", { signup: 6912, regular: 8640, list: 10800 }),
      ...yearlyPrices("USD", { signup: 96, regular: 120, list: 144 }),
    ],
  },
];
