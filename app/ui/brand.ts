/** The store's brand, seller, countries and families, for pages. All but the brand comes from the root's loader. */
import { useRouteLoaderData } from "@remix-run/react";
import { useContext } from "react";
import { DocumentContext } from "./document-context.ts";
import type { Market, Service } from "./navigation.ts";
import type { StoreHeadData } from "./store-head-data.ts";

/** Null in a browser, whose pages do not use it: a hydrated page would have to contain it as data. */
export function useBrand() {
  return useContext(DocumentContext).brand ?? null;
}

/** The store's name and its support, also in a browser. Null only when the root loader failed, for example without a database. */
export function useStoreName() {
  return useRouteLoaderData<StoreHeadData>("root")?.brand ?? null;
}

/** The countries we sell in. Empty when the root loader failed. */
export function useMarkets(): readonly Market[] {
  return useRouteLoaderData<StoreHeadData>("root")?.markets ?? [];
}

/** The country whose prices the page shows. Null where it shows none, and when the root loader failed. */
export function useMarket(): Market | null {
  const store = useRouteLoaderData<StoreHeadData | null>("root") ?? null;
  return store?.markets.find(({ code }) => code === store.market) ?? null;
}

/** The seller in the country of the prices, and its products. Null when the root loader failed. */
export function useSeller() {
  // Remix returns null rather than undefined after a refused post.
  const store = useRouteLoaderData<StoreHeadData | null>("root") ?? null;
  return store === null ? null : { ...store.seller, sells: store.sells };
}

/** The families on sale. Empty when the root loader failed. */
export function useServices(): readonly Service[] {
  return useRouteLoaderData<StoreHeadData>("root")?.services ?? [];
}

/** The languages of the pages, each by its own name. Empty when the root loader failed. */
export function useLanguages() {
  return useRouteLoaderData<StoreHeadData>("root")?.languages ?? [];
}

/** "tel:+919876543210" for a formatted phone number. */
export function telephone(number: string): string {
  return `tel:${number.replaceAll(/[^+\d]/g, "")}`;
}

/** WhatsApp's link for a number: opens the app on a phone, a page on a computer. */
export function whatsAppChat(number: string): string {
  return `https://wa.me/${number.replaceAll(/\D/g, "")}`;
}
