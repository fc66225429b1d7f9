/**
 * What a transfer token would move to us, compared with the order: asked before the payment, and again before anything is
 * moved (docs/decisions/google-transfers.md).
 */

import { itemsByVendorKey, vendorKey } from "#db/vendor-catalogue.ts";
import { findItem } from "#server/catalogue/items.ts";
import type { Context } from "#server/context.ts";
import { licences } from "#server/pricing/quantity.ts";
import { ProviderError } from "#server/providers/errors.ts";
import {
  isTransferTokenRefused,
  pickYearlyCommitment,
  skuName,
  type TransferableSku,
} from "#server/providers/google.ts";
import type { OrderedPlan } from "../family.ts";
import { skuOf } from "./catalogue.ts";

export const tokenRefused =
  "Google did not accept the transfer token. It may be mistyped, used or older than 14 days. Please enter a new one.";

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
  constructor(message: string, field: "transferToken" | "quantity" = "transferToken") {
    super(message);
    this.field = field;
  }
}

/** In our words: what stops it, and what the customer can do about it. */
const ineligible: Readonly<Record<string, string>> = {
  PENDING_TOS_ACCEPTANCE:
    "its terms of service have not been accepted yet. A super administrator has to accept them at admin.google.com",
  SKU_SUSPENDED: "the subscription is suspended. Your present reseller has to reactivate it",
  SKU_NOT_ELIGIBLE: "this plan cannot change resellers. Leave it out when you generate the token",
};
const ineligibleForUnknownReason = "Google gives no reason. Please ask your present reseller";

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
    if (isEligible) continue;
    const why = ineligible[ineligibilityReason ?? ""] ?? ineligibleForUnknownReason;
    throw new TransferRefused(`Google does not move ${name}: ${why}. Then enter a new token.`);
  }
  const [only, ...more] = named;
  if (only === undefined) return { cloudIdentityId, moving: null };
  if (more.length > 0) {
    const all = new Intl.ListFormat("en-GB").format(named.map(({ name }) => name));
    throw new TransferRefused(
      `This token moves ${all} together, and an order here is for one plan. Generate a token for ${plan.name} alone, and order the others with tokens of their own.`,
    );
  }
  const ordered = skuName(await skuOf(context, plan));
  if (only.sku !== ordered) {
    throw new TransferRefused(
      `This token moves ${only.name}, but this order is for ${plan.name}. Generate a token for ${plan.name}, or order ${only.name} if we sell it.`,
    );
  }
  const offers = await google.listTransferableOffers({ cloudIdentityId, sku: only.sku });
  const offer = pickYearlyCommitment(offers, only.sku, plan.country);
  if (offer === undefined) {
    throw new TransferRefused(
      `Google does not move ${only.name} to a yearly plan, which is how we sell it. Please contact us.`,
    );
  }
  const { minUnits: leastSeats = 1, maxUnits = Number.POSITIVE_INFINITY } = offer;
  if (quantity < leastSeats || quantity > maxUnits) {
    const limit =
      quantity < leastSeats ? `no fewer than ${licences(leastSeats)}` : `no more than ${licences(maxUnits)}`;
    throw new TransferRefused(
      `Google moves ${only.name} with ${limit}. Please order as many, or change the number at your present reseller first.`,
      "quantity",
    );
  }
  return { cloudIdentityId, moving: { offer: offer.name, leastSeats } };
}

/** As the catalogue calls it, else as Google does. */
async function nameOf({ db }: Context, { sku, displayName }: TransferableSku): Promise<string> {
  const [, productId = "", , skuId = ""] = sku.split("/");
  const itemId = (await itemsByVendorKey(db, "google")).get(vendorKey({ productId, skuId }));
  const item = itemId === undefined ? null : await findItem(db, itemId);
  return item?.name ?? displayName ?? skuId;
}
