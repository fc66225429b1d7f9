/**
 * The buyer's own references for an order: the rules of their texts. Permission and deadline for changes are in
 * server/billing/documents/references.ts.
 */
import { z } from "zod";
import type { OrderReferences } from "#db/orders/order.ts";
import { schemaMessage } from "#server/foundation/languages/text.ts";

/** Maximum lengths in characters. */
export const maxReferenceLength = { purchaseOrder: 40, costCentre: 40, note: 200 } as const;

export const noReferences: OrderReferences = { purchaseOrder: null, costCentre: null, note: null };

const reference = (most: number) =>
  z
    .string()
    .trim()
    .max(most, schemaMessage("fields.tooManyCharacters", { count: most }))
    .optional()
    .transform((text) => text || null);

/** Form fields of the references. An empty or missing field becomes null. */
export const referenceFields = {
  purchaseOrder: reference(maxReferenceLength.purchaseOrder),
  costCentre: reference(maxReferenceLength.costCentre),
  note: reference(maxReferenceLength.note),
};

/** Picks the references from a form's answers. */
export const pickReferences = ({ purchaseOrder, costCentre, note }: OrderReferences): OrderReferences => ({
  purchaseOrder,
  costCentre,
  note,
});

export function areSameReferences(one: OrderReferences, other: OrderReferences): boolean {
  return (
    one.purchaseOrder === other.purchaseOrder &&
    one.costCentre === other.costCentre &&
    one.note === other.note
  );
}
