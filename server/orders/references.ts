/** What the buyer's own books call an order: the rules of its texts. Who may change them, and until when, is in documents/references.ts. */
import { z } from "zod";
import type { OrderReferences } from "#db/order.ts";
import { issue } from "#server/languages/text.ts";

/** The most characters of each. */
export const longestReference = { purchaseOrder: 40, costCentre: 40, note: 200 } as const;

export const noReferences: OrderReferences = { purchaseOrder: null, costCentre: null, note: null };

/** Control characters, and those that turn the direction of the text after them. */
const unwanted = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

const reference = (most: number) =>
  z
    .string()
    .trim()
    .max(most, issue("fields.tooManyCharacters", { count: most }))
    .refine((text) => !unwanted.test(text), issue("fields.unclean"))
    .optional()
    .transform((text) => text || null);

/** The fields of a form that asks for them. One that is empty, or left out, is null. */
export const referenceFields = {
  purchaseOrder: reference(longestReference.purchaseOrder),
  costCentre: reference(longestReference.costCentre),
  note: reference(longestReference.note),
};

/** The same references, out of a form's other answers. */
export const referencesIn = ({ purchaseOrder, costCentre, note }: OrderReferences): OrderReferences => ({
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
