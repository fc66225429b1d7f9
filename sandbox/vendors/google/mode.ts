/** How Google behaves, as `/control/google` sets it. Kept in memory only. */
import { z } from "zod";

export const skuName = z
  .string()
  .regex(/^products\/[^/]+\/skus\/[^/]+$/, "must be products/{product}/skus/{sku}");

/** A subscription at another reseller. A name alone is one that moves, with one unit. */
export const heldElsewhere = z.union([
  skuName.transform((sku) => ({ sku, units: 1, ineligibilityReason: null })),
  z.object({
    sku: skuName,
    /** What it may not be moved below. */
    units: z.int().positive().default(1),
    ineligibilityReason: z
      .enum(["PENDING_TOS_ACCEPTANCE", "SKU_NOT_ELIGIBLE", "SKU_SUSPENDED"])
      .nullable()
      .default(null),
  }),
]);
export type HeldElsewhere = z.infer<typeof heldElsewhere>;

export const googleModeSchema = z
  .object({
    /**
     * Without delays, an operation is done when it has been polled so often, or so many milliseconds after its start, whichever
     * comes first.
     */
    operationPolls: z.int().positive(),
    operationMs: z.int().nonnegative(),
    /** What a domain starting `transfer` holds at its present reseller. */
    transferableSkus: z.array(heldElsewhere).min(1),
    /** Whether customers made or imported from now on accept the terms of service by `/control/accept-terms` alone, not after a while. */
    termsPending: z.boolean(),
    /** Cloud Channel's quota for all calls but operations, as of a rolling minute; 0 for none. */
    callsPerMinute: z.int().nonnegative(),
  })
  .partial();

export type GoogleMode = Readonly<Required<z.infer<typeof googleModeSchema>>>;

const held = (id: string, more: Partial<HeldElsewhere> = {}, product = "Google-Apps"): HeldElsewhere => ({
  sku: `products/${product}/skus/${id}`,
  units: 1,
  ineligibilityReason: null,
  ...more,
});
const starter = "1010020027";
const plus = "1010020025";

export const defaultMode: GoogleMode = {
  operationPolls: 1,
  operationMs: 1000,
  transferableSkus: [held(starter)],
  termsPending: false,
  callsPerMinute: 0,
};

/** What a domain that begins so holds, whatever the mode says; docs/sandbox.md lists them. */
export const skusByDomainPrefix: Readonly<Record<string, readonly HeldElsewhere[]>> = {
  "transfer-mixed": [
    held(starter),
    held("Google-Vault", { ineligibilityReason: "SKU_NOT_ELIGIBLE" }, "Google-Vault"),
  ],
  "transfer-both": [held(starter, { units: 4 }), held(plus, { units: 2 })],
  "transfer-large": [held(starter, { units: 12 })],
  "transfer-plus": [held(plus)],
  "transfer-terms": [held(starter, { ineligibilityReason: "PENDING_TOS_ACCEPTANCE" })],
  "transfer-suspended": [held(starter, { ineligibilityReason: "SKU_SUSPENDED" })],
};
