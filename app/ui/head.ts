/**
 * What stands in the head of a page. Every page has a title that ends with the store's name; one that search engines may
 * list also has a description, its one address, what a shared link shows, and facts for machines.
 */
import type { MetaDescriptor } from "@remix-run/react";
import type { Brand } from "#server/brand.ts";
import type { Market, Service } from "./navigation.ts";

/** What the root's loader gives to heads. */
export interface Store {
  readonly brand: Brand;
  readonly markets: readonly Market[];
  readonly services: readonly Service[];
  /** The names of what is sold, as a sentence has them: "Microsoft 365, Google Workspace and brio". */
  readonly sells: string;
  /** The address buyers type, without a path. */
  readonly storeUrl: string;
}

export interface IndexedHead {
  readonly title: string;
  readonly description: string;
  /** The page's one address: nothing in its query but what makes it another page. */
  readonly path: string;
  /** Things as schema.org names them. */
  readonly things?: readonly object[];
}

/** As Remix gives it to `meta`. */
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
      // Remix escapes it, so that no text of ours can end the element.
      ...(things.length === 0
        ? []
        : [{ "script:ld+json": { "@context": "https://schema.org", "@graph": [...things] } }]),
    ];
  };
}

/** For pages of one person or one company, for forms with a token in their address, and for what was searched. */
export function unindexedPage<Data>(title: string | ((data: Data | undefined) => string)) {
  return ({ data, matches }: MetaArguments<Data>): MetaDescriptor[] => [
    {
      title: titleOf(typeof title === "string" ? title : title(data), storeIn(matches)?.brand.name ?? null),
    },
    { name: "robots", content: "noindex" },
  ];
}

/** For what is shown instead of a page. */
export function errorPage({
  error,
  matches,
}: { error?: unknown } & MetaArguments<unknown>): MetaDescriptor[] {
  const isMissing = typeof error === "object" && error !== null && "status" in error && error.status === 404;
  return unindexedPage(isMissing ? "Page not found" : "Something went wrong")({ matches });
}

function titleOf(title: string, name: string | null): string {
  return name === null ? title : `${title} | ${name}`;
}

/** Null where the root's loader failed. */
function storeIn(matches: readonly { id: string; data?: unknown }[]): Store | null {
  const root = matches.find(isRoot);
  return root?.data ?? null;
}

function isRoot(match: { id: string; data?: unknown }): match is { id: "root"; data?: Store } {
  return match.id === "root";
}
