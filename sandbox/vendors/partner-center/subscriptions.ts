/**
 * Subscriptions and their one write, a PATCH with the whole resource. It is as strict as Microsoft's: fields that are left out
 * are reset (auto-renew off, schedule gone), a change of seats drops the scheduled changes, a stale etag is refused, seats can be
 * reduced only within 7 days of their purchase, and a suspended subscription keeps its seats. A change may be accepted first and
 * made later. At its end a term is renewed, ended by its scheduled cancellation, or, with auto-renew merely off, followed by a
 * paid extended term.
 */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import type { Bill } from "../charge.ts";
import { delayOf, isHidden, recordHiddenLookup } from "../delays.ts";
import { anyOrigin, guid, type JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Subscription } from "../state-schemas.ts";
import { type Answer, base, type Call, customerOf, PartnerError, parse, read, write } from "./calls.ts";
import { currencyIn } from "./catalogue.ts";
import { findSku } from "./products.ts";

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
const action = z.object({
  scheduleType: z.enum(["TermEnd", "CustomDate"]),
  actionType: z.enum(["Cancel", "RenewToNewTerm", "RenewToExtendedServiceTerm", "Transition"]),
});
const change = z.object({
  id: z.string(),
  quantity: z.int(),
  status: z.string(),
  autoRenewEnabled: z.boolean().nullish(),
  scheduledNextTermInstructions: nextTerm.nullish(),
  scheduledActions: z.array(action).nullish(),
  attributes: z.object({ etag: z.string().nullish() }).nullish(),
});

export function partnerSubscriptionHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      anyOrigin(`${base}/customers/:customerId/subscriptions`),
      read(sandbox, (call) => {
        const { id } = customerOf(sandbox, call);
        const items = Object.values(sandbox.state.partner.subscriptions).filter(
          (each) => each.customerId === id && isShown(sandbox, each),
        );
        for (const each of items) advanceSubscription(sandbox, each);
        return {
          status: 200,
          body: { totalCount: items.length, items: items.map((each) => subscriptionBody(sandbox, each)) },
        };
      }),
    ),
    http.get(
      anyOrigin(`${base}/customers/:customerId/subscriptions/:subscriptionId`),
      read(sandbox, (call) => ({
        status: 200,
        body: subscriptionBody(sandbox, subscriptionOf(sandbox, call)),
      })),
    ),
    http.patch(
      anyOrigin(`${base}/customers/:customerId/subscriptions/:subscriptionId`),
      write(sandbox, "subscription.update", (call) => update(sandbox, call)),
    ),
  ];
}

/** Why a number of seats is refused, as Microsoft's code. */
export function seatProblem(
  sandbox: Sandbox,
  { offerId, customerId }: Pick<Subscription, "offerId" | "customerId">,
  quantity: number,
): { code: string; description: string } | undefined {
  const country = sandbox.state.partner.customers[customerId]?.country ?? "";
  const most = findSku(sandbox, offerId, country)?.maxSeats ?? quantity;
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
    assigned: 0,
    status: "active",
    autoRenewEnabled: true,
    scheduledNextTermInstructions: null,
    scheduledActions: null,
    createdAt: startsAt,
    endsAt: termEnd(startsAt, given.termDuration),
    ...refundable(given.quantity, startsAt),
    revision: 1,
    pending: null,
    ...given,
    id: given.id?.toLowerCase() ?? guid(),
    startsAt,
  };
  sandbox.state.partner.subscriptions[subscription.id] = subscription;
  return subscription;
}

/** The refundable seats of a term that begins. */
function refundable(quantity: number, startsAt: number): Pick<Subscription, "cancellableUntil" | "batches"> {
  const until = startsAt + windowDays * day;
  return { cancellableUntil: until, batches: [{ quantity, until }] };
}

/** The same day of the month, or the last one when the month has no such day. */
function termEnd(startsAt: number, termDuration: string): number {
  const start = new Date(startsAt);
  const end = new Date(startsAt);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + (termDuration === "P1M" ? 1 : 12));
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end.getTime();
}

/** Charges a term, or seats added in the rest of one. */
export function chargeSeats(
  sandbox: Sandbox,
  subscription: Subscription,
  charged: Pick<Bill, "kind" | "seats" | "startsAt">,
): void {
  const { id, customerId, offerId, termDuration, endsAt } = subscription;
  const country = sandbox.state.partner.customers[customerId]?.country ?? "";
  const sku = findSku(sandbox, offerId, country);
  const [month, year] = sku?.retail ?? [];
  const retail = termDuration === "P1M" ? month : year;
  sandbox.state.bills.push({
    subscriptionId: id,
    ...charged,
    unitPrice: sku === undefined || retail === undefined ? null : (retail * sku.costPercent) / 100,
    currency: currencyIn(country),
    endsAt,
  });
}

function update(sandbox: Sandbox, call: Call): Answer {
  const subscription = subscriptionOf(sandbox, call);
  const given = parse(change, call.body);
  if (given.id.toLowerCase() !== subscription.id)
    throw new PartnerError(400, 2000, "The body is not this subscription.");
  const etag = given.attributes?.etag ?? call.request.headers.get("if-match");
  if (etag !== null && etag !== etagOf(subscription)) {
    throw new PartnerError(400, 2055, "The subscription has changed since it was read.");
  }
  if (subscription.status === "deleted")
    throw new PartnerError(400, 800090, "The subscription has been cancelled.");
  if (subscription.pending !== null)
    throw new PartnerError(409, 900278, "An operation on the subscription is pending.");
  const changed =
    given.status === "deleted" ? cancelled(sandbox, subscription) : changedBy(sandbox, subscription, given);
  const seats = changed.quantity - subscription.quantity;
  if (seats !== 0) chargeSeats(sandbox, subscription, { kind: "seats", seats, startsAt: sandbox.now() });
  const takesTime =
    given.status === "deleted" || seats !== 0 || changed.scheduledNextTermInstructions !== null;
  const delayMs = delayOf(sandbox, "change");
  if (takesTime && delayMs > 0) {
    subscription.pending = { showsAt: sandbox.now() + delayMs, change: changed };
    recordHiddenLookup(sandbox, subscription.customerId);
    return { status: 202, body: undefined, location: new URL(call.request.url).pathname };
  }
  Object.assign(subscription, changed);
  if (given.status === "active" || given.status === "suspended") subscription.status = given.status;
  sandbox.notices.microsoft(subscription, sandbox.now());
  return { status: 200, body: subscriptionBody(sandbox, subscription) };
}

type Change = NonNullable<Subscription["pending"]>["change"];

/** @throws PartnerError after the subscription's cancellation deadline */
function cancelled(sandbox: Sandbox, subscription: Subscription): Change {
  // An extension can be cancelled at any time.
  if (!subscription.offerId.endsWith(extended) && sandbox.now() > subscription.cancellableUntil)
    throw new PartnerError(400, 900117, "The cancellation window of this subscription has passed.");
  return {
    status: "deleted",
    quantity: subscription.quantity,
    batches: subscription.batches,
    autoRenewEnabled: false,
    scheduledNextTermInstructions: null,
    scheduledActions: null,
    revision: subscription.revision + 1,
  };
}

/** Applies everything but the status. @throws PartnerError for seats that cannot be added, or removed */
function changedBy(sandbox: Sandbox, subscription: Subscription, given: z.infer<typeof change>): Change {
  const { quantity } = given;
  const problem = seatProblem(sandbox, subscription, quantity);
  if (problem !== undefined) throw new PartnerError(400, problem.code, problem.description);
  const isChanged = quantity !== subscription.quantity;
  if (given.status === "active" && subscription.status === "expired")
    throw new PartnerError(400, 900277, "The subscription has expired.");
  if (isChanged && subscription.status === "suspended")
    throw new PartnerError(400, 800091, "The seats of a suspended subscription cannot be changed.");
  const actions = given.scheduledActions?.length ? given.scheduledActions : null;
  return {
    quantity,
    batches: batchesAfter(sandbox, subscription, quantity),
    autoRenewEnabled: subscription.status === "active" && (given.autoRenewEnabled ?? false),
    scheduledActions: isChanged ? null : actions,
    // If both are given, only the actions count.
    scheduledNextTermInstructions:
      isChanged || actions !== null ? null : (given.scheduledNextTermInstructions ?? null),
    revision: subscription.revision + 1,
  };
}

/** Removes seats from the last purchase backwards. @throws PartnerError when this number cannot be removed */
function batchesAfter(
  sandbox: Sandbox,
  subscription: Subscription,
  quantity: number,
): Subscription["batches"] {
  const open = openBatches(sandbox, subscription);
  const added = quantity - subscription.quantity;
  if (added > 0) return [...open, { quantity: added, until: sandbox.now() + windowDays * day }];
  let left = -added;
  const after = open
    .toReversed()
    .map((batch) => {
      const taken = Math.min(left, batch.quantity);
      left -= taken;
      return { ...batch, quantity: batch.quantity - taken };
    })
    .filter((batch) => batch.quantity > 0);
  // The window has closed for all of its licences, or for too many of them.
  if (left > 0 && open.length === 0)
    throw new PartnerError(400, 900214, `Passed ${windowDays * 24}-hour window for reducing seats.`);
  if (left > 0) throw new PartnerError(400, 800090, "The window for taking seats away has passed.");
  return after.toReversed();
}

function openBatches(sandbox: Sandbox, { batches }: Subscription): Subscription["batches"] {
  return batches.filter(({ until }) => sandbox.now() <= until);
}

/** Makes the change that was accepted earlier, once it has to be visible. */
function makePending(sandbox: Sandbox, subscription: Subscription): void {
  const { pending, customerId } = subscription;
  if (pending === null) return;
  if (sandbox.now() < pending.showsAt) {
    recordHiddenLookup(sandbox, customerId);
    return;
  }
  Object.assign(subscription, pending.change);
  subscription.pending = null;
  sandbox.notices.microsoft(subscription, sandbox.now());
}

/** Bought subscriptions become visible with their order; seeded ones are always visible. */
function isShown(sandbox: Sandbox, { orderId, customerId }: Subscription): boolean {
  const order = sandbox.state.partner.orders[orderId];
  return order === undefined || !isHidden(sandbox, "order", customerId, order.createdAt);
}

const extended = ":EST";

/**
 * Advances a subscription whose term is over by the sandbox's clock, term after term. Suspension does not affect that: its terms
 * continue, and are charged.
 * @returns whether a term was over
 */
export function advanceSubscription(sandbox: Sandbox, subscription: Subscription): boolean {
  makePending(sandbox, subscription);
  const { revision } = subscription;
  const isThere = () => subscription.status === "active" || subscription.status === "suspended";
  while (isThere() && subscription.endsAt <= sandbox.now()) {
    const isCancelled = subscription.scheduledActions?.some(({ actionType }) => actionType === "Cancel");
    if (isCancelled) {
      subscription.status = "expired";
    } else {
      if (!subscription.autoRenewEnabled && !subscription.offerId.endsWith(extended)) {
        subscription.offerId += extended;
        subscription.termDuration = "P1M";
        subscription.billingCycle = "monthly";
        sandbox.count("subscription.extended");
      }
      const next = nextTerm.safeParse(subscription.scheduledNextTermInstructions).data;
      if (subscription.autoRenewEnabled && next !== undefined) subscription.quantity = next.quantity;
      const startsAt = subscription.endsAt;
      Object.assign(subscription, refundable(subscription.quantity, startsAt));
      subscription.endsAt = termEnd(startsAt, subscription.termDuration);
      const kind = subscription.offerId.endsWith(extended) ? "extended" : "term";
      chargeSeats(sandbox, subscription, { kind, seats: subscription.quantity, startsAt });
    }
    subscription.scheduledNextTermInstructions = null;
    subscription.scheduledActions = null;
    subscription.revision += 1;
    sandbox.notices.microsoft(subscription, sandbox.now());
  }
  return subscription.revision !== revision;
}

function subscriptionOf(sandbox: Sandbox, call: Call): Subscription {
  const { id } = customerOf(sandbox, call);
  const subscription = sandbox.state.partner.subscriptions[call.param("subscriptionId").toLowerCase()];
  if (subscription?.customerId !== id || !isShown(sandbox, subscription)) {
    throw new PartnerError(404, 20003, "The subscription was not found.");
  }
  advanceSubscription(sandbox, subscription);
  return subscription;
}

function nameOf({ offerId }: Subscription): string {
  const [productId, skuId] = offerId.split(":");
  return `Sandbox SKU ${productId}:${skuId}${offerId.endsWith(extended) ? " (Extended Service Term)" : ""}`;
}

function etagOf(subscription: Subscription): string {
  return Buffer.from(`${subscription.id}:${subscription.revision}`).toString("base64");
}

function subscriptionBody(sandbox: Sandbox, subscription: Subscription): JsonObject {
  const {
    startsAt,
    endsAt,
    createdAt,
    cancellableUntil,
    batches: _batches,
    pending: _pending,
    revision: _ours,
    customerId: _customer,
    ...rest
  } = subscription;
  const [productId, skuId] = subscription.offerId.split(":");
  const open = openBatches(sandbox, subscription);
  return {
    ...rest,
    productType: { id: "OnlineServicesNCE", displayName: "OnlineServicesNCE" },
    productId,
    skuId,
    friendlyName: nameOf(subscription),
    offerName: nameOf(subscription),
    unitType: "Licenses",
    creationDate: new Date(createdAt).toISOString(),
    effectiveStartDate: new Date(startsAt).toISOString(),
    commitmentEndDate: new Date(endsAt).toISOString(),
    cancellationAllowedUntilDate: new Date(cancellableUntil).toISOString(),
    refundableQuantity:
      subscription.status === "suspended"
        ? null
        : {
            totalQuantity: open.reduce((sum, { quantity }) => sum + quantity, 0),
            details: open.map(({ quantity, until }) => ({
              quantity,
              allowedUntilDateTime: new Date(until).toISOString(),
            })),
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
