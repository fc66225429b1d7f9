/** The outcome of an order, counted on both sides: in the store's database, and at Microsoft (google-outcome.ts: at Google). */
import { sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import { tenantIdOf } from "#sandbox/vendors/partner-center/login.ts";
import { type Credentials, readCredentials } from "#server/accounts/credentials/credentials.ts";
import type { Context } from "#server/platform/context.ts";
import type { ProviderStateReader } from "./provider-state.ts";
import type { SandboxControls } from "./sandbox-controls.ts";

/** Company Administrator at the sandbox. */
const adminRole = "62e90394-69f5-4237-9190-012177145e10";

/** Subjects of the mails that confirm a fulfilled order of any kind. */
const confirmation = /^(Your order is complete|License Added|License Renewed)/;

export interface Placed {
  id: OrderId;
  email: string;
  /** The complete domain; at Microsoft it ends in `.onmicrosoft.com`. */
  domain: string;
  /** The complete name of the requested user; null for a tenant that the buyer already had. */
  user: string | null;
}

export interface Sides {
  context: Context;
  provider: ProviderStateReader;
  controls: SandboxControls;
}

/** Rows in the store. */
export interface StoreOutcome {
  stage: string;
  fulfilment: string;
  payments: number;
  fulfilments: string[];
  /** Seats of each subscription. */
  subscriptions: number[];
  confirmations: number;
}

export interface Outcome extends StoreOutcome {
  /** Entities at the provider. */
  customers: number;
  agreements: number;
  carts: number;
  orders: number;
  providerSubscriptions: number;
  /** Whether the store's subscription is the provider's. */
  sameSubscription: boolean;
  /** Users with the chosen name: whether each is an administrator and accepts the password shown to the buyer. */
  users: { admin: boolean; opensWithShownPassword: boolean }[];
}

/** The store's side of an order fulfilled exactly once. */
export const fulfilledOnce: StoreOutcome = {
  stage: "stage4",
  fulfilment: "done",
  payments: 1,
  fulfilments: ["done"],
  subscriptions: [2],
  confirmations: 1,
};

/** The outcome of an order fulfilled exactly once, including Microsoft, for a new tenant or one that the buyer already had. */
export function exactlyOnce(order: Pick<Placed, "user">): Outcome {
  return {
    ...fulfilledOnce,
    customers: 1,
    agreements: 1,
    carts: 1,
    orders: 1,
    providerSubscriptions: 1,
    sameSubscription: true,
    users: order.user === null ? [] : [{ admin: true, opensWithShownPassword: true }],
  };
}

/** The store's side, and its values to compare with the provider's. */
export async function storeSide(
  { context, controls }: Sides,
  { id, email }: Placed,
): Promise<{ outcome: StoreOutcome; externalIds: string[]; shown: Credentials | null }> {
  const { db } = context;
  const [order, payments, fulfilments, subscriptions, shown, inbox] = await Promise.all([
    db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    db.selectFrom("payments").select("status").where("order_id", "=", id).execute(),
    db.selectFrom("fulfilments").select("status").where("order_id", "=", id).execute(),
    db.selectFrom("subscriptions").select(["external_id", "quantity"]).where("order_id", "=", id).execute(),
    readCredentials(context, db, id, "sign-in"),
    controls.inbox(email),
  ]);
  return {
    outcome: {
      stage: order.stage,
      fulfilment: order.fulfilment_status,
      payments: payments.length,
      fulfilments: fulfilments.map(({ status }) => status),
      subscriptions: subscriptions.map(({ quantity }) => quantity),
      confirmations: inbox.filter(({ subject }) => confirmation.test(subject)).length,
    },
    externalIds: subscriptions.map(({ external_id }) => external_id),
    shown,
  };
}

export async function outcomeOf(sides: Sides, placed: Placed): Promise<Outcome> {
  const { domain, user } = placed;
  const [{ outcome, externalIds, shown }, { partnerCenter }] = await Promise.all([
    storeSide(sides, placed),
    sides.provider.state(),
  ]);
  const tenantId = tenantIdOf(domain);
  const own = <Entity extends { customerId: string }>(entities: Entity[]) =>
    entities.filter(({ customerId }) => customerId === tenantId);
  const bought = own(partnerCenter.subscriptions);
  return {
    ...outcome,
    customers: partnerCenter.customers.filter((customer) => customer.domain === domain).length,
    agreements: own(partnerCenter.agreements).length,
    carts: own(partnerCenter.carts).length,
    orders: own(partnerCenter.orders).length,
    providerSubscriptions: bought.length,
    sameSubscription:
      externalIds.length > 0 && externalIds.every((id) => bought.some((each) => each.id === id)),
    users: own(partnerCenter.users)
      .filter(({ userPrincipalName }) => userPrincipalName === user)
      .map(({ password, roles }) => ({
        admin: roles.includes(adminRole),
        opensWithShownPassword: shown?.username === user && shown.password === password,
      })),
  };
}

/**
 * Open work: orders neither fulfilled nor in need of attention, their cancellations and refunds, and mail about them that is not
 * sent.
 */
export async function unfinished({ db }: Context, orders: readonly Pick<Placed, "id">[]): Promise<string[]> {
  const ids = orders.map(({ id }) => id);
  const open = await db
    .selectFrom("orders")
    .select(["id", "fulfilment_status"])
    .where("id", "in", ids)
    .where("fulfilment_status", "not in", ["done", "needs_attention"])
    .execute();
  const unsent = await db
    .selectFrom("mails")
    .select("kind")
    .where("order_id", "in", ids)
    .where("sent_at", "is", null)
    .execute();
  const cancellations = await db
    .selectFrom("cancellations")
    .select(["id", "state"])
    .where("order_id", "in", ids)
    .where("state", "in", ["requested", "vendor_done"])
    .execute();
  const refunds = await db
    .selectFrom("refunds")
    .select("id")
    .where("order_id", "in", ids)
    .where("status", "=", "requested")
    .execute();
  const unsentOfCancellations = await db
    .selectFrom("mails")
    .innerJoin("cancellations", (join) =>
      join.on(sql<boolean>`mails.data ->> 'cancellationId' = cancellations.id::text`),
    )
    .select("mails.kind")
    .where("cancellations.order_id", "in", ids)
    .where("mails.sent_at", "is", null)
    .execute();
  return [
    ...cancellations.map(({ id, state }) => `cancellation ${id}: ${state}`),
    ...refunds.map(({ id }) => `refund ${id}`),
    ...open.map(({ id, fulfilment_status }) => `order ${id}: ${fulfilment_status}`),
    ...[...unsent, ...unsentOfCancellations].map(({ kind }) => `mail: ${kind}`),
  ];
}
