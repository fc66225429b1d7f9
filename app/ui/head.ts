/** The head of a page, whose title ends with the store's name. What pages for search engines have besides: indexed-page.ts. */
import type { MetaDescriptor } from "@remix-run/react";
import type { Brand } from "#server/brand.ts";
import { errorDataIn } from "./error-page.tsx";
import type { Market, Service } from "./navigation.ts";

/** The part of the root loader's data that heads use. */
export interface StoreHeadData {
  readonly brand: Pick<Brand, "name" | "supportUrl">;
  readonly markets: readonly Market[];
  /** The code of the country whose prices the page shows; null on a page without prices. */
  readonly market: string | null;
  readonly services: readonly Service[];
  readonly languages: readonly { readonly id: string; readonly name: string }[];
  /** Who sells in the country of the page's prices. */
  readonly seller: { readonly name: string; readonly gstin: string | null; readonly address: string };
  /** The families on sale as a phrase: "Microsoft 365, Google Workspace and brio". */
  readonly sells: string;
  /** The store's public URL, without a path. */
  readonly storeUrl: string;
  /** "Error: " on a page whose form was refused, before its title, which screen readers say first; empty elsewhere. */
  readonly errorMark: string;
}

/** The arguments that Remix passes to `meta`. */
export interface MetaArguments<Data> {
  data?: Data;
  matches: readonly { id: string; data?: unknown }[];
}

/** For personal and company pages, forms with a token in their address, and search results. */
export function noindexMeta<Data>(title: string | ((data: Data | undefined) => string)) {
  return ({ data, matches }: MetaArguments<Data>): MetaDescriptor[] => [
    {
      title: titleOf(typeof title === "string" ? title : title(data), storeIn(matches)),
    },
    { name: "robots", content: "noindex" },
  ];
}

/** For error pages. What broke while it was rendered has no title but the store's name. */
export function errorMeta({
  error,
  matches,
}: { error?: unknown } & MetaArguments<unknown>): MetaDescriptor[] {
  return noindexMeta(errorDataIn(error)?.title ?? "")({ matches });
}

/** @param store null when the root loader failed */
export function titleOf(
  title: string,
  store: { readonly brand: Pick<Brand, "name">; readonly errorMark: string } | null,
): string {
  return (store?.errorMark ?? "") + [title, store?.brand.name].filter(Boolean).join(" | ");
}

/** Null when the root loader failed. */
export function storeIn(matches: readonly { id: string; data?: unknown }[]): StoreHeadData | null {
  const root = matches.find(isRoot);
  return root?.data ?? null;
}

function isRoot(match: { id: string; data?: unknown }): match is { id: "root"; data?: StoreHeadData } {
  return match.id === "root";
}
