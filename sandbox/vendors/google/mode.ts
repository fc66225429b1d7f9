/** Behaviour of Google, set by `/control/google`. Kept in memory only. */
import { z } from "zod";

export const skuName = z
  .string()
  .regex(/^products\/[^/]+\/skus\/[^/]+$/, "must be products/{product}/skus/{sku}");

/** A subscription at another reseller. A plain name is transferable, with one unit. */
export const heldElsewhere = z.union([
  skuName.transform((sku) => ({ sku, units: 1, ineligibilityReason: null })),
  z.object({
    sku: skuName,
    /** Minimum units after a transfer. */
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
     * Without delays, an operation is done after this number of polls, or this number of milliseconds after its start, whichever
     * comes first.
     */
    operationPolls: z.int().positive(),
    operationMs: z.int().nonnegative(),
    /** Subscriptions at the current reseller of a domain starting `transfer`. */
    transferableSkus: z.array(heldElsewhere).min(1),
    /** Whether new or imported customers accept the terms of service only through `/control/accept-terms`, not after a delay. */
    termsPending: z.boolean(),
    /** Cloud Channel's quota for all calls but operations, per rolling minute; 0 for none. */
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

/** Subscriptions of domains with these prefixes, regardless of the mode; listed in docs/sandbox.md. */
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
