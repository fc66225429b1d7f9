/**
 * Compares the subscriptions that a transfer token would move to us with the order: before the payment, and again before anything
 * is moved (docs/decisions/tenants.md#google-transfers).
 */

import { itemsByVendorKey, vendorKey } from "#db/catalogue/vendor-catalogue.ts";
import { findItem } from "#server/catalogue/items.ts";
import { brand } from "#server/foundation/brand.ts";
import { english, type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import {
  isTransferTokenRefused,
  pickYearlyCommitment,
  skuName,
  type TransferableSku,
} from "#server/integrations/google.ts";
import type { Context } from "#server/platform/context.ts";
import type { OrderedPlan } from "../family.ts";
import { skuOf } from "./catalogue.ts";

export const tokenRefused = msg("families.tokenRefused");

export interface TransferRequest {
  domain: string;
  authToken: string;
  plan: OrderedPlan;
  quantity: number;
}

export interface TransferPlan {
  /** Google's id of the account. */
  cloudIdentityId: string;
  /** The ordered plan as it moves; null when the account has no subscription to move. */
  moving: { offer: string; minSeats: number } | null;
}

/** Thrown when the token would move something other than the ordered plan, or nothing that can be moved. */
export class TransferRefusedError extends Error {
  /** Field of the first step that has to change. */
  readonly field: "transferToken" | "quantity";
  readonly descriptor: MessageDescriptor;
  constructor(message: MessageDescriptor, field: "transferToken" | "quantity" = "transferToken") {
    super(english(message));
    this.descriptor = message;
    this.field = field;
  }
}

/** Returns our own message: the obstacle, and what the customer can do about it. */
function whyIneligible(reason: string | undefined, name: string): MessageDescriptor {
  switch (reason) {
    case "PENDING_TOS_ACCEPTANCE":
      return msg("families.termsNotAccepted", { name });
    case "SKU_SUSPENDED":
      return msg("families.planSuspended", { name });
    case "SKU_NOT_ELIGIBLE":
      return msg("families.planStays", { name });
    default:
      return msg("families.notMoved", { name });
  }
}

/**
 * Compares a transfer token with the order. Google moves everything that the token was generated for, or nothing. An order is for
 * one plan, so the token has to name only that plan, with no more licences than ordered.
 * @throws TransferRefusedError when it does not
 * @throws ProviderError when Google does not respond
 */
export async function planTransfer(context: Context, request: TransferRequest): Promise<TransferPlan> {
  const { google } = context;
  const { domain, authToken, plan, quantity } = request;
  const { customerCloudIdentityId: cloudIdentityId } = await google.checkDomain(domain);
  if (cloudIdentityId === undefined) {
    throw new ProviderError("google", "refused", "transfer", { code: "NO_IDENTITY" });
  }
  const found = await google.listTransferableSkus({ cloudIdentityId, authToken }).catch((error: unknown) => {
    throw isTransferTokenRefused(error) ? new TransferRefusedError(tokenRefused) : error;
  });
  const named = await Promise.all(found.map(async (one) => ({ ...one, name: await nameOf(context, one) })));
  for (const { isEligible, ineligibilityReason, name } of named) {
    if (!isEligible) throw new TransferRefusedError(whyIneligible(ineligibilityReason, name));
  }
  const [only, ...more] = named;
  if (only === undefined) return { cloudIdentityId, moving: null };
  if (more.length > 0) {
    const all = named.map(({ name }) => name);
    throw new TransferRefusedError(msg("families.movesTogether", { all, plan: plan.name }));
  }
  const orderedSku = skuName(await skuOf(context, plan));
  if (only.sku !== orderedSku) {
    throw new TransferRefusedError(
      msg("families.movesOther", { found: only.name, plan: plan.name, email: brand.supportEmail }),
    );
  }
  const offers = await google.listTransferableOffers({ cloudIdentityId, sku: only.sku });
  const offer = pickYearlyCommitment(offers, only.sku, plan.country);
  if (offer === undefined)
    throw new TransferRefusedError(msg("families.notYearly", { name: only.name, email: brand.supportEmail }));
  const { minUnits: minSeats = 1, maxUnits = Number.POSITIVE_INFINITY } = offer;
  const { name } = only;
  if (quantity < minSeats)
    throw new TransferRefusedError(msg("families.movesAtLeast", { name, count: minSeats }), "quantity");
  if (quantity > maxUnits)
    throw new TransferRefusedError(msg("families.movesAtMost", { name, count: maxUnits }), "quantity");
  return { cloudIdentityId, moving: { offer: offer.name, minSeats } };
}

/** Returns the catalogue's name for it, else Google's. */
async function nameOf({ db }: Context, { sku, displayName }: TransferableSku): Promise<string> {
  const [, productId = "", , skuId = ""] = sku.split("/");
  const itemId = (await itemsByVendorKey(db, "google")).get(vendorKey({ productId, skuId }));
  const item = itemId === undefined ? null : await findItem(db, itemId);
  return item?.name ?? displayName ?? skuId;
}
