/** Catalogue of the sandbox's Google, of which the store sells a part: products, SKUs and list prices in two countries. */
import { changeOf } from "../catalogue-changes.ts";
import type { Sandbox } from "../sandbox.ts";

export interface Sku {
  /** `products/{product}/skus/{sku}` */
  readonly name: string;
  readonly displayName: string;
  readonly product: Product;
}

interface Product {
  /** `products/{product}` */
  readonly name: string;
  readonly displayName: string;
}

/** Terms of sale of a SKU in a country. */
export interface SoldSku extends Sku {
  readonly minSeats: number;
  readonly maxSeats: number;
  readonly currency: string;
  /** List price of a seat for a year. */
  readonly list: number;
  /** The reseller's cost, in percent of the list price. */
  readonly costPercent: number;
  /** A term for which it is not sold. */
  readonly withoutTerm: string | undefined;
}

const workspace: Product = { name: "products/Google-Apps", displayName: "Google Workspace" };
const vault: Product = { name: "products/Google-Vault", displayName: "Google Vault" };
const archive: Product = { name: "products/101034", displayName: "Google Workspace Archived User" };
const ai: Product = { name: "products/101047", displayName: "Google AI Ultra for Business" };

export const minUnits = 1;
export const maxUnits = 300;

const currencies: Readonly<Record<string, string>> = { IN: "INR", US: "USD" };
export const regions = Object.keys(currencies);

interface Written {
  product: Product;
  displayName: string;
  list: Readonly<Record<string, number>>;
}

const written: Readonly<Record<string, Written>> = {
  "1010020027": {
    product: workspace,
    displayName: "Google Workspace Business Starter",
    list: { IN: 3240, US: 100.8 },
  },
  "1010020028": {
    product: workspace,
    displayName: "Google Workspace Business Standard",
    list: { IN: 12960, US: 201.6 },
  },
  "1010020025": {
    product: workspace,
    displayName: "Google Workspace Business Plus",
    list: { IN: 20700, US: 316.8 },
  },
  "1010020026": {
    product: workspace,
    displayName: "Google Workspace Enterprise Standard",
    list: { IN: 23400, US: 324 },
  },
  "1010060003": {
    product: workspace,
    displayName: "Google Workspace Enterprise Essentials",
    list: { IN: 10800, US: 144 },
  },
  "Google-Vault": { product: vault, displayName: "Google Vault", list: { IN: 3600, US: 60 } },
  "1010340001": {
    product: archive,
    displayName: "Google Workspace Business Starter - Archived User",
    list: { IN: 1200, US: 24 },
  },
  "1010470008": { product: ai, displayName: "Google AI Ultra for Business", list: { IN: 24000, US: 300 } },
};

/** Every SKU sold in any country. */
export function skusOf(sandbox: Sandbox): Sku[] {
  const all = regions.flatMap((region) => soldIn(sandbox, region));
  return [...new Map(all.map((sku) => [sku.name, sku])).values()];
}

export function soldIn(sandbox: Sandbox, region: string): SoldSku[] {
  return Object.entries(written).flatMap(([id, { product, displayName, list }]) => {
    const change = changeOf(sandbox.catalogue, id, region);
    const [price, currency] = [list[region], currencies[region]];
    if (price === undefined || currency === undefined || change.gone === true) return [];
    return [
      {
        name: `${product.name}/skus/${change.as ?? id}`,
        displayName: change.title ?? displayName,
        product,
        minSeats: change.minSeats ?? minUnits,
        maxSeats: change.maxSeats ?? maxUnits,
        currency,
        list: price,
        costPercent: change.costPercent ?? 50,
        withoutTerm: change.withoutTerm,
      },
    ];
  });
}
