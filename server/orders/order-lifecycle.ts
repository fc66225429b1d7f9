/**
 * The order's life cycle (docs/specification.md, section 4.1): the allowed next stages, in one table. Every move is a
 * compare-and-set on the row's version, so that one of two concurrent callers wins and the other gets a conflict.
 */

import type { OrderMoney } from "#db/billing/received-payments.ts";
import type { Order, OrderChanges } from "#db/orders/order.ts";
import { updateOrder } from "#db/orders/orders.ts";
import type { FamilyId, FulfilmentStatus, OrderKind, PaymentStatus, Stage } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";

type Moves = Record<Stage, readonly Stage[]>;

/** Details and account may be posted again until payment; both keep the furthest stage reached. */
const ofNewBuyer: Moves = {
  none: ["none", "stage1"],
  stage1: ["stage1", "stage2"],
  stage2: ["stage2", "stage3"],
  stage3: ["stage3", "stage4"],
  stage4: ["stage4"],
};
/** The buyer is known from the start, so the account step may be skipped. */
const ofCustomer: Moves = { ...ofNewBuyer, stage1: ["stage1", "stage2", "stage3"] };

const allowed: Record<OrderKind, Moves> = {
  NEW: ofNewBuyer,
  TUP: ofCustomer,
  ADDON: ofCustomer,
  ADD: ofCustomer,
  RENEW: ofCustomer,
};

const order: readonly Stage[] = ["none", "stage1", "stage2", "stage3", "stage4"];

/** Whether `current` has reached or passed `stage`. */
export function hasReached(current: Stage, stage: Stage): boolean {
  return order.indexOf(current) >= order.indexOf(stage);
}

/** Returns the further stage, so that posting an early step again does not undo a later one. */
export function furthestStage(a: Stage, b: Stage): Stage {
  return hasReached(a, b) ? a : b;
}

/** Whether the order has a sign-in step: only NEW orders of a family with tenants. */
export function needsSignIn(kind: OrderKind, family: FamilyId): boolean {
  return kind === "NEW" && families[family].signIn !== null;
}

/** Returns the fulfilment status right after payment. A transfer token may have answered the sign-in step before it. */
export function fulfilmentAfterPayment({
  kind,
  family,
  signIn,
}: Pick<Order, "kind" | "family" | "signIn">): FulfilmentStatus {
  return needsSignIn(kind, family) && signIn === null ? "waiting_for_signin" : "queued";
}

/**
 * Derives the payment status of a paid order from its refunds and disputes. A lost dispute takes precedence over an open one,
 * and that over refunds.
 */
export function paymentStatusAfter({
  paidMinor,
  refundedMinor,
  isDisputed,
  isLost,
}: OrderMoney): PaymentStatus {
  if (isLost) return "lost";
  if (isDisputed) return "disputed";
  if (refundedMinor === 0) return "completed";
  return refundedMinor < paidMinor ? "partly_refunded" : "refunded";
}

/**
 * Updates an order if its version is unchanged. Any change also restores an order that was removed from the cart, unless it
 * sets `removedAt` itself.
 * @throws DomainError conflict when the order was changed in the meantime
 * @throws RangeError when the stage must not follow, which is a bug
 */
export async function moveOrder(
  trx: Trx,
  from: Pick<Order, "id" | "kind" | "version" | "stage" | "isQuoted">,
  changes: OrderChanges,
): Promise<void> {
  const next = changes.stage ?? from.stage;
  if (!allowed[from.kind][from.stage].includes(next))
    throw new RangeError(`An order may not move from ${from.stage} to ${next}`);
  if (!(await updateOrder(trx, from, { removedAt: null, ...changes }))) throw movedMeanwhile();
  if (from.isQuoted && mayChangeQuote(changes))
    await addJob(trx, "renew-quote", { orderId: from.id }, { jobKey: `quote:${from.id}` });
}

/** Whether a change may affect the quote's terms; the job compares them. */
function mayChangeQuote({ figures, account, details, references }: OrderChanges): boolean {
  return [figures, account, details, references].some((changed) => changed !== undefined);
}

export function movedMeanwhile(): DomainError {
  return new DomainError("conflict", msg("refusals.changedElsewhere"));
}
