/**
 * What a transfer token would move to us, compared with the order: asked before the payment, and again before anything is
 * moved (docs/decisions/google-transfers.md).
 */

import { itemsByVendorKey, vendorKey } from "#db/vendor-catalogue.ts";
import { findItem } from "#server/catalogue/items.ts";
import type { Context } from "#server/context.ts";
import { english, type Told, told } from "#server/languages/text.ts";
import { ProviderError } from "#server/providers/errors.ts";
import {
  isTransferTokenRefused,
  pickYearlyCommitment,
  skuName,
  type TransferableSku,
} from "#server/providers/google.ts";
import type { OrderedPlan } from "../family.ts";
import { skuOf } from "./catalogue.ts";

export const tokenRefused = told("families.tokenRefused");

export interface TransferAsked {
  domain: string;
  authToken: string;
  plan: OrderedPlan;
  quantity: number;
}

export interface TransferPlan {
  /** The account's id at Google. */
  cloudIdentityId: string;
  /** The ordered plan as it moves; null when the account comes without a subscription. */
  moving: { offer: string; leastSeats: number } | null;
}

/** The token would move something else than what is ordered, or nothing that may be moved. */
export class TransferRefused extends Error {
  /** The field of the first step that has to change. */
  readonly field: "transferToken" | "quantity";
  readonly told: Told;
  constructor(told: Told, field: "transferToken" | "quantity" = "transferToken") {
    super(english(told));
    this.told = told;
    this.field = field;
  }
}

/** In our words: what stops it, and what the customer can do about it. */
function whyIneligible(reason: string | undefined, name: string): Told {
  switch (reason) {
    case "PENDING_TOS_ACCEPTANCE":
      return told("families.termsNotAccepted", { name });
    case "SKU_SUSPENDED":
      return told("families.planSuspended", { name });
    case "SKU_NOT_ELIGIBLE":
      return told("families.planStays", { name });
    default:
      return told("families.notMoved", { name });
  }
}

/**
 * Google moves all that the token was generated for, or nothing. An order is for one plan, so the token has to name that plan
 * alone, with no more licences than are ordered.
 * @throws TransferRefused when it does not
 * @throws ProviderError when Google does not answer
 */
export async function planTransfer(context: Context, asked: TransferAsked): Promise<TransferPlan> {
  const { google } = context;
  const { domain, authToken, plan, quantity } = asked;
  const { customerCloudIdentityId: cloudIdentityId } = await google.checkDomain(domain);
  if (cloudIdentityId === undefined) {
    throw new ProviderError("google", "refused", "transfer", { code: "NO_IDENTITY" });
  }
  const found = await google.listTransferableSkus({ cloudIdentityId, authToken }).catch((error: unknown) => {
    throw isTransferTokenRefused(error) ? new TransferRefused(tokenRefused) : error;
  });
  const named = await Promise.all(found.map(async (one) => ({ ...one, name: await nameOf(context, one) })));
  for (const { isEligible, ineligibilityReason, name } of named) {
    if (!isEligible) throw new TransferRefused(whyIneligible(ineligibilityReason, name));
  }
  const [only, ...more] = named;
  if (only === undefined) return { cloudIdentityId, moving: null };
  if (more.length > 0) {
    const all = named.map(({ name }) => name);
    throw new TransferRefused(told("families.movesTogether", { all, plan: plan.name }));
  }
  const ordered = skuName(await skuOf(context, plan));
  if (only.sku !== ordered) {
    throw new TransferRefused(told("families.movesOther", { found: only.name, plan: plan.name }));
  }
  const offers = await google.listTransferableOffers({ cloudIdentityId, sku: only.sku });
  const offer = pickYearlyCommitment(offers, only.sku, plan.country);
  if (offer === undefined) throw new TransferRefused(told("families.notYearly", { name: only.name }));
  const { minUnits: leastSeats = 1, maxUnits = Number.POSITIVE_INFINITY } = offer;
  const { name } = only;
  if (quantity < leastSeats)
    throw new TransferRefused(told("families.movesAtLeast", { name, count: leastSeats }), "quantity");
  if (quantity > maxUnits)
    throw new TransferRefused(told("families.movesAtMost", { name, count: maxUnits }), "quantity");
  return { cloudIdentityId, moving: { offer: offer.name, leastSeats } };
}

/** As the catalogue calls it, else as Google does. */
async function nameOf({ db }: Context, { sku, displayName }: TransferableSku): Promise<string> {
  const [, productId = "", , skuId = ""] = sku.split("/");
  const itemId = (await itemsByVendorKey(db, "google")).get(vendorKey({ productId, skuId }));
  const item = itemId === undefined ? null : await findItem(db, itemId);
  return item?.name ?? displayName ?? skuId;
}
