/** The store's name, contacts, countries and families as pages have them: from the server, by way of the root's loader. */
import { useRouteLoaderData } from "@remix-run/react";
import type { Store } from "./head.ts";
import type { Market, Service } from "./navigation.ts";

/** Null only where the root could not be read, as when the database is away. */
export function useBrand() {
  return useRouteLoaderData<Store>("root")?.brand ?? null;
}

/** The countries that are sold in; none where the root could not be read. */
export function useMarkets(): readonly Market[] {
  return useRouteLoaderData<Store>("root")?.markets ?? [];
}

/** The families that are sold; none where the root could not be read. */
export function useServices(): readonly Service[] {
  return useRouteLoaderData<Store>("root")?.services ?? [];
}

/** "tel:+919876543210" of a number as people read it. */
export function telephone(number: string): string {
  return `tel:${number.replaceAll(/[^+\d]/g, "")}`;
}

/** The chat of a number: opens the app on a phone, a page on a computer. */
export function whatsAppChat(number: string): string {
  return `https://wa.me/${number.replaceAll(/\D/g, "")}`;
}
