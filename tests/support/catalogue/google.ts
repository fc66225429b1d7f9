/** The Google Workspace plans of the test catalogue. */
import { type SeedItem, yearly } from "#db/seed/item.ts";

export const google: readonly SeedItem[] = [
  {
    id: "google-workspace-business-starter",
    sku: "GW-BUSINESS-STARTER",
    vendor: { product: "Google Workspace", sku: "Google Workspace Business Starter" },
    section: "featured",
    name: "Google Workspace Business Starter",
    audience: "For young businesses that want a professional address",
    description: "Gmail on your own domain, with documents, calendars and meetings that everyone can share.",
    features: [
      "Email on your own domain",
      "30 GB of storage for each person",
      "Video meetings with 100 people",
      "Docs, Sheets and Slides edited together",
    ],
    images: ["gmail", "drive", "meet", "calendar", "docs", "sheets"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    prices: [
      ...yearly("INR", { signup: 1932, regular: 2760, list: 3240 }),
      ...yearly("USD", { signup: 67.2, regular: 84, list: 100.8 }),
    ],
  },
  {
    id: "google-workspace-business-standard",
    sku: "GW-BUSINESS-STANDARD",
    vendor: { product: "Google Workspace", sku: "Google Workspace Business Standard" },
    section: "featured",
    name: "Google Workspace Business Standard",
    audience: "For growing teams that meet and share all day",
    description:
      "More room for files, meetings that can be recorded, and shared drives that belong to the team.",
    features: [
      "2 TB of storage for each person",
      "Video meetings with 150 people, recorded to Drive",
      "Shared drives for teams",
      "Appointment booking pages",
    ],
    images: ["gmail", "drive", "meet", "calendar", "docs", "sheets", "chat"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    prices: [
      ...yearly("INR", { signup: 8292, regular: 10368, list: 12960 }),
      ...yearly("USD", { signup: 134.4, regular: 168, list: 201.6 }),
    ],
  },
  {
    id: "google-workspace-business-plus",
    sku: "GW-BUSINESS-PLUS",
    vendor: { product: "Google Workspace", sku: "Google Workspace Business Plus" },
    section: "other",
    name: "Google Workspace Business Plus",
    audience: "For businesses that must keep records and control devices",
    description:
      "Everything in Business Standard, with retention, search across all mail and stronger device control.",
    features: [
      "5 TB of storage for each person",
      "Video meetings with 500 people and attendance",
      "Vault: keep, search and export records",
      "Advanced device management",
    ],
    images: ["gmail", "drive", "meet", "calendar", "docs", "sheets", "vault"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    prices: [
      ...yearly("INR", { signup: 13248, regular: 16560, list: 20700 }),
      ...yearly("USD", { signup: 211.2, regular: 264, list: 316.8 }),
    ],
  },
  {
    id: "google-workspace-enterprise-essentials",
    sku: "GW-ENTERPRISE-ESSENTIALS",
    vendor: { product: "Google Workspace", sku: "Google Workspace Enterprise Essentials" },
    section: "other",
    name: "Google Workspace Enterprise Essentials",
    audience: "For teams that keep their present email",
    description:
      "Meetings, documents and shared drives with business controls, beside the mail system you already use.",
    features: [
      "1 TB of storage for each person",
      "Video meetings with 150 people",
      "Docs, Sheets and Slides edited together",
      "Works with your present email",
    ],
    images: ["drive", "meet", "calendar", "docs", "sheets"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    prices: [
      ...yearly("INR", { signup: 6912, regular: 8640, list: 10800 }),
      ...yearly("USD", { signup: 96, regular: 120, list: 144 }),
    ],
  },
];
