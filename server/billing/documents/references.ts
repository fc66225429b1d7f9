/** Changes of the buyer's own references for an order, which are possible until its invoice prints them. */
import type { OrderId } from "#db/ids.ts";
import type { Order, OrderReferences } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { requireBuyer } from "#server/orders/draft.ts";
import { lockOrderFor, type Requester } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { isPaid, isRefunded } from "#server/orders/payment-state.ts";
import { areSameReferences } from "#server/orders/references.ts";
import { findInvoice, type Invoice } from "./issue.ts";

/** Whether an order's references may still be changed: until its invoice is issued. A proforma keeps those it was issued with. */
export async function mayChangeReferences(db: Db, order: Order): Promise<boolean> {
  return mayChangeReferencesOf(order, isPaid(order) ? await findInvoice(db, order.id) : null);
}

/** The same check for an invoice that was read already; null without one. */
export function mayChangeReferencesOf(order: Order, invoice: Invoice | null): boolean {
  return !isRefunded(order) && (!isPaid(order) || invoice === null);
}

/**
 * Changes the references. The price and a payment begun do not depend on them and stay.
 * @throws DomainError not_found for another's order; forbidden for a viewer; conflict once invoiced or refunded
 */
export async function changeReferences(
  trx: Trx,
  { orderId, references, requester }: { orderId: OrderId; references: OrderReferences; requester: Requester },
): Promise<void> {
  const { order, requester: current } = await lockOrderFor(trx, orderId, requester);
  requireBuyer(current);
  if (areSameReferences(order.references, references)) return;
  if (isRefunded(order)) throw new DomainError("conflict", msg("refusals.alreadyRefunded"));
  if (!(await mayChangeReferences(trx, order))) throw new DomainError("conflict", msg("references.invoiced"));
  await moveOrder(trx, order, { references, removedAt: order.removedAt });
}
