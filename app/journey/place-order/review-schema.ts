/** What the review page posts, by its intent. */
import { z } from "zod";
import { paidFields } from "#server/payments/provider.ts";

/** Place Order works only with the terms accepted; the total shown comes back to be compared. */
const placeOrderSchema = z.object({
  intent: z.literal("place-order"),
  terms: z.literal("on", { error: "Please accept the terms to place the order." }),
  total: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
});
const retrySchema = z.object({ intent: z.literal("submit") });
/** Handed over by a checkout in the page. */
const paidSchema = paidFields.extend({ intent: z.literal("paid") });

export const reviewSchema = z.discriminatedUnion("intent", [placeOrderSchema, retrySchema, paidSchema]);
