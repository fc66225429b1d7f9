/** The store's name and contacts as pages have them: from server/brand.ts, by way of the root's loader. */
import { useRouteLoaderData } from "@remix-run/react";
import type { Store } from "./head.ts";

/** Null only where the root could not be read, as when the database is away. */
export function useBrand() {
  return useRouteLoaderData<Store>("root")?.brand ?? null;
}

/** "tel:+919876543210" of a number as people read it. */
export function telephone(number: string): string {
  return `tel:${number.replaceAll(/[^+\d]/g, "")}`;
}

/** The chat of a number: opens the app on a phone, a page on a computer. */
export function whatsAppChat(number: string): string {
  return `https://wa.me/${number.replaceAll(/\D/g, "")}`;
}
