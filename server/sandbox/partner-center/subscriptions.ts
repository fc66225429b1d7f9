/**
 * Subscriptions and their one write, a PATCH with the whole resource. It is as unforgiving as Microsoft's: what is left out is reset
 * (auto-renew off, schedule gone), a change of seats drops the scheduled changes, a stale etag is refused, and seats come off only
 * within 7 days of the purchase or of the last increase.
 */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import type { Subscription } from "../state.ts";
import { at, guid, type JsonObject } from "../wire.ts";
import { type Answer, base, type Call, customerOf, PartnerError, parse, read, write } from "./calls.ts";
import { mostSeats } from "./catalogue.ts";

export const day = 24 * 3600_000;
const windowDays = 7;

const nextTerm = z.object({
  product: z.object({
    productId: z.string(),
    skuId: z.string(),
    availabilityId: z.string().nullish(),
    billingCycle: z.string(),
    termDuration: z.string(),
  }),
  quantity: z.int().positive(),
  customTermEndDate: z.string().nullish(),
});
const change = z.object({
  id: z.string(),
  quantity: z.int(),
  status: z.string(),
  autoRenewEnabled: z.boolean().nullish(),
  scheduledNextTermInstructions: nextTerm.nullish(),
  attributes: z.object({ etag: z.string().nullish() }).nullish(),
});

export function partnerSubscriptionHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      at(`${base}/customers/:customerId/subscriptions`),
      read(sandbox, (call) => {
        const { id } = customerOf(sandbox, call);
        const items = Object.values(sandbox.state.partner.subscriptions).filter(
          (each) => each.customerId === id,
        );
        return {
          status: 200,
          body: { totalCount: items.length, items: items.map((each) => subscriptionBody(sandbox, each)) },
        };
      }),
    ),
    http.get(
      at(`${base}/customers/:customerId/subscriptions/:subscriptionId`),
      read(sandbox, (call) => ({
        status: 200,
        body: subscriptionBody(sandbox, subscriptionOf(sandbox, call)),
      })),
    ),
    http.patch(
      at(`${base}/customers/:customerId/subscriptions/:subscriptionId`),
      write(sandbox, "subscription.update", (call) => update(sandbox, call)),
    ),
  ];
}

/** Why a number of seats cannot be had, in Microsoft's codes. */
export function seatProblem(
  offerId: string,
  quantity: number,
): { code: string; description: string } | undefined {
  const most = mostSeats(offerId);
  if (quantity < 1) return { code: "2002", description: "The quantity is out of range." };
  if (quantity > most) return { code: "800067", description: `At most ${most} seats can be bought.` };
  return undefined;
}

export function addSubscription(
  sandbox: Sandbox,
  given: Pick<
    Subscription,
    "customerId" | "orderId" | "offerId" | "quantity" | "billingCycle" | "termDuration"
  > &
    Partial<Subscription>,
): Subscription {
  const now = sandbox.now();
  const startsAt = given.startsAt ?? now;
  const subscription: Subscription = {
    parentSubscriptionId: null,
    status: "active",
    autoRenewEnabled: true,
    scheduledNextTermInstructions: null,
    createdAt: startsAt,
    endsAt: termEnd(startsAt, given.termDuration),
    reducibleUntil: startsAt + windowDays * day,
    revision: 1,
    ...given,
    id: given.id?.toLowerCase() ?? guid(),
    startsAt,
  };
  sandbox.state.partner.subscriptions[subscription.id] = subscription;
  return subscription;
}

function termEnd(startsAt: number, termDuration: string): number {
  const end = new Date(startsAt);
  end.setUTCMonth(end.getUTCMonth() + (termDuration === "P1M" ? 1 : 12));
  return end.getTime();
}

function update(sandbox: Sandbox, call: Call): Answer {
  const subscription = subscriptionOf(sandbox, call);
  const given = parse(change, call.body);
  if (given.id.toLowerCase() !== subscription.id)
    throw new PartnerError(400, 2000, "The body is not this subscription.");
  const etag = given.attributes?.etag ?? call.request.headers.get("if-match");
  if (etag !== null && etag !== etagOf(subscription)) {
    throw new PartnerError(412, 2055, "The subscription has changed since it was read.");
  }
  if (subscription.status === "deleted")
    throw new PartnerError(400, 800090, "The subscription has been cancelled.");
  if (given.status === "deleted") cancel(sandbox, subscription);
  else changeSeats(sandbox, subscription, given);
  subscription.autoRenewEnabled = subscription.status === "active" && (given.autoRenewEnabled ?? false);
  subscription.revision += 1;
  return { status: 200, body: subscriptionBody(sandbox, subscription) };
}

function cancel(sandbox: Sandbox, subscription: Subscription): void {
  if (sandbox.now() > subscription.startsAt + windowDays * day) {
    throw new PartnerError(400, 800090, "The cancellation window of this subscription has passed.");
  }
  subscription.status = "deleted";
  subscription.scheduledNextTermInstructions = null;
}

function changeSeats(sandbox: Sandbox, subscription: Subscription, given: z.infer<typeof change>): void {
  const problem = seatProblem(subscription.offerId, given.quantity);
  if (problem !== undefined) throw new PartnerError(400, problem.code, problem.description);
  if (given.quantity < subscription.quantity && sandbox.now() > subscription.reducibleUntil) {
    throw new PartnerError(400, 800090, "The window for taking seats away has passed.");
  }
  const changed = given.quantity !== subscription.quantity;
  if (given.quantity > subscription.quantity) subscription.reducibleUntil = sandbox.now() + windowDays * day;
  subscription.quantity = given.quantity;
  subscription.scheduledNextTermInstructions = changed ? null : (given.scheduledNextTermInstructions ?? null);
}

function subscriptionOf(sandbox: Sandbox, call: Call): Subscription {
  const { id } = customerOf(sandbox, call);
  const subscription = sandbox.state.partner.subscriptions[call.param("subscriptionId").toLowerCase()];
  if (subscription === undefined || subscription.customerId !== id) {
    throw new PartnerError(404, 20003, "The subscription was not found.");
  }
  return subscription;
}

function etagOf(subscription: Subscription): string {
  return Buffer.from(`${subscription.id}:${subscription.revision}`).toString("base64");
}

function subscriptionBody(sandbox: Sandbox, subscription: Subscription): JsonObject {
  const {
    startsAt,
    endsAt,
    createdAt,
    reducibleUntil,
    revision: _ours,
    customerId: _customer,
    ...rest
  } = subscription;
  const [productId, skuId] = subscription.offerId.split(":");
  const reducible = sandbox.now() <= reducibleUntil;
  return {
    ...rest,
    productType: { id: "OnlineServicesNCE", displayName: "OnlineServicesNCE" },
    productId,
    skuId,
    friendlyName: `Sandbox SKU ${productId}:${skuId}`,
    offerName: `Sandbox SKU ${productId}:${skuId}`,
    unitType: "Licenses",
    creationDate: new Date(createdAt).toISOString(),
    effectiveStartDate: new Date(startsAt).toISOString(),
    commitmentEndDate: new Date(endsAt).toISOString(),
    cancellationAllowedUntilDate: new Date(startsAt + windowDays * day).toISOString(),
    refundableQuantity: {
      totalQuantity: reducible ? subscription.quantity : 0,
      details: reducible
        ? [{ quantity: subscription.quantity, allowedUntilDateTime: new Date(reducibleUntil).toISOString() }]
        : [],
    },
    renewalTermDuration: subscription.termDuration,
    billingType: "license",
    contractType: "subscription",
    isTrial: false,
    isMicrosoftProduct: true,
    suspensionReasons: [],
    attributes: { etag: etagOf(subscription), objectType: "Subscription" },
  };
}
