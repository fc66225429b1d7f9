/** The Microsoft plans of the test catalogue. */
import { commitments, type SeedItem } from "#db/seed/item.ts";

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
      "1 TB of OneDrive storage for each person",
      "Meetings and chat in Teams",
      "Word, Excel and PowerPoint on the web and on phones",
    ],
    images: ["word", "excel", "powerpoint", "outlook", "teams", "exchange", "onedrive", "sharepoint"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
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
      "Word, Excel, PowerPoint and Outlook installed on five computers each",
      "Email on your own domain with a 50 GB mailbox",
      "1 TB of OneDrive storage for each person",
      "Webinars and meeting recordings in Teams",
      "Bookings for appointments with your customers",
    ],
    images: ["word", "excel", "powerpoint", "outlook", "teams", "exchange", "onedrive", "sharepoint"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
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
    audience: "For businesses that must protect devices and data",
    description:
      "Everything in Business Standard, with protection against attacks and control over every device.",
    features: [
      "All desktop apps of Business Standard",
      "Device management with Intune",
      "Protection from phishing and ransomware with Defender",
      "Conditional access and multi-factor sign-in",
      "Labels that keep confidential documents confidential",
    ],
    images: ["word", "excel", "outlook", "teams", "exchange", "onedrive", "sharepoint", "intune", "defender"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
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
    description: "Long group meetings, chat and calls in one place, without changing your present email.",
    features: [
      "Meetings of up to 30 hours with 300 people",
      "Chat with colleagues and customers",
      "10 GB of cloud storage for each person",
      "Works with the email address you already have",
    ],
    images: ["teams"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
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
  {
    id: "microsoft-365-apps-for-business",
    sku: "MS-APPS-FOR-BUSINESS",
    vendor: { product: "Microsoft 365 Apps for business", sku: "Microsoft 365 Apps for business" },
    section: "other",
    name: "Microsoft 365 Apps for business",
    audience: "For businesses whose email lives elsewhere",
    description: "The installed Office apps and cloud storage, without mailboxes.",
    features: [
      "Word, Excel, PowerPoint and Outlook on computers, tablets and phones",
      "1 TB of OneDrive storage for each person",
      "Always the newest version",
    ],
    images: ["word", "excel", "powerpoint", "outlook", "onedrive"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
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
    description: "Email, calendar and contacts on your own domain, hosted and kept safe by Microsoft.",
    features: [
      "50 GB mailbox for each person",
      "Shared calendars and contacts",
      "Filtering of spam and malware",
    ],
    images: ["exchange", "outlook"],
    minSeats: 1,
    maxSeats: null,
    baseItemIds: [],
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
    audience: "For people with large mailboxes or duties to keep records",
    description:
      "The larger mailbox, with an archive that grows and rules that stop data from leaving by mail.",
    features: [
      "100 GB mailbox for each person",
      "Archive that grows as it fills",
      "Litigation hold and data loss prevention",
      "Voicemail in the inbox",
    ],
    images: ["exchange", "outlook"],
    minSeats: 1,
    maxSeats: null,
    baseItemIds: [],
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
    audience: "For businesses that want every device guarded",
    description:
      "Finds, stops and repairs attacks on computers and phones, and says which weak spot to close next.",
    features: [
      "Protection for up to five devices a person",
      "Automatic investigation and repair",
      "Advice on weak spots, in order of risk",
    ],
    images: ["defender"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
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
    description:
      "Email, meetings and the web versions of the Office apps, with no upper limit on the number of people.",
    features: [
      "No limit on the number of seats",
      "Email on your own domain with a 50 GB mailbox",
      "1 TB of OneDrive storage for each person",
      "Word, Excel and PowerPoint on the web",
    ],
    images: ["word", "excel", "powerpoint", "outlook", "teams", "exchange", "onedrive", "sharepoint"],
    minSeats: 1,
    maxSeats: null,
    baseItemIds: [],
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
      "An assistant inside the Office apps that drafts, summarises and finds, using the files you may open.",
    features: [
      "Drafts and rewrites in Word and Outlook",
      "Summaries of meetings in Teams",
      "Analysis of tables in Excel",
      "Answers from your own files and mail",
    ],
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
