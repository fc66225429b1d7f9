/**
 * Our Microsoft plans that are not featured, and the add-on. Its SKU is the only one that ends in ":0002", which identifies
 * add-ons.
 */
import { commitments, type SeedItem } from "./item.ts";

export const otherMicrosoft: readonly SeedItem[] = [
  {
    id: "microsoft-365-apps-for-business",
    sku: "MS-APPS-FOR-BUSINESS",
    vendor: { product: "Microsoft 365 Apps for business", sku: "Microsoft 365 Apps for business" },
    section: "other",
    name: "Microsoft 365 Apps for business",
    audience: "For businesses with email elsewhere",
    description: "Desktop Office apps and cloud storage, without mailboxes.",
    features: [
      "Word, Excel, PowerPoint and Outlook on computers, tablets and phones",
      "1 TB of OneDrive storage per user",
      "Always up to date",
    ],
    words: {
      hi: {
        audience: "उन व्यवसायों के लिए जिनका ईमेल कहीं और है",
        description: "इंस्टॉल किए हुए Office ऐप और क्लाउड स्टोरेज, मेलबॉक्स के बिना।",
        features: [
          "कंप्यूटर, टैबलेट और फ़ोन पर Word, Excel, PowerPoint और Outlook",
          "हर यूज़र के लिए 1 TB OneDrive स्टोरेज",
          "हमेशा सबसे नया वर्शन",
        ],
      },
    },
    images: ["word", "excel", "powerpoint", "outlook", "onedrive"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 5,
      webApps: true,
      mailbox: null,
      storage: 1000,
      meetings: null,
      security: ["twoStepSignIn"],
      extras: [],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [810, 858],
        yearPaidAtOnce: [8100, 8580],
      }),
      ...commitments("USD", {
        monthToMonth: [9.4, 9.9],
        yearPaidAtOnce: [94.08, 99],
      }),
    ],
  },
  {
    id: "exchange-online-plan-1",
    sku: "MS-EXCHANGE-PLAN-1",
    vendor: { product: "Exchange Online (Plan 1)", sku: "Exchange Online (Plan 1)" },
    section: "other",
    name: "Exchange Online Plan 1",
    audience: "For people who need a business mailbox and nothing else",
    description: "Email, calendar and contacts on your own domain, hosted and protected by Microsoft.",
    features: ["50 GB mailbox per user", "Shared calendars and contacts", "Spam and malware filtering"],
    words: {
      hi: {
        audience: "उन लोगों के लिए जिन्हें सिर्फ़ बिज़नेस मेलबॉक्स चाहिए",
        description: "आपके अपने डोमेन पर ईमेल, कैलेंडर और कॉन्टैक्ट, जिन्हें Microsoft होस्ट करता और सुरक्षित रखता है।",
        features: ["हर यूज़र के लिए 50 GB का मेलबॉक्स", "शेयर्ड कैलेंडर और कॉन्टैक्ट", "स्पैम और मैलवेयर फ़िल्टर"],
      },
    },
    images: ["exchange", "outlook"],
    minSeats: 1,
    maxSeats: null,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: false,
      mailbox: 50,
      storage: null,
      meetings: null,
      security: ["twoStepSignIn", "spamFilter"],
      extras: ["sharedCalendars"],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [150, 162],
        yearPaidAtOnce: [1500, 1620],
      }),
      ...commitments("USD", {
        monthToMonth: [4.56, 4.8],
        yearPaidAtOnce: [45.6, 48],
      }),
    ],
  },
  {
    id: "exchange-online-plan-2",
    sku: "MS-EXCHANGE-PLAN-2",
    vendor: { product: "Exchange Online (Plan 2)", sku: "Exchange Online (Plan 2)" },
    section: "other",
    name: "Exchange Online Plan 2",
    audience: "For users with large mailboxes or record-keeping obligations",
    description: "A larger mailbox, with an auto-expanding archive and data loss prevention for email.",
    features: [
      "100 GB mailbox per user",
      "Auto-expanding archive",
      "Litigation hold and data loss prevention",
      "Voicemail in the inbox",
    ],
    words: {
      hi: {
        audience: "उन लोगों के लिए जिनका मेलबॉक्स बड़ा है या जिन्हें रिकॉर्ड रखने होते हैं",
        description: "बड़ा मेलबॉक्स, साथ में अपने आप बढ़ने वाला आर्काइव और ऐसे नियम जो डेटा को ईमेल से बाहर जाने से रोकते हैं।",
        features: [
          "हर यूज़र के लिए 100 GB का मेलबॉक्स",
          "अपने आप बढ़ने वाला आर्काइव",
          "लिटिगेशन होल्ड और डेटा लीक से सुरक्षा (DLP)",
          "इनबॉक्स में वॉइसमेल",
        ],
      },
    },
    images: ["exchange", "outlook"],
    minSeats: 1,
    maxSeats: null,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: false,
      mailbox: 100,
      storage: null,
      meetings: null,
      security: ["twoStepSignIn", "spamFilter", "litigationHold", "dataLossPrevention"],
      extras: ["sharedCalendars", "growingArchive"],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [415, 444],
        yearPaidAtOnce: [4152, 4440],
      }),
      ...commitments("USD", {
        monthToMonth: [9.12, 9.6],
        yearPaidAtOnce: [91.2, 96],
      }),
    ],
  },
  {
    id: "microsoft-defender-for-business",
    sku: "MS-DEFENDER-FOR-BUSINESS",
    vendor: { product: "Microsoft Defender for Business", sku: "Microsoft Defender for Business" },
    section: "other",
    name: "Microsoft Defender for Business",
    audience: "For businesses that want every device protected",
    description:
      "Detects, stops and repairs attacks on computers and phones, and recommends what to fix next.",
    features: [
      "Protection for up to five devices per user",
      "Automatic investigation and repair",
      "Vulnerability recommendations, ranked by risk",
    ],
    words: {
      hi: {
        audience: "उन व्यवसायों के लिए जो हर डिवाइस को सुरक्षित रखना चाहते हैं",
        description:
          "कंप्यूटर और फ़ोन पर हमलों को पहचानता, रोकता और ठीक करता है, और बताता है कि सुरक्षा की कौन-सी कमज़ोरी पहले दूर करनी है।",
        features: [
          "हर यूज़र के पाँच डिवाइस तक की सुरक्षा",
          "ख़तरों की अपने आप जाँच और सुधार",
          "सुरक्षा की कमज़ोरियों पर सुझाव, जोखिम के क्रम में",
        ],
      },
    },
    images: ["defender"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: false,
      mailbox: null,
      storage: null,
      meetings: null,
      security: ["deviceProtection"],
      extras: ["weakSpots"],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [235, 252],
        yearPaidAtOnce: [2352, 2520],
      }),
      ...commitments("USD", {
        monthToMonth: [3.42, 3.6],
        yearPaidAtOnce: [34.2, 36],
      }),
    ],
  },
  {
    id: "office-365-e1",
    sku: "MS-OFFICE-E1",
    vendor: { product: "Office 365 E1", sku: "Office 365 E1" },
    section: "other",
    name: "Office 365 E1",
    audience: "For organisations that have outgrown 300 seats",
    description: "Email, meetings and Office on the web, with no user limit.",
    features: [
      "No limit on the number of seats",
      "Email on your own domain with a 50 GB mailbox",
      "1 TB of OneDrive storage per user",
      "Word, Excel and PowerPoint on the web",
    ],
    words: {
      hi: {
        audience: "उन संगठनों के लिए जिनके लिए 300 लाइसेंस कम पड़ते हैं",
        description: "ईमेल, मीटिंग और Office ऐप के वेब वर्शन, यूज़र की संख्या की किसी सीमा के बिना।",
        features: [
          "लाइसेंस की संख्या पर कोई सीमा नहीं",
          "आपके अपने डोमेन पर ईमेल, 50 GB के मेलबॉक्स के साथ",
          "हर यूज़र के लिए 1 TB OneDrive स्टोरेज",
          "वेब पर Word, Excel और PowerPoint",
        ],
      },
    },
    images: ["word", "excel", "powerpoint", "outlook", "teams", "exchange", "onedrive", "sharepoint"],
    minSeats: 1,
    maxSeats: null,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: true,
      mailbox: 50,
      storage: 1000,
      meetings: { people: null, also: null },
      security: ["twoStepSignIn", "spamFilter"],
      extras: [],
    },
    prices: [
      ...commitments("INR", {
        monthToMonth: [710, 750],
        yearPaidAtOnce: [7104, 7500],
      }),
      ...commitments("USD", {
        monthToMonth: [11.4, 12],
        yearPaidAtOnce: [114, 120],
      }),
    ],
  },
  {
    id: "copilot-for-microsoft-365",
    sku: "MS-COPILOT:0002",
    vendor: { product: "Copilot for Microsoft 365", sku: "Copilot for Microsoft 365" },
    section: "addon",
    name: "Copilot for Microsoft 365",
    audience: "For people who already work in Microsoft 365",
    description:
      "An assistant in your Office apps that drafts, summarises and finds, using the files you can access.",
    features: [
      "Drafts and rewrites in Word and Outlook",
      "Meeting summaries in Teams",
      "Data analysis in Excel",
      "Answers from your own files and email",
    ],
    words: {
      hi: {
        audience: "उन लोगों के लिए जो पहले से Microsoft 365 में काम करते हैं",
        description:
          "Office ऐप के भीतर एक असिस्टेंट, जो उन फ़ाइलों से ड्राफ़्ट और समरी बनाता और जानकारी खोजता है जिन्हें आप खोल सकते हैं।",
        features: [
          "Word और Outlook में ड्राफ़्ट लिखना और सुधारना",
          "Teams में मीटिंग की समरी",
          "Excel में डेटा का विश्लेषण",
          "आपकी अपनी फ़ाइलों और ईमेल से जवाब",
        ],
      },
    },
    images: ["copilot", "word", "excel", "outlook", "teams"],
    minSeats: 1,
    maxSeats: null,
    baseItemIds: [
      "microsoft-365-business-basic",
      "microsoft-365-business-standard",
      "microsoft-365-business-premium",
      "microsoft-365-apps-for-business",
      "office-365-e1",
    ],
    prices: [
      ...commitments("INR", {
        monthToMonth: [2960, 3120],
        yearPaidAtOnce: [29592, 31200],
      }),
      ...commitments("USD", {
        monthToMonth: [34.2, 36],
        yearPaidAtOnce: [342, 360],
      }),
    ],
  },
];
