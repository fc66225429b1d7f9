/** The store's data that the root loader provides to every page. */
import type { Brand } from "#server/foundation/brand.ts";
import type { Market, Service } from "./navigation.ts";

/** The part of the root loader's data that heads use. */
export interface StoreHeadData {
  readonly brand: Pick<Brand, "name" | "supportUrl">;
  readonly markets: readonly Market[];
  /** The code of the country whose prices the page shows; null on a page without prices. */
  readonly market: string | null;
  readonly services: readonly Service[];
  readonly languages: readonly { readonly id: string; readonly name: string }[];
  /** The seller in the country of the page's prices. */
  readonly seller: { readonly name: string; readonly gstin: string | null; readonly address: string };
  /** The families on sale as a phrase: "Microsoft 365, Google Workspace and brio". */
  readonly sells: string;
  /** The store's public URL, without a path. */
  readonly storeUrl: string;
  /** "Error: " on a page whose form was refused, before its title, so that screen readers say it first; empty otherwise. */
  readonly errorMark: string;
}
