/** Changes what the buyer's own books call an order, which is possible until its invoice says it. */
import type { OrderId } from "#db/ids.ts";
import type { Order, OrderReferences } from "#db/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { DomainError, notFound } from "#server/errors.ts";
import { told } from "#server/languages/text.ts";
import { requireBuyer } from "#server/orders/draft.ts";
import { type Asker, lockOrder, mayOpen } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import { isPaid, isRefunded } from "#server/orders/order.ts";
import { areSameReferences } from "#server/orders/references.ts";
import { findInvoice, type Invoice } from "./issue.ts";

/** Whether an order's references may still be changed: until its invoice is issued. A proforma keeps those it was issued with. */
export async function mayChangeReferences(db: Db, order: Order): Promise<boolean> {
  return mayChangeBefore(order, isPaid(order) ? await findInvoice(db, order.id) : null);
}

/** The same where the order's invoice, if any, has been read. */
export function mayChangeBefore(order: Order, invoice: Invoice | null): boolean {
  return !isRefunded(order) && (!isPaid(order) || invoice === null);
}

/**
 * Neither the price nor a payment that was begun depends on them, so both stay.
 * @throws DomainError not_found for another's order; forbidden for a viewer; conflict once invoiced or refunded
 */
export async function changeReferences(
  trx: Trx,
  { orderId, references, asker }: { orderId: OrderId; references: OrderReferences; asker: Asker },
): Promise<void> {
  const order = await lockOrder(trx, orderId);
  if (!mayOpen(order, asker)) throw notFound("order");
  requireBuyer(asker);
  if (areSameReferences(order.references, references)) return;
  if (isRefunded(order)) throw new DomainError("conflict", told("refusals.alreadyRefunded"));
  if (!(await mayChangeReferences(trx, order)))
    throw new DomainError("conflict", told("references.invoiced"));
  await moveOrder(trx, order, { references, removedAt: order.removedAt });
}
