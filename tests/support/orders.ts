/** Orders of any age and stage, for tests of later events. */
import type { Updateable } from "kysely";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { type CustomerId, newId, type OrderId, type UserId } from "#db/ids.ts";
import type { MemberRole } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { OrdersTable } from "#db/tables/orders.ts";
import { sandboxSellers } from "#sandbox/local/environment.ts";
import { addMember, createCustomer } from "#server/accounts/customers.ts";
import { recordEmailVerification } from "#server/accounts/email-verification.ts";
import { createSession } from "#server/accounts/sessions.ts";
import { createUser } from "#server/accounts/users.ts";
import { getItem } from "#server/catalogue/items.ts";
import { beginOrder } from "#server/orders/draft.ts";
import { findOrder, type Requester } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import type { Context } from "#server/platform/context.ts";
import { HttpBrowser } from "./http-browser.ts";
import { freshEmail, plan } from "./journey.ts";

/** Mails about an order, oldest first, except the one that announced its buyer's new account. */
export const mailsOfOrder = (db: Db, id: OrderId) =>
  db
    .selectFrom("mails")
    .selectAll()
    .where("order_id", "=", id)
    .where("kind", "!=", "set-password")
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export const anonymousRequester: Requester = { userId: null, customer: null, draftKey: null };

/** Begins an order as the requester, or as a visitor, then sets the columns that the test wants. */
export async function makeOrder(
  db: Db,
  {
    requester = { ...anonymousRequester, draftKey: newId() },
    now = new Date(),
    quantity = 2,
  }: { requester?: Requester; now?: Date; quantity?: number } = {},
  changes: Updateable<OrdersTable> = {},
): Promise<OrderId> {
  if (!isItemId(plan.item)) throw new Error(`Not an item's id: ${plan.item}`);
  const item = await getItem(db, plan.item);
  const id = await db.transaction().execute((trx) =>
    beginOrder(trx, {
      item,
      country: "IN",
      selection: { term: "P1Y", billingCycle: "annual", quantity },
      placement: null,
      requester,
      sellers: sandboxSellers.sellers,
      now,
    }),
  );
  if (Object.keys(changes).length > 0) {
    await db.updateTable("orders").set(changes).where("id", "=", id).execute();
  }
  return id;
}

export function readOrder(db: Db, id: OrderId) {
  return db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** Backdates the start of the order's payment by this number of minutes, as if it was never looked up. */
export async function backdateCheckout(db: Db, id: OrderId, minutes: number): Promise<void> {
  const began = Date.now() - minutes * 60_000;
  await db
    .updateTable("payment_intents")
    .set({
      created_at: new Date(began),
      next_look_at: new Date(began + 15 * 60_000),
      looks: 0,
      looked_at: null,
    })
    .where("order_id", "=", id)
    .execute();
}

export interface Person {
  userId: UserId;
  email: string;
}

export async function makePerson(db: Db): Promise<Person> {
  const email = freshEmail();
  const userId = await db
    .transaction()
    .execute((trx) =>
      createUser(trx, { email, firstName: "Asha", lastName: "Rao", phone: "9876543210", password: null }),
    );
  await proveMailboxOf(db, userId);
  return { userId, email };
}

/** The order's number as shown to people. */
export async function numberOf(db: Db, id: OrderId): Promise<string> {
  const order = await findOrder(db, id);
  if (order === null) throw new Error(`No order ${id}`);
  return orderNumber(order);
}

/** Verifies a user's mailbox, as following a mailed link does. */
export async function proveMailboxOf(db: Db, userId: UserId): Promise<void> {
  await db.transaction().execute((trx) => recordEmailVerification(trx, userId, { passwordChosen: true }));
}

export async function makeCompany(db: Db, owner: Person, name = "Acme Tools"): Promise<CustomerId> {
  return db
    .transaction()
    .execute((trx) => createCustomer(trx, { name, country: "IN", ownerId: owner.userId }));
}

export async function join(db: Db, customerId: CustomerId, person: Person, role: MemberRole): Promise<void> {
  await db
    .transaction()
    .execute((trx) => addMember(trx, { customerId, userId: person.userId, role, by: null }));
}

/** A browser signed in as this user. @param now the store's time, when a test has moved its clock */
export async function signedIn(
  context: Context,
  origin: string,
  person: Person,
  now = new Date(),
): Promise<HttpBrowser> {
  const { token } = await createSession(context.db, context.env.SESSION_SECRETS, person.userId, now);
  const browser = new HttpBrowser(origin);
  browser.setCookie("session", Buffer.from(JSON.stringify(token)).toString("base64"));
  return browser;
}
