/** The head of a page that search engines may list: a description, a canonical address, link-preview tags and structured data. */
import type { MetaDescriptor } from "@remix-run/react";
import { type MetaArguments, storeIn, titleOf } from "./head.ts";
import type { StoreHeadData } from "./store-head-data.ts";

export interface IndexedHead {
  readonly title: string;
  readonly description: string;
  /** The canonical path. Its query keeps only what makes it a different page. */
  readonly path: string;
  /** Structured data in schema.org terms. */
  readonly things?: readonly object[];
}

/** Head of pages that search engines may list. */
export function indexedPage<Data>(describe: (data: Data, store: StoreHeadData) => IndexedHead) {
  return ({ data, matches }: MetaArguments<Data>): MetaDescriptor[] => {
    const store = storeIn(matches);
    if (data === undefined || store === null) return [];
    const { title, description, path, things = [] } = describe(data, store);
    const { brand, storeUrl } = store;
    const fullTitle = titleOf(title, { brand, errorMark: "" });
    const url = new URL(path, storeUrl).href;
    return [
      { title: titleOf(title, store) },
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
