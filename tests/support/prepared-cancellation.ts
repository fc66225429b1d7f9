/** Cancellations and reductions that only need to be confirmed, with their expected outcomes. */
import { confirm, openConfirmation } from "./bought-subscription.ts";
import { beginChange, openPayment } from "./changes.ts";
import { type CustomerSubscription, createSubscriptionFor, makeCustomer, seedProviders } from "./customer.ts";
import type { FaultWorld } from "./fault-world.ts";
import { returnForm } from "./journey.ts";
import { signedIn } from "./orders.ts";
import { fulfilledOnce, type Sides, type StoreOutcome, storeSide } from "./outcome.ts";
import type { PreparedOrder } from "./prepared-order.ts";
import { deleteQueuedJobs } from "./queue.ts";
import { readSubscription } from "./subscriptions.ts";

export interface CancellationOutcome extends StoreOutcome {
  /** State of each cancellation of the subscription. */
  states: string[];
  status: string;
  seats: number;
  isHeld: boolean;
  /** Amounts in minor units, in the store and at the payment provider. */
  refunds: number[];
  providerRefunded: number;
  /** The subscription's status at Microsoft. */
  vendorStatus: string | undefined;
  vendorSeats: number | undefined;
  mails: number;
}

export interface PreparedCancellation extends PreparedOrder {
  isOver(): Promise<boolean>;
  outcome(): Promise<CancellationOutcome>;
  expected: CancellationOutcome;
}

const seats = 10;
const bought = 5;

/** A year of ten seats that began just now, five of which were paid for in the store. @param given "all", or a number of seats */
export async function prepareCancellation(
  { stack, context, sides }: Pick<FaultWorld, "stack" | "context" | "sides">,
  given: "all" | "2",
): Promise<PreparedCancellation> {
  const { db } = context;
  const customer = await makeCustomer(db);
  const held = await createSubscriptionFor(db, customer, { quantity: seats, endsInDays: 365 });
  await seedProviders(db, stack.sandboxUrl, customer);
  const browser = await signedIn(context, stack.url, customer.owner);
  const order = await beginChange(browser, "more", held.id, bought);
  const providerOrderId = await openPayment(browser, order);
  const paid = await sides.controls.pay({ orderId: providerOrderId, webhook: false });
  await browser.post("/payments/return", returnForm(providerOrderId, paid));
  // The order's seats count as part of the ten: its fulfilment is not under test.
  await deleteQueuedJobs(db, `fulfil:${order.id}`);
  await db.updateTable("fulfilments").set({ status: "done" }).where("order_id", "=", order.id).execute();
  const { total_minor: total } = await db
    .updateTable("orders")
    .set({ stage: "stage4", fulfilment_status: "done", fulfilled_at: new Date() })
    .where("id", "=", order.id)
    .returning("total_minor")
    .executeTakeFirstOrThrow();
  const confirmation = await openConfirmation({ browser, id: held.id }, given);
  const { email } = customer.owner;
  const placed = { id: order.id, email, domain: held.domain, user: null };
  const isAll = given === "all";
  const back = isAll ? total : Math.round((total * Number(given)) / bought / 100) * 100;
  const expected: CancellationOutcome = {
    ...fulfilledOnce,
    subscriptions: [],
    confirmations: 0,
    states: ["refund_requested"],
    status: isAll ? "cancelled" : "active",
    seats: isAll ? seats : seats - Number(given),
    isHeld: false,
    refunds: [back],
    providerRefunded: back,
    vendorStatus: isAll ? "deleted" : "active",
    vendorSeats: isAll ? seats : seats - Number(given),
    mails: 1,
  };
  return {
    order: { ...order, browser, email, totalMinor: total, providerOrderId },
    placed,
    async signIn() {
      const answer = await confirm({ browser, id: held.id }, confirmation);
      if (answer.status !== 303) throw new Error(`Confirming answered ${answer.status}: ${answer.text}`);
    },
    async isOver() {
      const open = await db
        .selectFrom("cancellations")
        .select("state")
        .where("order_id", "=", order.id)
        .executeTakeFirst();
      const left = await openRefunds(sides, order.id);
      return open?.state === "refund_requested" && left === 0;
    },
    outcome: () => outcomeOf(sides, { placed, held, paymentId: paid.paymentId }),
    expected,
  };
}

async function openRefunds({ context }: Sides, orderId: PreparedOrder["placed"]["id"]): Promise<number> {
  const open = await context.db
    .selectFrom("refunds")
    .select("id")
    .where("order_id", "=", orderId)
    .where("status", "=", "requested")
    .execute();
  return open.length;
}

async function outcomeOf(
  sides: Sides,
  {
    placed,
    held,
    paymentId,
  }: { placed: PreparedOrder["placed"]; held: CustomerSubscription; paymentId: string },
): Promise<CancellationOutcome> {
  const { db } = sides.context;
  const [{ outcome }, subscription, cancellations, refunds, { partnerCenter }, refunded, inbox] =
    await Promise.all([
      storeSide(sides, placed),
      readSubscription(db, held.id),
      db.selectFrom("cancellations").select("state").where("subscription_id", "=", held.id).execute(),
      db.selectFrom("refunds").select("amount_minor").where("order_id", "=", placed.id).execute(),
      sides.provider.state(),
      sides.controls.refundedOf(paymentId),
      sides.controls.inbox(placed.email),
    ]);
  const there = partnerCenter.subscriptions.find(({ id }) => id === held.externalId);
  return {
    ...outcome,
    states: cancellations.map(({ state }) => state),
    status: subscription.status,
    seats: subscription.quantity,
    isHeld: subscription.changing_order_id !== null,
    refunds: refunds.map(({ amount_minor }) => amount_minor),
    providerRefunded: refunded,
    vendorStatus: there?.status,
    vendorSeats: there?.quantity,
    mails: inbox.filter(({ subject }) => /^(Cancelled|Licenses removed): /.test(subject)).length,
  };
}
