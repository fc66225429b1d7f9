/** The store's name, contacts, countries and families for pages, from the root's loader. */
import { useRouteLoaderData } from "@remix-run/react";
import type { Store } from "./head.ts";
import type { Market, Service } from "./navigation.ts";

/** Null only when the root loader failed, for example without a database. */
export function useBrand() {
  return useRouteLoaderData<Store>("root")?.brand ?? null;
}

/** The countries we sell in. Empty when the root loader failed. */
export function useMarkets(): readonly Market[] {
  return useRouteLoaderData<Store>("root")?.markets ?? [];
}

/** The families on sale. Empty when the root loader failed. */
export function useServices(): readonly Service[] {
  return useRouteLoaderData<Store>("root")?.services ?? [];
}

/** "tel:+919876543210" for a formatted phone number. */
export function telephone(number: string): string {
  return `tel:${number.replaceAll(/[^+\d]/g, "")}`;
}

/** WhatsApp's link for a number: opens the app on a phone, a page on a computer. */
export function whatsAppChat(number: string): string {
  return `https://wa.me/${number.replaceAll(/\D/g, "")}`;
}
