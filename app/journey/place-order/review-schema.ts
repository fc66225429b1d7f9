/** The review page's posts, by intent. */
import { z } from "zod";
import { paidFields } from "#server/billing/payments/registry.ts";
import { otherMethods } from "#server/catalogue/pricing/payment-methods.ts";
import { schemaMessage } from "#server/foundation/languages/text.ts";
import { referenceFields } from "#server/orders/references.ts";

export const placingIntents = ["place-order", "pay-otherwise"] as const;
/** Place Order requires the accepted terms. The total shown is posted back for comparison. */
export const placeOrderSchema = z.object({
  /** The second intent opens the checkout with the methods next to the card. */
  intent: z.enum(placingIntents),
  terms: z.literal("on", { error: schemaMessage("steps.acceptTerms") }),
  total: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  ...referenceFields,
  /** Set by a form with the fields for references: without it they stay unchanged. */
  references: z.literal("asked").optional(),
  /** The version of the vendor's agreement that was shown; empty when there was none. */
  agreement: z
    .string()
    .max(100)
    .optional()
    .transform((version) => version || null),
});
/** The same, for payment outside the checkout. A page from an earlier release sends no method. */
export const otherMethodSchema = placeOrderSchema.extend({ way: z.enum(otherMethods).default("transfer") });
const leavingIntents = ["quote", "another-way"] as const;
export type LeavingIntent = (typeof leavingIntents)[number];
/** Leads to a quote or another way to pay, and saves the references. */
const leaveSchema = z.object({
  intent: z.enum(leavingIntents),
  ...referenceFields,
  references: z.literal("asked").optional(),
});
const retrySchema = z.object({ intent: z.literal("submit") });
/** The result of an in-page checkout. */
const paidSchema = paidFields.extend({ intent: z.literal("paid") });

export const reviewSchema = z.discriminatedUnion("intent", [
  placeOrderSchema,
  leaveSchema,
  retrySchema,
  paidSchema,
]);
