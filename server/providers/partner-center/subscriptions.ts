/** Subscriptions of a customer: read them, and change seats, status, auto-renewal or the next term. */
import { z } from "zod";
import { asKind } from "../errors.ts";
import { type Answer, errorOf, pathOf, readAnswer } from "../http.ts";
import type { Api } from "./api.ts";
import type { BillingCycle, TermDuration } from "./ordering.ts";

/**
 * Loose on purpose: a change sends the whole resource, and Microsoft resets fields that are left out (such as auto-renewal
 * and the schedule). So every field is kept, known to us or not.
 */
const subscriptionSchema = z.looseObject({
  id: z.string().min(1),
  offerId: z.string().nullish(),
  friendlyName: z.string().nullish(),
  parentSubscriptionId: z.string().nullish(),
  orderId: z.string().nullish(),
  quantity: z.number().int(),
  /** "active", "suspended", "deleted", "expired", "pending", ... */
  status: z.string(),
  autoRenewEnabled: z.boolean().nullish(),
  /** ISO 8601 instants, as are the dates below. This is the subscription's start, not the running term's. */
  effectiveStartDate: z.string().nullish(),
  creationDate: z.string().nullish(),
  /** The end of the running term. */
  commitmentEndDate: z.string().nullish(),
  cancellationAllowedUntilDate: z.string().nullish(),
  billingCycle: z.string().nullish(),
  termDuration: z.string().nullish(),
  isTrial: z.boolean().nullish(),
  refundableQuantity: z.unknown().optional(),
  scheduledNextTermInstructions: z.unknown().optional(),
  attributes: z.looseObject({ etag: z.string().nullish() }).nullish(),
});

/** The resource as Microsoft sent it, unknown fields included. Pass it back whole to updateSubscription. */
export type PartnerSubscription = z.infer<typeof subscriptionSchema>;

/** The subscription's state after its term ends. */
export interface NextTermInstructions {
  product: {
    productId: string;
    skuId: string;
    availabilityId: string;
    billingCycle: BillingCycle;
    termDuration: TermDuration;
  };
  quantity: number;
}

export interface SubscriptionChanges {
  quantity?: number;
  /** "deleted" cancels, within 7 days of the purchase or renewal. */
  status?: "active" | "suspended" | "deleted";
  autoRenewEnabled?: boolean;
  /** Null removes the scheduled change. */
  scheduledNextTermInstructions?: NextTermInstructions | null;
}

/** "pending": Microsoft accepted the change (202) and is still working on it. Read the subscription later. */
export type UpdateResult =
  | { outcome: "updated"; subscription: PartnerSubscription }
  | { outcome: "pending"; location: string | null };

export interface SubscriptionCalls {
  listSubscriptions(tenantId: string): Promise<PartnerSubscription[]>;
  getSubscription(tenantId: string, subscriptionId: string): Promise<PartnerSubscription>;
  updateSubscription(
    tenantId: string,
    subscription: PartnerSubscription,
    changes: SubscriptionChanges,
    requestId: string,
  ): Promise<UpdateResult>;
}

const listReply = z.object({ items: z.array(subscriptionSchema) });

/** Refusals that go away after rereading the subscription and repeating the change: stale etag, operation under way. */
const passingCodes = new Set(["2055", "900278"]);

export function subscriptionCalls(api: Api): SubscriptionCalls {
  return {
    /** `GET /v1/customers/{id}/subscriptions`. @throws ProviderError */
    async listSubscriptions(tenantId) {
      const answer = await api({ method: "GET", path: pathOf`/v1/customers/${tenantId}/subscriptions` });
      return readAnswer(answer, listReply).items;
    },

    /** `GET /v1/customers/{id}/subscriptions/{sid}`. @throws ProviderError */
    async getSubscription(tenantId, subscriptionId) {
      const path = pathOf`/v1/customers/${tenantId}/subscriptions/${subscriptionId}`;
      return readAnswer(await api({ method: "GET", path }), subscriptionSchema);
    },

    /**
     * `PATCH` of the whole resource as just read, with its etag. A change in mid-term deletes the schedule for the next term,
     * so pass `scheduledNextTermInstructions` again to keep it.
     * Codes a caller may meet: 2002 seats out of range, 800067 seat cap, 800073 to 800075 under review or rejected, 800090
     * too late to reduce or cancel.
     * @throws ProviderError; transient for a stale etag (2055) or an operation under way (900278): read again, retry.
     */
    async updateSubscription(tenantId, subscription, changes, requestId) {
      const etag = subscription.attributes?.etag;
      const answer = await api({
        method: "PATCH",
        path: pathOf`/v1/customers/${tenantId}/subscriptions/${subscription.id}`,
        requestId,
        headers: etag ? { "If-Match": etag } : {},
        json: { ...subscription, ...changes },
      });
      if (answer.status === 202) return { outcome: "pending", location: answer.location };
      if (isPassing(answer)) throw asKind(errorOf(answer), "transient", answer.call);
      return { outcome: "updated", subscription: readAnswer(answer, subscriptionSchema) };
    },
  };
}

function isPassing(answer: Answer): boolean {
  return answer.status >= 400 && passingCodes.has(errorOf(answer).code ?? "");
}
