/** Orders for more seats and for renewals that only need to be paid, with their expected outcomes. */
import { beginChange, type Change, openPayment } from "./changes.ts";
import { type CustomerSubscription, createSubscriptionFor, makeCustomer, seedProviders } from "./customer.ts";
import type { FaultWorld } from "./fault-world.ts";
import { returnForm } from "./journey.ts";
import { signedIn } from "./orders.ts";
import { fulfilledOnce, type Sides, type StoreOutcome, storeSide } from "./outcome.ts";
import type { PreparedOrder } from "./prepared-order.ts";
import { readSubscription } from "./subscriptions.ts";

export interface ChangeOutcome extends StoreOutcome {
  /** Seats of the subscription, in the store. */
  seats: number;
  nextSeats: number | null;
  isHeld: boolean;
  /** Provider's side: seats of the store's subscription, and the tenant's number of subscriptions. */
  providerSeats: number | undefined;
  providerNextSeats: number | null | undefined;
  providerSubscriptions: number;
  /** Number of active ones at Microsoft. */
  microsoftActive: number;
}

const seats = 10;

interface Wanted {
  family: "microsoft" | "google";
  change: Change;
  quantity: number;
  endsInDays: number;
  /** Seats of a next term that is already paid. */
  renewedFor?: number;
  /** Whether only auto-renewal was switched off at Microsoft, so that it extends the term. */
  isExtended?: boolean;
  expected: Pick<
    ChangeOutcome,
    "seats" | "nextSeats" | "providerSeats" | "providerNextSeats" | "providerSubscriptions"
  >;
}

/** Ten seats of a yearly plan that ends in 100 days. */
export function prepareMoreSeats(world: FaultWorld, family: "microsoft" | "google"): Promise<PreparedOrder> {
  const after = seats + 5;
  return prepare(world, {
    family,
    change: "more",
    quantity: 5,
    endsInDays: 100,
    expected: {
      seats: after,
      nextSeats: null,
      providerSeats: after,
      providerNextSeats: null,
      providerSubscriptions: 1,
    },
  });
}

/** The same with a next term that is already paid: its schedule has to be sent again. */
export function prepareMoreSeatsRenewed(world: FaultWorld): Promise<PreparedOrder> {
  return prepare(world, {
    family: "microsoft",
    change: "more",
    quantity: 5,
    endsInDays: 380,
    renewedFor: 8,
    expected: {
      seats: 15,
      nextSeats: 13,
      providerSeats: 15,
      providerNextSeats: 13,
      providerSubscriptions: 1,
    },
  });
}

/** A renewal of all seats while the term runs. */
export function prepareRenewal(world: FaultWorld, family: "microsoft" | "google"): Promise<PreparedOrder> {
  return prepare(world, {
    family,
    change: "renew",
    quantity: seats,
    endsInDays: 20,
    expected: {
      seats,
      nextSeats: seats,
      providerSeats: seats,
      providerNextSeats: family === "microsoft" ? seats : null,
      providerSubscriptions: 1,
    },
  });
}

/** A renewal after the end as a new purchase, for fewer seats. */
export function prepareLapsedRenewal(
  world: FaultWorld,
  family: "microsoft" | "google",
): Promise<PreparedOrder> {
  return prepare(world, {
    family,
    change: "renew",
    quantity: 4,
    endsInDays: -10,
    // The ended subscription also exists.
    expected: {
      seats: 4,
      nextSeats: null,
      providerSeats: 4,
      providerNextSeats: null,
      providerSubscriptions: 2,
    },
  });
}

/** The same while Microsoft has extended the old one: the extension ends once the plan is bought again. */
export function prepareExtendedRenewal(world: FaultWorld): Promise<PreparedOrder> {
  return prepare(world, {
    family: "microsoft",
    change: "renew",
    quantity: 4,
    endsInDays: -10,
    isExtended: true,
    expected: {
      seats: 4,
      nextSeats: null,
      providerSeats: 4,
      providerNextSeats: null,
      providerSubscriptions: 2,
    },
  });
}

async function prepare({ stack, context, sides }: FaultWorld, wanted: Wanted): Promise<PreparedOrder> {
  const { family, change, quantity, endsInDays, renewedFor, isExtended = false, expected } = wanted;
  const { db } = context;
  const customer = await makeCustomer(db);
  const held = await createSubscriptionFor(db, customer, { family, quantity: seats, endsInDays });
  await seedProviders(db, stack.sandboxUrl, customer);
  if (isExtended) await sides.controls.console({ id: held.externalId, state: "active", autoRenew: false });
  if (renewedFor !== undefined) {
    await db
      .updateTable("subscriptions")
      .set({ next_term_start: new Date(Date.now() + 15 * 86_400_000), next_term_quantity: renewedFor })
      .where("id", "=", held.id)
      .execute();
  }
  const browser = await signedIn(context, stack.url, customer.owner);
  const order = await beginChange(browser, change, held.id, quantity);
  const providerOrderId = await openPayment(browser, order);
  const paid = await sides.controls.pay({ orderId: providerOrderId, webhook: false });
  const { email } = customer.owner;
  return {
    order: { ...order, browser, email, totalMinor: 0, providerOrderId },
    placed: { id: order.id, email, domain: held.domain, user: null },
    async signIn() {
      await browser.post("/payments/return", returnForm(providerOrderId, paid));
    },
    outcome: () => changeOutcomeOf(sides, { id: order.id, email, held }),
    expected: outcomeWith(family, expected),
  };
}

/** The expected outcome: always one active subscription, and an inactive previous one. */
function outcomeWith(family: Wanted["family"], expected: Wanted["expected"]): ChangeOutcome {
  const microsoftActive = family === "microsoft" ? 1 : 0;
  return { ...fulfilledOnce, subscriptions: [], isHeld: false, microsoftActive, ...expected };
}

async function changeOutcomeOf(
  sides: Sides,
  { id, email, held }: { id: PreparedOrder["placed"]["id"]; email: string; held: CustomerSubscription },
): Promise<ChangeOutcome> {
  const placed = { id, email, domain: held.domain, user: null };
  const [{ outcome }, subscription, { partnerCenter, google }] = await Promise.all([
    storeSide(sides, placed),
    readSubscription(sides.context.db, held.id),
    sides.provider.state(),
  ]);
  const ofTenant = partnerCenter.subscriptions.filter(
    ({ customerId }) => customerId === held.tenantExternalId,
  );
  const ofCustomer = google.entitlements.filter(({ customerName }) => customerName === held.tenantExternalId);
  const there = ofTenant.find((each) => each.id === subscription.external_id);
  const entitlement = ofCustomer.find(({ name }) => name === subscription.external_id);
  return {
    ...outcome,
    seats: subscription.quantity,
    nextSeats: subscription.next_term_quantity,
    isHeld: subscription.changing_order_id !== null,
    providerSeats: there?.quantity ?? entitlement?.numUnits,
    providerNextSeats: there?.scheduledNextTermInstructions?.quantity ?? null,
    providerSubscriptions: ofTenant.length + ofCustomer.length,
    microsoftActive: ofTenant.filter(({ status }) => status === "active").length,
  };
}
