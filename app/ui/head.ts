/** The head of a page, whose title ends with the store's name. indexed-page.ts adds more for search engines. */
import type { MetaDescriptor } from "@remix-run/react";
import type { Brand } from "#server/foundation/brand.ts";
import { errorDataIn } from "./error-page.tsx";
import type { StoreHeadData } from "./store-head-data.ts";

/** The arguments that Remix passes to `meta`. */
export interface MetaArguments<Data> {
  data?: Data;
  matches: readonly { id: string; data?: unknown }[];
}

/** Head of personal and company pages, forms with a token in their URL, and search results. */
export function noindexMeta<Data>(title: string | ((data: Data | undefined) => string)) {
  return ({ data, matches }: MetaArguments<Data>): MetaDescriptor[] => [
    {
      title: titleOf(typeof title === "string" ? title : title(data), storeIn(matches)),
    },
    { name: "robots", content: "noindex" },
  ];
}

/** Head of error pages. A page that failed during rendering has only the store's name as its title. */
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
