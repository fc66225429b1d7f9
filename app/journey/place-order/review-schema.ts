/** The review page's posts, by intent. */
import { z } from "zod";
import { paidFields } from "#server/payments/provider.ts";

/** Place Order requires the accepted terms. The total shown is posted back for comparison. */
const placeOrderSchema = z.object({
  intent: z.literal("place-order"),
  terms: z.literal("on", { error: "Please accept the terms to place the order." }),
  total: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  /** The version of the vendor's agreement that was shown; empty when there was none. */
  agreement: z
    .string()
    .max(100)
    .optional()
    .transform((version) => version || null),
});
const retrySchema = z.object({ intent: z.literal("submit") });
/** The result of an in-page checkout. */
const paidSchema = paidFields.extend({ intent: z.literal("paid") });

export const reviewSchema = z.discriminatedUnion("intent", [placeOrderSchema, retrySchema, paidSchema]);
