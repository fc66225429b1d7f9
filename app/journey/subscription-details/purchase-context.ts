/** The subject of an order or its first step: the item, the country it is sold in, and for a customer the company. */

import type { Order } from "#db/orders/order.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import { findMembership } from "#server/accounts/customers.ts";
import { type CatalogueItem, getItem } from "#server/catalogue/items.ts";
import { notFound } from "#server/foundation/errors.ts";
import type { Company } from "#server/orders/existing-customer.ts";
import { findRecentDraftFor } from "#server/orders/find.ts";
import type { ChangeKind } from "#server/orders/subscription-change.ts";
import { getSubscriptionOf } from "#server/orders/subscriptions/subscription.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { requesterOf } from "../guard.ts";

/** An offer to a new buyer, or to a company that adds a subscription (TUP) or an add-on, or changes a subscription. */
export type PurchaseContext = { item: CatalogueItem; country: Country } & (
  | { kind: "NEW"; company: null }
  | { kind: "TUP" | "ADDON"; company: Company }
  | { kind: ChangeKind; company: Company; subscription: Subscription }
);

/** The signed-in user's company. Null for a visitor, and for a user who has not ordered yet. */
export async function companyOf(request: RequestContext) {
  const { session } = request;
  if (session?.customer == null) return null;
  return findMembership(request.context.db, session.userId, session.customer.id);
}

/** The offer behind an existing order. @throws DomainError not_found when its journey has no such step */
export async function purchaseContextOf(request: RequestContext, order: Order): Promise<PurchaseContext> {
  const { db } = request.context;
  const { kind, country, subscriptionId } = order;
  if (kind === "ADD" || kind === "RENEW") {
    const offer = await changeContextOf(request, kind, subscriptionId ?? "");
    if (offer === null) throw notFound("order");
    return offer;
  }
  const item = await getItem(db, order.itemId);
  if (kind === "NEW") return { kind, item, country, company: null };
  const company = await companyOf(request);
  if (company === null) throw notFound("order");
  return { kind, item, country, company };
}

/** A change of one of the company's subscriptions, or null without a company. @throws DomainError not_found */
export async function changeContextOf(request: RequestContext, kind: ChangeKind, subscriptionId: string) {
  const company = await companyOf(request);
  if (company === null) return null;
  const { db } = request.context;
  const subscription = await getSubscriptionOf(db, company.id, subscriptionId);
  const item = await getItem(db, subscription.itemId, { includeRetired: true });
  return { kind, item, country: subscription.country, company, subscription };
}

/** The draft that the requester has just begun for this offer, if any. */
export function recentDraftOf(request: RequestContext, offer: PurchaseContext): Promise<Order | null> {
  const { kind, item, country } = offer;
  const subscriptionId = "subscription" in offer ? offer.subscription.id : null;
  const plan = { kind, itemId: item.id, country, subscriptionId };
  return findRecentDraftFor(request.context.db, plan, requesterOf(request), new Date());
}
