/** The payment link of an order, for its buyer. */

import { findOpenIntent } from "#db/billing/payment-intents.ts";
import { findPaymentLink } from "#db/billing/payment-links.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db } from "#db/tables/index.ts";

/** `url` is null until the provider has created it. */
export type OpenLink =
  | { intentId: string; url: string; expiresAt: Date }
  | { intentId: string; url: null; expiresAt: null };

/** Finds the link for an order's payment; null when none was requested, or when it has expired. */
export async function linkOf(db: Db, order: Order, now: Date): Promise<OpenLink | null> {
  const intent = await findOpenIntent(db, order.id);
  if (intent?.provider !== "payment-link" || intent.status !== "open") return null;
  const link = await findPaymentLink(db, intent.id);
  if (link === null) return { intentId: intent.id, url: null, expiresAt: null };
  return link.expiresAt <= now ? null : link;
}
