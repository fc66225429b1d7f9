/**
 * The worker is killed before and after each call that opens a proforma's virtual account or settles its transfers: there is one
 * account and one mail, and the money counts once.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultWorld, startFaultWorld } from "#tests/support/fault-world.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { type OrderPlace, toReview } from "#tests/support/journey.ts";
import { hangsAtEachCall, killDuringCall } from "#tests/support/kill-in-a-call.ts";
import { mailsOfOrder } from "#tests/support/orders.ts";
import { accountsOf, askForProforma } from "#tests/support/transfer.ts";
import { until } from "#tests/support/until.ts";

const access = { wanted: { family: "brio", item: "brio-desk" } };
const opening = {
  "looks for the account": { method: "GET", path: "/virtual_accounts\\?" },
  "opens it": { method: "POST", path: "/virtual_accounts$" },
  "reads it": { method: "GET", path: "/virtual_accounts/va_\\w+$" },
};
const settling = {
  "reads the payment": { method: "GET", path: "/payments/pay_\\w+$" },
  "reads the transfer": { method: "GET", path: "/bank_transfer$" },
};

let world: FaultWorld;
beforeAll(async () => {
  // Longer than it takes to detect a held call and kill the worker.
  world = await startFaultWorld({ worker: false, env: { PROVIDER_TIMEOUT_MS: "5000" } });
});
afterAll(() => world?.stop());

/** Creates an order with a proforma, whose virtual account only the worker can open. */
async function proforma() {
  const { stack, sides } = world;
  const browser = new HttpBrowser(stack.url);
  const order = { ...(await toReview(browser, access)), browser };
  await sides.provider.faults({ match: { path: "/virtual_accounts" }, kind: "500" });
  await askForProforma(browser, order);
  await sides.provider.faults();
  return order;
}

const bankOf = ({ id }: OrderPlace) =>
  world.context.db.selectFrom("proformas").select("bank").where("order_id", "=", id).executeTakeFirst();

test.each(hangsAtEachCall(opening))(
  "opens one account and sends one mail when killed as it $name, $kind",
  async ({ match, kind }) => {
    const order = await proforma();
    await killDuringCall(world, { match, kind });
    await until("the account is open", async () => (await bankOf(order))?.bank != null);
    expect(await accountsOf(world.sides.controls, order)).toHaveLength(1);
    const mails = await mailsOfOrder(world.context.db, order.id);
    expect(mails.map((mail) => mail.kind)).toEqual(["proforma"]);
    await world.stack.killWorker();
  },
);

test.each(hangsAtEachCall(settling))(
  "counts the money once when killed as it $name, $kind",
  async ({ match, kind }) => {
    const { stack, context, sides } = world;
    const order = await proforma();
    await stack.startWorker();
    await until("the account is open", async () => (await bankOf(order))?.bank != null);
    await stack.killWorker();
    const [account] = await accountsOf(sides.controls, order);
    const half = Math.floor(order.totalMinor / 2);
    const credit = (amount: number) => sides.controls.credit({ accountId: account?.id ?? "", amount });
    await killDuringCall(world, { match, kind }, { begin: () => credit(half) });
    await credit(order.totalMinor - half);
    await until("the order is paid", async () => {
      const row = await context.db
        .selectFrom("orders")
        .select("payment_status")
        .where("id", "=", order.id)
        .executeTakeFirst();
      return row?.payment_status === "completed";
    });
    const payments = await context.db
      .selectFrom("payments")
      .select(["status", "amount_minor"])
      .where("order_id", "=", order.id)
      .execute();
    expect(payments.map(({ status }) => status).sort()).toEqual(["captured", "part"]);
    expect(payments.reduce((sum, { amount_minor: amount }) => sum + (amount ?? 0), 0)).toBe(order.totalMinor);
    const received = (await mailsOfOrder(context.db, order.id)).filter(
      (mail) => mail.kind === "transfer-received",
    );
    expect(received).toHaveLength(2);
    await stack.killWorker();
  },
);
