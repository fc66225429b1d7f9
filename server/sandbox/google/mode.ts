/** How Google behaves, as `/control/google` sets it. Kept in memory only. */
import { z } from "zod";

export const skuName = z
  .string()
  .regex(/^products\/[^/]+\/skus\/[^/]+$/, "must be products/{product}/skus/{sku}");

export const googleModeSchema = z
  .object({
    /** An operation is done when it has been polled so often, or so many milliseconds after its start, whichever comes first. */
    operationPolls: z.int().positive(),
    operationMs: z.int().nonnegative(),
    /** What a domain starting `transfer` holds at its present reseller. */
    transferableSkus: z.array(skuName).min(1),
  })
  .partial();

export type GoogleMode = Readonly<Required<z.infer<typeof googleModeSchema>>>;

export const defaultMode: GoogleMode = {
  operationPolls: 1,
  operationMs: 1000,
  transferableSkus: ["products/google-workspace/skus/GW-BUSINESS-STARTER"],
};
