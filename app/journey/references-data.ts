/** View model of the forms for an order's references, and their saving. */
import type { OrderId } from "#db/ids.ts";
import type { Order, OrderReferences } from "#db/orders/order.ts";
import { changeReferences } from "#server/billing/documents/references.ts";
import { maxReferenceLength, pickReferences } from "#server/orders/references.ts";
import type { RequestContext } from "../http/request-context.ts";
import { requesterOf } from "./guard.ts";
import type { ReferenceTexts } from "./references-fields.tsx";

export function referencesForm({ references: { purchaseOrder, costCentre, note } }: Order) {
  const given: ReferenceTexts = {
    purchaseOrder: purchaseOrder ?? "",
    costCentre: costCentre ?? "",
    note: note ?? "",
  };
  return { given, longest: maxReferenceLength };
}

/** Saves the references, independently of the payment in the same form. @throws DomainError as changeReferences */
export async function saveReferences(
  request: RequestContext,
  orderId: OrderId,
  answers: OrderReferences,
): Promise<void> {
  const references = pickReferences(answers);
  const requester = requesterOf(request);
  await request.context.db
    .transaction()
    .execute((trx) => changeReferences(trx, { orderId, references, requester }));
}
