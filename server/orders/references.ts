/** What the buyer's own books call an order: the rules of its texts. Who may change them, and until when, is in documents/references.ts. */
import { z } from "zod";
import type { OrderReferences } from "#db/orders/order.ts";
import { schemaMessage } from "#server/foundation/languages/text.ts";

/** The most characters of each. */
export const maxReferenceLength = { purchaseOrder: 40, costCentre: 40, note: 200 } as const;

export const noReferences: OrderReferences = { purchaseOrder: null, costCentre: null, note: null };

const reference = (most: number) =>
  z
    .string()
    .trim()
    .max(most, schemaMessage("fields.tooManyCharacters", { count: most }))
    .optional()
    .transform((text) => text || null);

/** The fields of a form that asks for them. One that is empty, or left out, is null. */
export const referenceFields = {
  purchaseOrder: reference(maxReferenceLength.purchaseOrder),
  costCentre: reference(maxReferenceLength.costCentre),
  note: reference(maxReferenceLength.note),
};

/** The same references, out of a form's other answers. */
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
