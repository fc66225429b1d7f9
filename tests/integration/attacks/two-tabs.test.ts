/**
 * Concurrent requests of one user, and a member who acts while an owner removes them: both rely on a membership read before the
 * transaction. A lock held by the test fixes the order of events. PostgreSQL only, because the embedded database has one
 * session.
 */
import { afterAll, describe, expect, inject, test } from "vitest";
import { deleteMember } from "#db/accounts/members.ts";
import type { CustomerId } from "#db/ids.ts";
import { listMemberships } from "#server/accounts/customers.ts";
import { mintInviteToken } from "#server/accounts/one-time-tokens.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import { accountForm, beginOrder, type OrderPlace, toReview } from "#tests/support/journey.ts";
import { waitingForLock } from "#tests/support/locks.ts";
import { join, makeCompany, makePerson, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context } = await startStore();
const { db } = context;
const locker = await context.pool.connect();
afterAll(() => locker.release());

type Table = "users" | "orders" | "customers";

/** Sends requests while a row is locked, runs `meanwhile` once all of them wait, then releases the lock. */
async function whileLocked<T>(
  [table, id]: [Table, string],
  requests: () => Promise<T>[],
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<T[]> {
  await locker.query("begin");
  try {
    await locker.query(`select id from ${table} where id = $1 for update`, [id]);
    const sent = requests();
    await until("all wait", async () => (await waitingForLock(context.pool)) >= sent.length);
    await meanwhile();
    await locker.query("commit");
    return await Promise.all(sent);
  } catch (error) {
    await locker.query("rollback");
    throw error;
  }
}

describe.skipIf(inject("databaseTemplate").kind === "embedded")(
  "Create Account in several tabs at once",
  () => {
    test.each([2, 3])("creates one company for %i orders, which stay the buyer's", async (tabs) => {
      const person = await makePerson(db);
      const browser = await signedIn(context, stack.url, person);
      const orders: OrderPlace[] = [];
      // Different plans, because a second tab with the same plan continues the first order.
      for (const item of ["basic", "standard", "premium"].slice(0, tabs))
        orders.push(
          await beginOrder(browser, {
            wanted: { family: "microsoft", item: `microsoft-365-business-${item}` },
          }),
        );
      expect(new Set(orders.map(({ id }) => id)).size).toBe(tabs);
      const answers = await whileLocked(["users", person.userId], () =>
        orders.map(({ path }, tab) =>
          browser.post(`${path}/create-account`, {
            ...accountForm(person.email),
            companyName: `Acme Tools ${tab}`,
          }),
        ),
      );
      expect(answers.map(({ status, location }) => [status, location])).toEqual(
        orders.map(({ path }) => [303, `${path}/place-order`]),
      );
      expect(await listMemberships(db, person.userId)).toHaveLength(1);
      for (const { path } of orders) expect((await browser.get(`${path}/place-order`)).status).toBe(200);
    });
  },
);

/** Creates a company's order, and a buyer of the company in another browser. */
async function colleague(): Promise<{
  order: OrderPlace;
  customerId: CustomerId;
  member: Awaited<ReturnType<typeof makePerson>>;
  browser: HttpBrowser;
}> {
  const owner = await makePerson(db);
  const ownersBrowser = await signedIn(context, stack.url, owner);
  const order = await toReview(ownersBrowser, { email: owner.email });
  const [company] = await listMemberships(db, owner.userId);
  if (company === undefined) throw new Error("Expected a company");
  const member = await makePerson(db);
  await join(db, company.id, member, "buyer");
  return { order, customerId: company.id, member, browser: await signedIn(context, stack.url, member) };
}

type Act = (browser: HttpBrowser, order: OrderPlace) => Promise<{ status: number }>;
const acts: [string, Act][] = [
  [
    "takes it out of the cart",
    (browser, { id }) => browser.post(paths.cart(), { intent: "remove", order: id }),
  ],
  ["makes a quote of it", (browser, { id }) => browser.post(paths.orderQuote(id), {})],
  [
    "changes its licenses",
    (browser, { path }) => browser.post(`${path}/subscription-details`, { term: "P1Y", quantity: "9" }),
  ],
  [
    "changes its buyer",
    (browser, { path }) => browser.post(`${path}/create-account`, accountForm("somebody@example.com")),
  ],
  [
    "changes its references",
    (browser, { id }) =>
      browser.post(paths.orderReferences(id), { purchaseOrder: "PO-1", costCentre: "", note: "" }),
  ],
];

describe.skipIf(inject("databaseTemplate").kind === "embedded")(
  "a member removed or demoted during a request that",
  () => {
    test.each(acts)("%s: changes nothing", async (_name, action) => {
      const { order, customerId, member, browser } = await colleague();
      const before = await findOrder(db, order.id);
      const [answer] = await whileLocked(
        ["orders", order.id],
        () => [action(browser, order)],
        () => db.transaction().execute((trx) => deleteMember(trx, customerId, member.userId)),
      );
      expect(answer?.status).toBe(404);
      expect(await findOrder(db, order.id)).toEqual(before);
    });

    test.each(acts)("%s: gets a refusal as a viewer", async (_name, action) => {
      const { order, customerId, member, browser } = await colleague();
      const before = await findOrder(db, order.id);
      const [answer] = await whileLocked(
        ["orders", order.id],
        () => [action(browser, order)],
        () =>
          db
            .updateTable("members")
            .set({ role: "viewer" })
            .where("customer_id", "=", customerId)
            .where("user_id", "=", member.userId)
            .execute(),
      );
      // A viewer does not see another member's order.
      expect([403, 404]).toContain(answer?.status);
      expect(await findOrder(db, order.id)).toEqual(before);
    });
  },
);

describe.skipIf(inject("databaseTemplate").kind === "embedded")("accepting an invitation", () => {
  async function invited() {
    const owner = await makePerson(db);
    const customerId = await makeCompany(db, owner);
    const guest = await makePerson(db);
    const owners = await signedIn(context, stack.url, owner);
    await owners.post("/members", { intent: "invite", email: guest.email, role: "owner" });
    const invite = await db
      .selectFrom("member_invites")
      .select(["id", "expires_at"])
      .where("email", "=", guest.email)
      .executeTakeFirstOrThrow();
    const link = paths.invite(await mintInviteToken(db, invite.id, invite.expires_at));
    return { customerId, guest, link, invite };
  }

  test("gives the new role when the role changes in between", async () => {
    const { customerId, guest, link, invite } = await invited();
    const browser = await signedIn(context, stack.url, guest);
    const [answer] = await whileLocked(
      ["customers", customerId],
      () => [browser.post(link, { intent: "accept" })],
      () => locker.query("update member_invites set role = 'viewer' where id = $1", [invite.id]),
    );
    expect(answer?.status).toBe(303);
    expect((await listMemberships(db, guest.userId)).map(({ role }) => role)).toEqual(["viewer"]);
  });

  test("joins once from two tabs at once", async () => {
    const { customerId, guest, link } = await invited();
    const tabs = [await signedIn(context, stack.url, guest), await signedIn(context, stack.url, guest)];
    const answers = await whileLocked(["customers", customerId], () =>
      tabs.map((tab) => tab.post(link, { intent: "accept" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await listMemberships(db, guest.userId)).toHaveLength(1);
  });
});
