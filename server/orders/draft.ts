/**
 * The unpaid order: begun at Subscription Details, filled in step by step, claimed by an account. Nothing here may touch a paid
 * order. Any change of the price also resets the accepted terms and the open payment.
 */

import { newId, type OrderId, type SubscriptionId, type TenantId } from "#db/ids.ts";
import type { AccountAnswers, Order, OrderChanges, OrderDetails, SignInAnswers } from "#db/orders/order.ts";
import { insertOrder, replaceDraftKey, replaceLine } from "#db/orders/orders.ts";
import type { Country, OrderKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { roleMay } from "#server/accounts/roles.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { DomainError, notFound, wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { hashToken } from "#server/foundation/security/token.ts";
import { currentRequester, lockOrder, lockOrderFor, type Requester } from "./find.ts";
import { furthestStage, moveOrder } from "./order-lifecycle.ts";
import { isPaid, isRefunded } from "./payment-state.ts";
import {
  orderAmounts,
  orderLine,
  type PricedSelection,
  priceSelection,
  type Selection,
  tooSmallToPay,
} from "./pricing.ts";
import { supersedePayments } from "./superseded-payments.ts";
import { computeTaxNow, hasTax, priceTaxFor, type SellersByCountry } from "./supply.ts";

/** docs/specification.md, section 5. */
export const baseProductNeeded = msg("refusals.baseNeeded");

/** Message key for viewers, who cannot order. */
export const viewerOnlyMessageKey = "orders.viewersLook";

/** The destination and billing details of an existing customer's order. A new buyer enters them in later steps. */
export interface Placement {
  kind: Exclude<OrderKind, "NEW">;
  /** Null when the order creates the tenant, and for brio, which has no tenants. */
  tenantId: TenantId | null;
  parentSubscriptionId: SubscriptionId | null;
  /** The subscription that gets more seats or is renewed; null for an order that creates one. */
  subscriptionId: SubscriptionId | null;
  /** Name and administrator of a new tenant. */
  signIn: SignInAnswers | null;
  account: AccountAnswers;
  addedTo: string;
}

/**
 * Begins an order from its first step. It belongs to the user if there is one, else to the visitor's draft key.
 * @param input.placement null for a new buyer's order
 * @throws DomainError bad_request for a quantity or plan that is not sold, or a total too small to pay; conflict for an add-on
 * without a base; forbidden for a viewer
 */
export async function beginOrder(
  trx: Trx,
  input: {
    item: CatalogueItem;
    country: Country;
    selection: Selection;
    placement: Placement | null;
    requester: Requester;
    sellers: SellersByCountry;
    now: Date;
  },
): Promise<OrderId> {
  const { item, country, selection, placement, sellers, now } = input;
  const requester = await currentRequester(trx, input.requester);
  if (item.isAddon && (placement === null || placement.kind === "TUP"))
    throw new DomainError("conflict", baseProductNeeded);
  requireBuyer(requester);
  const customerId = requester.customer?.id ?? null;
  const account = placement?.account ?? null;
  const tax = await priceTaxFor(trx, sellers, { country, account, customerId }, now);
  const priced = priceSelection(item, country, selection, tax.rateBasisPoints);
  requirePayable(placement?.kind ?? "NEW", priced);
  const id = newId<OrderId>();
  await insertOrder(
    trx,
    {
      id,
      kind: placement?.kind ?? "NEW",
      family: item.family,
      itemId: item.id,
      country,
      stage: "stage1",
      userId: requester.userId,
      customerId,
      draftKey: requester.userId === null ? requester.draftKey : null,
      language: requester.language ?? null,
      details: {
        ...chosenIn(selection),
        priced: priced.priced,
        supply: tax.supply ?? undefined,
        addedTo: placement?.addedTo,
      },
      ...placedIn(placement),
      figures: orderAmounts(priced, now),
    },
    orderLine(item, selection, priced),
  );
  return id;
}

/**
 * Updates an order when Subscription Details is posted again.
 * @throws DomainError as beginOrder; conflict once paid; not_found for another's order
 */
export async function changeSelection(
  trx: Trx,
  input: {
    orderId: OrderId;
    item: CatalogueItem;
    selection: Selection;
    placement: Placement | null;
    requester: Requester;
    sellers: SellersByCountry;
    now: Date;
  },
): Promise<void> {
  const order = await lockDraft(trx, input.orderId, input.requester);
  const priced = await reprice(trx, order, input);
  requirePayable(order.kind, priced);
}

/** Checks the total. @throws DomainError bad_request, on the field `quantity`, when the payment provider would refuse it */
function requirePayable(kind: OrderKind, { quantity, total }: PricedSelection): void {
  const tooSmall = tooSmallToPay({ kind, quantity, total });
  if (tooSmall !== null) throw wrongField("quantity", tooSmall);
}

/** Selects the part of a selection that is stored in the order's details. */
function chosenIn({ google, proration, renewal }: Selection): OrderDetails {
  return { google, proration, renewal };
}

function placedIn(placement: Placement | null): OrderChanges {
  if (placement === null) return {};
  const { tenantId, parentSubscriptionId, subscriptionId, signIn, account } = placement;
  return { tenantId, parentSubscriptionId, subscriptionId, signIn, account };
}

/**
 * Prices an order again, resets the terms accepted at the old price, and supersedes its payment.
 * @param input.placement null keeps the current placement
 */
export async function reprice(
  trx: Trx,
  order: Order,
  input: {
    item: CatalogueItem;
    selection: Selection;
    placement: Placement | null;
    sellers: SellersByCountry;
    now: Date;
  },
): Promise<PricedSelection> {
  const { item, selection, placement, sellers, now } = input;
  const { country, customerId } = order;
  const account = placement?.account ?? order.account;
  const tax = await priceTaxFor(trx, sellers, { country, account, customerId }, now);
  const priced = priceSelection(item, country, selection, tax.rateBasisPoints);
  await replaceLine(trx, order.id, orderLine(item, selection, priced));
  await supersedePayments(trx, order.id);
  await moveOrder(trx, order, {
    stage: furthestStage(order.stage, "stage1"),
    paymentStatus: "none",
    priceHeldUntil: null,
    termsAcceptedAt: null,
    details: {
      ...order.details,
      ...chosenIn(selection),
      priced: priced.priced,
      supply: tax.supply ?? undefined,
      ...(placement !== null && { addedTo: placement.addedTo }),
    },
    ...placedIn(placement),
    figures: orderAmounts(priced, now),
  });
  return priced;
}

/**
 * Applies the current tax of an order's supply at its current price. If that changes the total, resets the accepted terms and
 * supersedes the payment.
 * @returns false when nothing has changed
 */
export async function updateTax(
  trx: Trx,
  order: Order,
  sellers: SellersByCountry,
  now: Date,
): Promise<boolean> {
  const taxed = await computeTaxNow(trx, sellers, order, order.account, now);
  if (hasTax(order, taxed)) return false;
  const { supply, figures } = taxed;
  await supersedePayments(trx, order.id);
  await moveOrder(trx, order, {
    paymentStatus: "none",
    termsAcceptedAt: null,
    details: { ...order.details, supply },
    figures,
  });
  return true;
}

/** Stores incomplete answers of Create Account. */
export async function savePartialAnswers(
  trx: Trx,
  input: { orderId: OrderId; details: OrderDetails; requester: Requester },
): Promise<void> {
  const order = await lockDraft(trx, input.orderId, input.requester);
  await moveOrder(trx, order, { details: { ...order.details, ...input.details } });
}

/**
 * Gives a visitor's draft to the account that has just logged in, or was created, in the same browser.
 * @throws DomainError not_found when the draft is not this browser's
 */
export async function claimDraft(trx: Trx, input: { orderId: OrderId; requester: Requester }): Promise<void> {
  const { userId, customer, draftKey } = await currentRequester(trx, input.requester);
  if (userId === null) throw notFound("order");
  const order = await lockOrder(trx, input.orderId);
  if (order.userId === userId) return;
  if (order.userId !== null || order.draftKey === null || order.draftKey !== draftKey)
    throw notFound("order");
  await moveOrder(trx, order, { userId, customerId: customer?.id ?? null, draftKey: null });
}

/**
 * Whether the requester may order: anyone except members whose role forbids it. A user without a company gets one by ordering.
 */
export function mayOrder(requester: Pick<Requester, "customer"> | null): boolean {
  return requester?.customer == null || roleMay(requester.customer.role, "order");
}

/** Refuses a viewer, even one who was a buyer when the order was begun. @throws DomainError forbidden */
export function requireBuyer(requester: Requester): void {
  if (!mayOrder(requester)) throw new DomainError("forbidden", msg(viewerOnlyMessageKey));
}

/**
 * Locks an order that may still be changed.
 * @throws DomainError not_found; forbidden for a viewer; conflict once paid or refunded
 */
export async function lockDraft(trx: Trx, orderId: OrderId, requester: Requester): Promise<Order> {
  const { order, requester: current } = await lockOrderFor(trx, orderId, requester);
  requireBuyer(current);
  if (isRefunded(order)) throw new DomainError("conflict", msg("refusals.alreadyRefunded"));
  if (isPaid(order)) throw new DomainError("conflict", msg("refusals.alreadyPaid"));
  return order;
}

/** Moves the drafts of one draft key to another, so that nobody else who knows the old key can open them. */
export async function rekeyDrafts(db: Db, fromKey: string, toKey: string): Promise<void> {
  await replaceDraftKey(db, hashToken(fromKey), hashToken(toKey));
}
