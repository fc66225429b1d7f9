/** What became of one order, counted on both sides: in the store's database and at the providers. */
import type { OrderId } from "#db/ids.ts";
import type { Context } from "#server/context.ts";
import { readCredentials } from "#server/fulfilment/credentials.ts";
import { tenantIdOf } from "#server/sandbox/partner-center/login.ts";
import type { Levers } from "./levers.ts";
import type { ProviderSide } from "./provider-side.ts";

/** As the sandbox has it: Company Administrator. */
const adminRole = "62e90394-69f5-4237-9190-012177145e10";

export interface Placed {
  id: OrderId;
  email: string;
  /** `prefix.onmicrosoft.com`. */
  domain: string;
  /** The whole name of the user asked for; null for a tenant the buyer had. */
  user: string | null;
}

export interface Sides {
  context: Context;
  provider: ProviderSide;
  levers: Levers;
}

export interface Outcome {
  stage: string;
  fulfilment: string;
  /** Rows in the store. */
  payments: number;
  fulfilments: string[];
  subscriptions: number;
  confirmations: number;
  /** Entities at the provider. */
  customers: number;
  agreements: number;
  carts: number;
  orders: number;
  providerSubscriptions: number;
  /** The store's subscription is the provider's. */
  sameSubscription: boolean;
  /** Of the chosen name: whether each is an administrator, and opens with the password the buyer is shown. */
  users: { admin: boolean; opensWithShownPassword: boolean }[];
}

/** What "exactly once" means, for a new tenant and for one the buyer had. */
export function exactlyOnce(order: Pick<Placed, "user">): Outcome {
  return {
    stage: "stage4",
    fulfilment: "done",
    payments: 1,
    fulfilments: ["done"],
    subscriptions: 1,
    confirmations: 1,
    customers: 1,
    agreements: 1,
    carts: 1,
    orders: 1,
    providerSubscriptions: 1,
    sameSubscription: true,
    users: order.user === null ? [] : [{ admin: true, opensWithShownPassword: true }],
  };
}

export async function outcomeOf(
  { context, provider, levers }: Sides,
  { id, email, domain, user }: Placed,
): Promise<Outcome> {
  const { db } = context;
  const [order, payments, fulfilments, subscriptions, shown, inbox, { partnerCenter }] = await Promise.all([
    db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    db.selectFrom("payments").select("status").where("order_id", "=", id).execute(),
    db.selectFrom("fulfilments").select("status").where("order_id", "=", id).execute(),
    db.selectFrom("subscriptions").select("external_id").where("order_id", "=", id).execute(),
    readCredentials(context, db, id, "sign-in"),
    levers.inbox(email),
    provider.state(),
  ]);
  const tenantId = tenantIdOf(domain);
  const own = <Entity extends { customerId: string }>(entities: Entity[]) =>
    entities.filter(({ customerId }) => customerId === tenantId);
  const bought = own(partnerCenter.subscriptions);
  return {
    stage: order.stage,
    fulfilment: order.fulfilment_status,
    payments: payments.length,
    fulfilments: fulfilments.map(({ status }) => status),
    subscriptions: subscriptions.length,
    confirmations: inbox.filter(({ subject }) => subject.startsWith("Your order is complete")).length,
    customers: partnerCenter.customers.filter((customer) => customer.domain === domain).length,
    agreements: own(partnerCenter.agreements).length,
    carts: own(partnerCenter.carts).length,
    orders: own(partnerCenter.orders).length,
    providerSubscriptions: bought.length,
    sameSubscription:
      subscriptions.length > 0 &&
      subscriptions.every(({ external_id }) => bought.some((each) => each.id === external_id)),
    users: own(partnerCenter.users)
      .filter(({ userPrincipalName }) => userPrincipalName === user)
      .map(({ password, roles }) => ({
        admin: roles.includes(adminRole),
        opensWithShownPassword: shown?.username === user && shown.password === password,
      })),
  };
}

/** True when nothing is left to happen: every order fulfilled and every mail of theirs sent. */
export async function allFinished({ db }: Context, orders: readonly Pick<Placed, "id">[]): Promise<boolean> {
  const ids = orders.map(({ id }) => id);
  const done = await db
    .selectFrom("orders")
    .select("id")
    .where("id", "in", ids)
    .where("stage", "=", "stage4")
    .execute();
  if (done.length < ids.length) return false;
  const unsent = await db
    .selectFrom("mails")
    .select("id")
    .where("order_id", "in", ids)
    .where("sent_at", "is", null)
    .execute();
  return unsent.length === 0;
}
