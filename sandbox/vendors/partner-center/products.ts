/**
 * Catalogue of the sandbox's Microsoft, of which the store sells a part: products, SKUs, terms and retail prices in two
 * countries.
 */
import { type CatalogueChange, changeOf } from "../catalogue-changes.ts";
import type { Sandbox } from "../sandbox.ts";

/** Retail prices of a seat: month to month, and for a year paid at once. */
type Retail = readonly [month: number, year: number];

export interface PartnerSku {
  readonly productId: string;
  readonly skuId: string;
  /** Title of the product, and of a SKU without its own. */
  readonly title: string;
  readonly skuTitle: string;
  readonly minSeats: number;
  readonly maxSeats: number;
  readonly isTrial: boolean;
  /** `product:sku` of the bases, of which a tenant must have one. */
  readonly bases: readonly string[];
  readonly terms: readonly Term[];
  readonly retail: Retail;
  /** The partner's cost, in percent of the retail price. */
  readonly costPercent: number;
}

export interface Term {
  readonly duration: string;
  readonly description: string;
  readonly billingCycle: string;
}

const terms: readonly Term[] = [
  { duration: "P1M", description: "One-Month commitment for monthly billing", billingCycle: "Monthly" },
  { duration: "P1Y", description: "One-Year commitment for monthly billing", billingCycle: "Monthly" },
  { duration: "P1Y", description: "One-Year commitment for yearly billing", billingCycle: "Annual" },
];

interface Written {
  title: string;
  skuTitle?: string;
  most?: number;
  isTrial?: boolean;
  bases?: readonly string[];
  retail: Readonly<Record<string, Retail>>;
}

/** Microsoft's plans for small businesses end at 300 seats; everything else is sold to companies of any size. */
const small = 300;
const large = 10_000_000;

const written: Readonly<Record<string, Written>> = {
  "CFQ7TTC0LH18:0001": {
    title: "Microsoft 365 Business Basic",
    most: small,
    retail: { IN: [174, 1740], US: [7.2, 72] },
  },
  "CFQ7TTC0LH18:0007": {
    title: "Microsoft 365 Business Basic",
    skuTitle: "Microsoft 365 Business Basic (Nonprofit Staff Pricing)",
    most: small,
    retail: { IN: [70, 700], US: [2.9, 29] },
  },
  "CFQ7TTC0LDPB:0001": {
    title: "Microsoft 365 Business Standard",
    most: small,
    retail: { IN: [924, 9240], US: [15, 150] },
  },
  "CFQ7TTC0LDPB:0002": {
    title: "Microsoft 365 Business Standard",
    most: 25,
    isTrial: true,
    retail: { IN: [0, 0], US: [0, 0] },
  },
  "CFQ7TTC0LCHC:0001": {
    title: "Microsoft 365 Business Premium",
    most: small,
    retail: { IN: [2196, 21960], US: [26.4, 264] },
  },
  "CFQ7TTC0JN4R:0001": {
    title: "Microsoft Teams Essentials",
    most: small,
    retail: { IN: [120, 1200], US: [4.8, 48] },
  },
  "CFQ7TTC0LH1G:0001": {
    title: "Microsoft 365 Apps for business",
    most: small,
    retail: { IN: [858, 8580], US: [9.9, 99] },
  },
  "CFQ7TTC0LH16:0001": { title: "Exchange Online (Plan 1)", retail: { IN: [162, 1620], US: [4.8, 48] } },
  "CFQ7TTC0LH1P:0001": { title: "Exchange Online (Plan 2)", retail: { IN: [444, 4440], US: [9.6, 96] } },
  "CFQ7TTC0J1GB:0001": {
    title: "Microsoft Defender for Business",
    most: small,
    retail: { IN: [252, 2520], US: [3.6, 36] },
  },
  "CFQ7TTC0LF8Q:0001": { title: "Office 365 E1", retail: { IN: [750, 7500], US: [12, 120] } },
  "CFQ7TTC0LFLX:0001": { title: "Microsoft 365 E3", retail: { IN: [3300, 33000], US: [46.8, 468] } },
  "CFQ7TTC0MM8R:0002": {
    title: "Copilot for Microsoft 365",
    bases: [
      "CFQ7TTC0LH18:0001",
      "CFQ7TTC0LDPB:0001",
      "CFQ7TTC0LCHC:0001",
      "CFQ7TTC0LH1G:0001",
      "CFQ7TTC0LF8Q:0001",
      "CFQ7TTC0LFLX:0001",
    ],
    retail: { IN: [3120, 31200], US: [36, 360] },
  },
};

/** All SKUs on sale in a country. */
export function skusIn(sandbox: Sandbox, country: string): PartnerSku[] {
  return Object.keys(written).flatMap((offer) => skuOf(sandbox.catalogue, offer, country) ?? []);
}

/** @param offer an id that begins with `product:sku`, such as a catalogue item's @returns undefined if it is not sold there */
export function findSku(sandbox: Sandbox, offer: string, country: string): PartnerSku | undefined {
  const [productId, skuId] = offer.split(":");
  return skusIn(sandbox, country).find((sku) => sku.productId === productId && sku.skuId === skuId);
}

function skuOf(changes: readonly CatalogueChange[], offer: string, country: string): PartnerSku | undefined {
  const sku = written[offer];
  const retail = sku?.retail[country];
  const change = changeOf(changes, offer, country);
  if (sku === undefined || retail === undefined || change.gone === true) return undefined;
  const [productId = "", skuId = ""] = (change.as ?? offer).split(":");
  const title = change.title ?? sku.title;
  return {
    productId,
    skuId,
    title,
    skuTitle: change.title ?? sku.skuTitle ?? title,
    minSeats: change.minSeats ?? 1,
    maxSeats: change.maxSeats ?? sku.most ?? large,
    isTrial: sku.isTrial ?? false,
    bases: sku.bases ?? [],
    terms: terms.filter(({ duration }) => duration !== change.withoutTerm),
    retail,
    costPercent: change.costPercent ?? 75,
  };
}
