/** Our Microsoft items: the featured plans, then the others. */
import { commitments, type SeedItem } from "./item.ts";
import { otherMicrosoft } from "./microsoft-other.ts";

export const microsoft: readonly SeedItem[] = [
  {
    id: "microsoft-365-business-basic",
    sku: "MS-BUSINESS-BASIC",
    vendor: { product: "Microsoft 365 Business Basic", sku: "Microsoft 365 Business Basic" },
    section: "featured",
    name: "Microsoft 365 Business Basic",
    audience: "For teams that work in the browser and on phones",
    description:
      "Business email, online meetings and shared files, with the web and mobile versions of the Office apps.",
    features: [
      "Email on your own domain with a 50 GB mailbox",
      "1 TB of OneDrive storage per user",
      "Meetings and chat in Teams",
      "Word, Excel and PowerPoint on the web and on phones",
    ],
    words: {
      hi: {
        audience: "ब्राउज़र में और फ़ोन पर काम करने वाली टीमों के लिए",
        description: "बिज़नेस ईमेल, ऑनलाइन मीटिंग और शेयर्ड फ़ाइलें, साथ में Office ऐप के वेब और मोबाइल वर्शन।",
        features: [
          "आपके अपने डोमेन पर ईमेल, 50 GB के मेलबॉक्स के साथ",
          "हर यूज़र के लिए 1 TB OneDrive स्टोरेज",
          "Teams में मीटिंग और चैट",
          "वेब और फ़ोन पर Word, Excel और PowerPoint",
        ],
      },
    },
    images: ["word", "excel", "powerpoint", "outlook", "teams", "exchange", "onedrive", "sharepoint"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: true,
      mailbox: 50,
      storage: 1000,
      meetings: { people: 300, also: null },
      security: ["twoStepSignIn", "spamFilter"],
      extras: [],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [165, 174],
        yearPaidAtOnce: [1644, 1740],
      }),
      ...commitments("USD", {
        monthToMonth: [6.84, 7.2],
        yearPaidAtOnce: [68.4, 72],
      }),
    ],
  },
  {
    id: "microsoft-365-business-standard",
    sku: "MS-BUSINESS-STANDARD",
    vendor: { product: "Microsoft 365 Business Standard", sku: "Microsoft 365 Business Standard" },
    section: "featured",
    name: "Microsoft 365 Business Standard",
    audience: "For offices that need the desktop apps",
    description:
      "The installed Office apps on every device, together with business email, Teams and shared storage.",
    features: [
      "Word, Excel, PowerPoint and Outlook on five computers per user",
      "Email on your own domain with a 50 GB mailbox",
      "1 TB of OneDrive storage per user",
      "Webinars and meeting recordings in Teams",
      "Bookings for customer appointments",
    ],
    words: {
      hi: {
        audience: "उन दफ़्तरों के लिए जिन्हें डेस्कटॉप ऐप चाहिए",
        description: "हर डिवाइस पर इंस्टॉल किए हुए Office ऐप, साथ में बिज़नेस ईमेल, Teams और शेयर्ड स्टोरेज।",
        features: [
          "हर यूज़र के पाँच कंप्यूटरों पर इंस्टॉल किए हुए Word, Excel, PowerPoint और Outlook",
          "आपके अपने डोमेन पर ईमेल, 50 GB के मेलबॉक्स के साथ",
          "हर यूज़र के लिए 1 TB OneDrive स्टोरेज",
          "Teams में वेबिनार और मीटिंग की रिकॉर्डिंग",
          "आपके ग्राहकों के अपॉइंटमेंट के लिए Bookings",
        ],
      },
    },
    images: ["word", "excel", "powerpoint", "outlook", "teams", "exchange", "onedrive", "sharepoint"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 5,
      webApps: true,
      mailbox: 50,
      storage: 1000,
      meetings: { people: 300, also: "webinars" },
      security: ["twoStepSignIn", "spamFilter"],
      extras: ["customerBookings"],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [875, 924],
        yearPaidAtOnce: [8748, 9240],
      }),
      ...commitments("USD", {
        monthToMonth: [14.25, 15],
        yearPaidAtOnce: [142.5, 150],
      }),
    ],
  },
  {
    id: "microsoft-365-business-premium",
    sku: "MS-BUSINESS-PREMIUM",
    vendor: { product: "Microsoft 365 Business Premium", sku: "Microsoft 365 Business Premium" },
    section: "featured",
    name: "Microsoft 365 Business Premium",
    audience: "For businesses that need to protect devices and data",
    description: "Everything in Business Standard, plus threat protection and device management.",
    features: [
      "All desktop apps of Business Standard",
      "Device management with Intune",
      "Protection from phishing and ransomware with Defender",
      "Conditional access and multi-factor sign-in",
      "Sensitivity labels for confidential documents",
    ],
    words: {
      hi: {
        audience: "उन व्यवसायों के लिए जिन्हें डिवाइस और डेटा सुरक्षित रखने हैं",
        description: "Business Standard की हर सुविधा, साथ में हमलों से सुरक्षा और हर डिवाइस पर कंट्रोल।",
        features: [
          "Business Standard के सभी डेस्कटॉप ऐप",
          "Intune से डिवाइस मैनेजमेंट",
          "Defender से फ़िशिंग और रैनसमवेयर से सुरक्षा",
          "कंडीशनल एक्सेस और मल्टी-फ़ैक्टर साइन-इन",
          "गोपनीय दस्तावेज़ों के लिए सेंसिटिविटी लेबल",
        ],
      },
    },
    images: ["word", "excel", "outlook", "teams", "exchange", "onedrive", "sharepoint", "intune", "defender"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 5,
      webApps: true,
      mailbox: 50,
      storage: 1000,
      meetings: { people: 300, also: "webinars" },
      security: [
        "twoStepSignIn",
        "spamFilter",
        "phishingProtection",
        "deviceProtection",
        "deviceManagement",
        "conditionalAccess",
        "dataLabels",
      ],
      extras: ["customerBookings"],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [2080, 2196],
        yearPaidAtOnce: [20796, 21960],
      }),
      ...commitments("USD", {
        monthToMonth: [25.08, 26.4],
        yearPaidAtOnce: [250.8, 264],
      }),
    ],
  },
  {
    id: "microsoft-teams-essentials",
    sku: "MS-TEAMS-ESSENTIALS",
    vendor: { product: "Microsoft Teams Essentials", sku: "Microsoft Teams Essentials" },
    section: "featured",
    name: "Microsoft Teams Essentials",
    audience: "For small teams that only need to meet and chat",
    description: "Long group meetings, chat and calls in one place, without changing your current email.",
    features: [
      "Meetings of up to 30 hours with 300 people",
      "Chat with colleagues and customers",
      "10 GB of cloud storage per user",
      "Works with the email address you already have",
    ],
    words: {
      hi: {
        audience: "छोटी टीमों के लिए जिन्हें सिर्फ़ मीटिंग और चैट चाहिए",
        description: "लंबी ग्रुप मीटिंग, चैट और कॉल एक ही जगह, अपना मौजूदा ईमेल बदले बिना।",
        features: [
          "300 लोगों के साथ 30 घंटे तक की मीटिंग",
          "सहकर्मियों और ग्राहकों के साथ चैट",
          "हर यूज़र के लिए 10 GB क्लाउड स्टोरेज",
          "आपके मौजूदा ईमेल पते के साथ काम करता है",
        ],
      },
    },
    images: ["teams"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: false,
      mailbox: null,
      storage: 10,
      meetings: { people: 300, also: null },
      security: ["twoStepSignIn"],
      extras: [],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [95, 120],
        yearPaidAtOnce: [948, 1200],
      }),
      ...commitments("USD", {
        monthToMonth: [4.2, 4.8],
        yearPaidAtOnce: [42, 48],
      }),
    ],
  },
  ...otherMicrosoft,
];
