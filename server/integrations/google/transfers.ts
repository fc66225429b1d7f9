/** Transfers a customer from another reseller or from Google, authorised by the buyer's transfer token. */
import { z } from "zod";
import { headerLine } from "#server/foundation/single-line.ts";
import { ProviderError, pathOf } from "../http.ts";
import { type Api, allPages, requireGoogleRequestId, resourcePath } from "./api.ts";
import type { GoogleConfig } from "./config.ts";
import { entitlementResult, type NewEntitlement, wireEntitlement } from "./entitlements.ts";
import { readReply } from "./errors.ts";
import { type GoogleOffer, offer } from "./offers.ts";
import { operationOf } from "./operations.ts";

export interface TransferableSku {
  /** `products/{p}/skus/{s}`: the argument of listTransferableOffers. */
  sku: string;
  displayName: string | undefined;
  isEligible: boolean;
  /** "PENDING_TOS_ACCEPTANCE", "SKU_NOT_ELIGIBLE", "SKU_SUSPENDED". */
  ineligibilityReason: string | undefined;
}

export interface TransferCalls {
  listTransferableSkus(from: { cloudIdentityId: string; authToken: string }): Promise<TransferableSku[]>;
  listTransferableOffers(from: { cloudIdentityId: string; sku: string }): Promise<GoogleOffer[]>;
  transferEntitlements(
    customer: string,
    transfer: { entitlements: readonly NewEntitlement[]; authToken: string },
    requestId: string,
  ): Promise<string>;
}

const skusReply = z.object({
  transferableSkus: z
    .array(
      z
        .object({
          sku: z.object({
            name: z.string().min(1),
            marketingInfo: z
              .object({ displayName: z.string().overwrite(headerLine).optional() })
              .optional()
              .catch(undefined),
          }),
          transferEligibility: z
            .object({
              isEligible: z.boolean().default(false),
              ineligibilityReason: z.string().optional(),
            })
            .optional(),
        })
        .transform(
          (wire): TransferableSku => ({
            sku: wire.sku.name,
            displayName: wire.sku.marketingInfo?.displayName,
            isEligible: wire.transferEligibility?.isEligible ?? false,
            ineligibilityReason: wire.transferEligibility?.ineligibilityReason,
          }),
        ),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});

const offersReply = z.object({
  transferableOffers: z.array(z.object({ offer })).default([]),
  nextPageToken: z.string().optional(),
});

/** Response of a transfer operation: the entitlements as they are now with us. */
export const transferResult = z
  .object({ entitlements: z.array(entitlementResult).default([]) })
  .transform((wire) => wire.entitlements);

export function transferCalls(api: Api, config: GoogleConfig): TransferCalls {
  const account = pathOf`/v1/accounts/${config.accountId}`;
  return {
    /**
     * `POST /v1/accounts/{a}:listTransferableSkus`: everything that has to move with the customer.
     * @throws ProviderError; isTransferTokenRefused detects a bad token.
     */
    async listTransferableSkus({ cloudIdentityId, authToken }) {
      const path = `${account}:listTransferableSkus`;
      return allPages(`POST ${path}`, async (page) => {
        const json = { cloudIdentityId, authToken, ...page };
        const answer = await api({ api: "channel", method: "POST", path, json, secrets: [authToken] });
        const reply = readReply(answer, skusReply);
        return { items: reply.transferableSkus, nextPageToken: reply.nextPageToken };
      });
    },

    /**
     * `POST /v1/accounts/{a}:listTransferableOffers`: the offers that one SKU can move to. pickYearlyCommitment picks ours.
     * @throws ProviderError
     */
    async listTransferableOffers({ cloudIdentityId, sku }) {
      const path = `${account}:listTransferableOffers`;
      return allPages(`POST ${path}`, async (page) => {
        const json = { cloudIdentityId, sku, ...page };
        const answer = await api({ api: "channel", method: "POST", path, json });
        const reply = readReply(answer, offersReply);
        return {
          items: reply.transferableOffers.map((one) => one.offer),
          nextPageToken: reply.nextPageToken,
        };
      });
    },

    /**
     * `POST /v1/{customer}:transferEntitlements`: all of the customer's entitlements together, each starting a new term.
     * Returns the operation's name; its result is transferResult. Idempotent by request id.
     * @throws ProviderError; isTransferTokenRefused detects a bad token; FAILED_PRECONDITION: one is left out, or the domain
     *   is not verified; ALREADY_EXISTS: moved before.
     */
    async transferEntitlements(customer, { entitlements, authToken }, requestId) {
      const answer = await api({
        api: "channel",
        method: "POST",
        path: `${resourcePath("customer", customer)}:transferEntitlements`,
        json: {
          entitlements: entitlements.map(wireEntitlement),
          authToken,
          requestId: requireGoogleRequestId(requestId),
        },
        requestId,
        secrets: [authToken],
      });
      return operationOf(answer);
    },
  };
}

/**
 * Whether the error of a call or operation with a transfer token means that the token is wrong, used or expired. Google has no
 * specific code for this and returns INVALID_ARGUMENT or PERMISSION_DENIED (docs/providers.md, section 2.4). The buyer is then
 * asked for a new token. importCustomer and listTransferableSkus have few other arguments that could be wrong. For
 * transferEntitlements the same codes may also concern its offers or seats.
 */
export function isTransferTokenRefused(error: unknown): boolean {
  return (
    error instanceof ProviderError &&
    // Only this client's errors: the codes of others have other meanings.
    error.provider === "google" &&
    error.kind === "refused" &&
    (error.code === "INVALID_ARGUMENT" || error.code === "PERMISSION_DENIED")
  );
}
