/**
 * The worker is killed before and after each call that creates or closes a payment link or settles its payment: there is one link
 * and one mail, the link is closed, and the money counts once, even if its webhook arrives before the response.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultWorld, startFaultWorld } from "#tests/support/fault-world.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { type OrderPlace, toReview } from "#tests/support/journey.ts";
import { hangsAtEachCall, killDuringCall } from "#tests/support/kill-in-a-call.ts";
import { mailsOfOrder } from "#tests/support/orders.ts";
import { askForLink, linksOf } from "#tests/support/payment-link.ts";
import { until } from "#tests/support/until.ts";

const desk = { wanted: { family: "brio", item: "brio-desk" } };
const making = {
  "looks for the link": { method: "GET", path: "/payment_links\\?" },
  "makes it": { method: "POST", path: "/payment_links$" },
  "reads it": { method: "GET", path: "/payment_links/plink_\\w+$" },
};
const closing = { "cancels it": { method: "POST", path: "/cancel$" } };
const settling = {
  "reads the payment": { method: "GET", path: "/payments/pay_\\w+$" },
  "reads the link": { method: "GET", path: "/payment_links/plink_\\w+$" },
};

let world: FaultWorld;
beforeAll(async () => {
  // Longer than it takes to detect a held call and kill the worker.
  world = await startFaultWorld({ worker: false, env: { PROVIDER_TIMEOUT_MS: "5000" } });
});
afterAll(() => world?.stop());

/** Creates an order that waits for its link, which only the worker can create. */
async function orderAwaitingLink() {
  const { stack, sides } = world;
  const browser = new HttpBrowser(stack.url);
  const order = { ...(await toReview(browser, desk)), browser };
  await sides.provider.faults({ match: { path: "/payment_links" }, kind: "500" });
  await askForLink(browser, order);
  await sides.provider.faults();
  return order;
}

const isMade = async ({ id }: OrderPlace) =>
  (await mailsOfOrder(world.context.db, id)).some(({ kind }) => kind === "payment-link");

/** Creates an order with its link, without a running worker. */
async function linked() {
  const order = await orderAwaitingLink();
  await world.stack.startWorker();
  await until("the link is created", () => isMade(order));
  await world.stack.killWorker();
  const [link] = await linksOf(world.sides.controls, order);
  if (link === undefined) throw new Error("Expected a payment link");
  return { ...order, linkId: link.id };
}

async function isPaid({ id }: OrderPlace): Promise<boolean> {
  const row = await world.context.db
    .selectFrom("orders")
    .select("payment_status")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.payment_status === "completed";
}

async function expectPaidOnce(order: OrderPlace) {
  const { db } = world.context;
  const payments = await db
    .selectFrom("payments")
    .select(["status", "provider"])
    .where("order_id", "=", order.id)
    .execute();
  expect(payments).toEqual([{ status: "captured", provider: "payment-link" }]);
  expect(
    await db.selectFrom("invoices").select("number").where("order_id", "=", order.id).execute(),
  ).toHaveLength(1);
  const mails = (await mailsOfOrder(db, order.id)).map(({ kind }) => kind);
  expect(mails.filter((kind) => kind === "payment-link").length).toBeLessThan(2);
}

test.each(hangsAtEachCall(making))(
  "creates one link and one mail when killed as it $name, $kind",
  async ({ match, kind }) => {
    const order = await orderAwaitingLink();
    await killDuringCall(world, { match, kind });
    await until("the link is created", () => isMade(order));
    expect(await linksOf(world.sides.controls, order)).toHaveLength(1);
    expect((await mailsOfOrder(world.context.db, order.id)).map((mail) => mail.kind)).toEqual([
      "payment-link",
    ]);
    await world.stack.killWorker();
  },
);

test.each(hangsAtEachCall(closing))(
  "cancels the link once when killed as it $name, $kind",
  async ({ match, kind }) => {
    const order = await linked();
    const cancelled = async () =>
      (await linksOf(world.sides.controls, order)).map((link) => link.cancelled_at > 0);
    await killDuringCall(
      world,
      { match, kind },
      {
        begin: () => order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "5" }),
      },
    );
    await until("the link is cancelled", async () => (await cancelled()).every(Boolean));
    expect(await cancelled()).toEqual([true]);
    await world.stack.killWorker();
  },
);

test.each(hangsAtEachCall(settling))(
  "counts the money once when killed as it $name, $kind",
  async ({ match, kind }) => {
    const order = await linked();
    await killDuringCall(
      world,
      { match, kind },
      { begin: () => world.sides.controls.payLink({ linkId: order.linkId }) },
    );
    await until("the order is paid", () => isPaid(order));
    await expectPaidOnce(order);
    await world.stack.killWorker();
  },
);

test("counts the money once if paid and reported before the link's response arrives", async () => {
  const { stack, sides } = world;
  const order = await orderAwaitingLink();
  await killDuringCall(
    world,
    { match: making["makes it"], kind: "hang-after" },
    {
      meanwhile: async () => {
        const [link] = await linksOf(sides.controls, order);
        await sides.controls.payLink({ linkId: link?.id ?? "" });
      },
    },
  );
  await until("the order is paid", () => isPaid(order));
  await expectPaidOnce(order);
  expect(await linksOf(sides.controls, order)).toHaveLength(1);
  await stack.killWorker();
});
