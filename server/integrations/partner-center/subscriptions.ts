/** Subscriptions of a customer: read them, and change seats, status, auto-renewal or the next term. */
import { z } from "zod";
import { withKind } from "../errors.ts";
import { errorOf, type ProviderResponse, parseResponse, pathOf } from "../http.ts";
import type { Api } from "./api.ts";
import type { BillingCycle, TermDuration } from "./catalogue.ts";
import type { PartnerCenterConfig } from "./config.ts";

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
  /** End of the running term. */
  commitmentEndDate: z.string().nullish(),
  cancellationAllowedUntilDate: z.string().nullish(),
  billingCycle: z.string().nullish(),
  termDuration: z.string().nullish(),
  isTrial: z.boolean().nullish(),
  refundableQuantity: z.unknown().optional(),
  scheduledNextTermInstructions: z.unknown().optional(),
  scheduledActions: z.unknown().optional(),
  attributes: z.looseObject({ etag: z.string().nullish() }).nullish(),
});

/** The resource as Microsoft sent it, including unknown fields. Pass it whole to updateSubscription. */
export type PartnerSubscription = z.infer<typeof subscriptionSchema>;

/** Instructions for the next term. */
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
  /** "deleted" cancels, within 7 days of the purchase or renewal; a paid extension at any time. */
  status?: "active" | "suspended" | "deleted";
  /**
   * Whether another term, which `next` describes, follows the running one. Without auto-renewal a subscription does not end:
   * unless a cancellation is scheduled, it continues as a paid extended term.
   */
  endOfTerm?: { is: "renewed"; next: NextTermInstructions } | { is: "cancelled" };
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

const scheduledActions = z.array(
  z.looseObject({
    scheduleType: z.string().nullish(),
    scheduledType: z.string().nullish(),
    actionType: z.string(),
  }),
);

/** Whether the subscription ends with its term, and is neither renewed nor extended. */
export function endsWithTerm({
  autoRenewEnabled,
  scheduledActions: actions,
}: Pick<PartnerSubscription, "autoRenewEnabled" | "scheduledActions">): boolean {
  const { data = [] } = scheduledActions.safeParse(actions);
  const isCancelled = data.some(
    ({ scheduleType, scheduledType, actionType }) =>
      actionType === "Cancel" && (scheduleType ?? scheduledType) === "TermEnd",
  );
  return autoRenewEnabled !== true && isCancelled;
}

const nextTerm = z.object({ quantity: z.number().int() });

/** Returns the seats scheduled for the next term; null when none are named. */
export function scheduledQuantity(instructions: unknown): number | null {
  return nextTerm.safeParse(instructions).data?.quantity ?? null;
}

const refundable = z.object({
  details: z.array(
    z.object({
      quantity: z.number().int().nonnegative(),
      allowedUntilDateTime: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
    }),
  ),
});

/**
 * Returns the seats that can be cancelled, by purchase time; none for a suspended subscription, whose seats cannot be changed.
 */
export function refundableBatches({
  refundableQuantity,
}: Pick<PartnerSubscription, "refundableQuantity">): z.output<typeof refundable>["details"] {
  return refundable.safeParse(refundableQuantity).data?.details ?? [];
}

const listReply = z.object({ items: z.array(subscriptionSchema) });

/** Refusals that disappear after rereading the subscription and repeating the change: stale etag, operation in progress. */
const passingCodes = new Set(["2055", "900278"]);

export function subscriptionCalls(
  api: Api,
  { scheduleKey = "scheduleType" }: Pick<PartnerCenterConfig, "scheduleKey">,
): SubscriptionCalls {
  /** Fields left out are reset, and with both kinds of schedule only `scheduledActions` would count. */
  function wireOf({ endOfTerm, ...changes }: SubscriptionChanges): object {
    if (endOfTerm === undefined) return changes;
    return endOfTerm.is === "renewed"
      ? {
          ...changes,
          autoRenewEnabled: true,
          scheduledNextTermInstructions: endOfTerm.next,
          scheduledActions: null,
        }
      : {
          ...changes,
          autoRenewEnabled: false,
          scheduledNextTermInstructions: null,
          scheduledActions: [{ [scheduleKey]: "TermEnd", actionType: "Cancel" }],
        };
  }

  return {
    /** `GET /v1/customers/{id}/subscriptions`. @throws ProviderError */
    async listSubscriptions(tenantId) {
      const answer = await api({ method: "GET", path: pathOf`/v1/customers/${tenantId}/subscriptions` });
      return parseResponse(answer, listReply).items;
    },

    /** `GET /v1/customers/{id}/subscriptions/{sid}`. @throws ProviderError */
    async getSubscription(tenantId, subscriptionId) {
      const path = pathOf`/v1/customers/${tenantId}/subscriptions/${subscriptionId}`;
      return parseResponse(await api({ method: "GET", path }), subscriptionSchema);
    },

    /**
     * `PATCH` of the whole resource as just read, with its etag. A change of seats in mid-term deletes the schedule for the end
     * of the term, so that is set again after it. Possible codes: 2002 seats out of range, 800067 seat cap, 800073 to 800075
     * under review or rejected, 800090 too late to reduce or cancel.
     * @throws ProviderError; transient for a stale etag (2055) or an operation in progress (900278): read again, retry.
     */
    async updateSubscription(tenantId, subscription, changes, requestId) {
      const etag = subscription.attributes?.etag;
      const answer = await api({
        method: "PATCH",
        path: pathOf`/v1/customers/${tenantId}/subscriptions/${subscription.id}`,
        requestId,
        headers: etag ? { "If-Match": etag } : {},
        json: { ...subscription, ...wireOf(changes) },
      });
      if (answer.status === 202) return { outcome: "pending", location: answer.location };
      if (isPassing(answer)) throw withKind(errorOf(answer), "transient", answer.call);
      return { outcome: "updated", subscription: parseResponse(answer, subscriptionSchema) };
    },
  };
}

function isPassing(answer: ProviderResponse): boolean {
  return answer.status >= 400 && passingCodes.has(errorOf(answer).code ?? "");
}
