/**
 * The head of a page. Every page has a title that ends with the store's name. A page that search engines may list also has a
 * description, a canonical address, link-preview tags and structured data.
 */
import type { MetaDescriptor } from "@remix-run/react";
import type { Brand } from "#server/brand.ts";
import { refusalIn } from "./error-page.tsx";
import type { Market, Service } from "./navigation.ts";

/** The part of the root loader's data that heads use. */
export interface Store {
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
}

export interface IndexedHead {
  readonly title: string;
  readonly description: string;
  /** The canonical path. Its query keeps only what makes it a different page. */
  readonly path: string;
  /** Structured data in schema.org terms. */
  readonly things?: readonly object[];
}

/** The arguments that Remix passes to `meta`. */
export interface MetaArguments<Data> {
  data?: Data;
  matches: readonly { id: string; data?: unknown }[];
}

/** For pages that search engines may list. */
export function indexedPage<Data>(describe: (data: Data, store: Store) => IndexedHead) {
  return ({ data, matches }: MetaArguments<Data>): MetaDescriptor[] => {
    const store = storeIn(matches);
    if (data === undefined || store === null) return [];
    const { title, description, path, things = [] } = describe(data, store);
    const { brand, storeUrl } = store;
    const fullTitle = titleOf(title, brand.name);
    const url = new URL(path, storeUrl).href;
    return [
      { title: fullTitle },
      { name: "description", content: description },
      { tagName: "link", rel: "canonical", href: url },
      { property: "og:type", content: "website" },
      { property: "og:site_name", content: brand.name },
      { property: "og:title", content: fullTitle },
      { property: "og:description", content: description },
      { property: "og:url", content: url },
      { property: "og:image", content: new URL("/social.png", storeUrl).href },
      { property: "og:image:width", content: "1200" },
      { property: "og:image:height", content: "630" },
      { name: "twitter:card", content: "summary_large_image" },
      // Remix escapes it, so no text can close the script element.
      ...(things.length === 0
        ? []
        : [{ "script:ld+json": { "@context": "https://schema.org", "@graph": [...things] } }]),
    ];
  };
}

/** For personal and company pages, forms with a token in their address, and search results. */
export function unindexedPage<Data>(title: string | ((data: Data | undefined) => string)) {
  return ({ data, matches }: MetaArguments<Data>): MetaDescriptor[] => [
    {
      title: titleOf(typeof title === "string" ? title : title(data), storeIn(matches)?.brand.name ?? null),
    },
    { name: "robots", content: "noindex" },
  ];
}

/** For error pages. What broke while it was rendered has no title but the store's name. */
export function errorPage({
  error,
  matches,
}: { error?: unknown } & MetaArguments<unknown>): MetaDescriptor[] {
  return unindexedPage(refusalIn(error)?.title ?? "")({ matches });
}

function titleOf(title: string, name: string | null): string {
  return [title, name ?? ""].filter((part) => part !== "").join(" | ");
}

/** Null when the root loader failed. */
function storeIn(matches: readonly { id: string; data?: unknown }[]): Store | null {
  const root = matches.find(isRoot);
  return root?.data ?? null;
}

function isRoot(match: { id: string; data?: unknown }): match is { id: "root"; data?: Store } {
  return match.id === "root";
}
