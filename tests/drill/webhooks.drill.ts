/**
 * Ten thousand deliveries of some seventy events about payments, links, transfers, refunds and disputes, repeated, in any order,
 * to two webs at once (`npm run test:drill -- webhooks`). Each takes effect once, and forged ones have no effect.
 */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OrderId } from "#db/ids.ts";
import { drillSeed, reportDrillResult } from "#tests/support/drill-result.ts";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { toCheckout } from "#tests/support/journey.ts";
import type { VendorDelivery } from "#tests/support/load-balancer.ts";
import { toLink } from "#tests/support/payment-link.ts";
import { seededRandom } from "#tests/support/seeded-random.ts";
import { accountOf, toTransfer } from "#tests/support/transfer.ts";
import { until } from "#tests/support/until.ts";
import { heldOrDue, readBooks } from "./ledger.ts";

const wanted = { family: "brio", item: "brio-desk" };
const deliveries = { ofPayments: 3_000, ofAll: 6_000, again: 1_000 };
const forgeries = 500;
const sendersAtOnce = 8;
const random = seededRandom(drillSeed);

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.stop());

test(`counts each event once, repeated and reordered (seed ${drillSeed})`, async () => {
  const { proxy, sides, context } = fleet;
  const { controls } = sides;
  proxy.keepLetters("/webhooks/");
  const payments = await payAll();
  const ofPayments = await lettersWritten(2 * payments.length);
  await deliver(shuffled(ofPayments, deliveries.ofPayments));
  await nothingDue();

  const [whole, part, won, lost] = payments;
  if (whole === undefined || part === undefined || won === undefined || lost === undefined)
    throw new Error("Nothing was paid");
  await controls.refund({ paymentId: whole.paymentId });
  await controls.refund({ paymentId: part.paymentId, amount: 100 });
  await controls.refund({ paymentId: part.paymentId, amount: 200 });
  for (const [{ paymentId }, end] of [
    [won, "won"],
    [lost, "lost"],
  ] as const) {
    const disputeId = await controls.dispute({ paymentId });
    for (const event of ["under_review", "action_required", end, "closed"] as const)
      await controls.dispute({ disputeId, event });
  }
  const all = await lettersWritten(ofPayments.length + 6 + 10);
  const refundsBefore = (await controls.state()).razorpay.refunds.length;
  const refused = await forge(all);
  await deliver(shuffled(all, deliveries.ofAll));
  await nothingDue();

  const once = await countRows();
  await deliver(shuffled(all, deliveries.again));
  await nothingDue();
  const again = await countRows();

  const { paid, fulfilledOnce, lost: unknown, doubled, stuck, invoicesMissing } = await readBooks(fleet);
  const refunds = await context.db
    .selectFrom("refunds")
    .select(["provider_payment_id", "amount_minor", "status"])
    .orderBy("amount_minor")
    .execute();
  const disputes = await context.db
    .selectFrom("disputes")
    .select(["provider_payment_id", "status"])
    .orderBy("status")
    .execute();
  reportDrillResult("webhooks", {
    deliveries: deliveries.ofPayments + deliveries.ofAll + deliveries.again,
    events: all.length,
    paid,
    "fulfilled once": fulfilledOnce,
    lost: unknown.length,
    doubled: doubled.length,
    stuck: stuck.length,
    refunds: refunds.length,
    disputes: disputes.length,
    "forged ones refused": refused,
  });
  expect({ unknown, doubled, stuck, invoicesMissing }).toEqual({
    unknown: [],
    doubled: [],
    stuck: [],
    invoicesMissing: [],
  });
  expect([paid, fulfilledOnce]).toEqual([payments.length, payments.length]);
  expect(refunds).toEqual([
    { provider_payment_id: part.paymentId, amount_minor: 100, status: "processed" },
    { provider_payment_id: part.paymentId, amount_minor: 200, status: "processed" },
    { provider_payment_id: whole.paymentId, amount_minor: expect.any(Number), status: "processed" },
  ]);
  expect(disputes).toEqual([
    { provider_payment_id: lost.paymentId, status: "lost" },
    { provider_payment_id: won.paymentId, status: "won" },
  ]);
  expect((await controls.state()).razorpay.refunds.length, "refunds that the store asked for").toBe(
    refundsBefore,
  );
  expect(refused).toBe(forgeries);
  expect(again).toEqual(once);
}, 1_800_000);

interface Paid {
  orderId: OrderId;
  paymentId: string;
}

/** Makes fifteen payments by card, two of them at the second try, five by a link and five by transfer; no buyer returns. */
async function payAll(): Promise<Paid[]> {
  const { stack, sides } = fleet;
  const { controls } = sides;
  const paid: Paid[] = [];
  for (let n = 0; n < 15; n += 1) {
    const { id, providerOrderId } = await toCheckout(stack.url, { wanted });
    if (n < 2) await controls.pay({ orderId: providerOrderId, status: "failed" });
    const { paymentId } = await controls.pay({ orderId: providerOrderId });
    paid.push({ orderId: id, paymentId });
  }
  for (let n = 0; n < 5; n += 1) {
    const { id, linkId } = await toLink(stack.url, controls, { wanted });
    const { paymentId } = await controls.payLink({ linkId });
    paid.push({ orderId: id, paymentId });
  }
  for (let n = 0; n < 5; n += 1) {
    const order = await toTransfer(stack.url, { wanted });
    const accountId = await accountOf(controls, order);
    paid.push({
      orderId: order.id,
      paymentId: await controls.credit({ accountId, amount: order.totalMinor }),
    });
  }
  return paid;
}

/** The deliveries that have arrived at the proxy, once there are at least this many and no more come. */
async function lettersWritten(atLeast: number): Promise<readonly VendorDelivery[]> {
  let before = -1;
  await until(
    `${atLeast} webhooks are written`,
    () => {
      const now = fleet.proxy.letters.length;
      const isAll = now >= atLeast && now === before;
      before = now;
      return isAll;
    },
    { everyMs: 1_000 },
  );
  return [...fleet.proxy.letters];
}

/** The given number of deliveries, equally many of each, in random order. */
function shuffled(letters: readonly VendorDelivery[], count: number): VendorDelivery[] {
  return Array.from({ length: count }, (_, index) => letters[index % letters.length])
    .filter((delivery) => delivery !== undefined)
    .map((delivery) => ({ letter: delivery, at: random(0, 1_000_000_000) }))
    .sort((one, other) => one.at - other.at)
    .map(({ letter: delivery }) => delivery);
}

async function deliver(letters: VendorDelivery[]): Promise<void> {
  fleet.proxy.keepLetters(null);
  const statuses = new Set<number>();
  await Promise.all(
    Array.from({ length: sendersAtOnce }, async () => {
      for (let delivery = letters.pop(); delivery !== undefined; delivery = letters.pop()) {
        // One in fifty is sent again from the provider's dashboard, as a new event.
        const isOfItsOwn = random(0, 50) === 0;
        statuses.add(await send(delivery, isOfItsOwn ? { "x-razorpay-event-id": randomUUID() } : {}));
      }
    }),
  );
  fleet.proxy.keepLetters("/webhooks/");
  expect([...statuses]).toEqual([200]);
}

async function send(
  { path, headers, body }: VendorDelivery,
  changed: Record<string, string> = {},
): Promise<number> {
  const own = ["content-type", "x-razorpay-signature", "x-razorpay-event-id"].map(
    (name) => [name, String(headers[name] ?? "")] as const,
  );
  const answer = await fetch(`${fleet.stack.url}${path}`, {
    method: "POST",
    headers: { ...Object.fromEntries(own), ...changed },
    body: new Uint8Array(body),
  });
  await answer.body?.cancel();
  return answer.status;
}

/** Sends deliveries with another one's signature, and modified ones. @returns the number refused */
async function forge(letters: readonly VendorDelivery[]): Promise<number> {
  fleet.proxy.keepLetters(null);
  let refused = 0;
  for (const [index, delivery] of shuffled(letters, forgeries).entries()) {
    const text = delivery.body.toString().replace(/"amount":(\d+)/, '"amount":9$1');
    const forged =
      index % 2 === 0
        ? await send(delivery, { "x-razorpay-signature": "0".repeat(64) })
        : await send({ ...delivery, body: Buffer.from(`${text} `) });
    if (forged === 401) refused += 1;
  }
  fleet.proxy.keepLetters("/webhooks/");
  return refused;
}

const nothingDue = () =>
  until("nothing is due", async () => (await heldOrDue(fleet.context)).length === 0, {
    timeoutMs: 300_000,
    everyMs: 500,
  });

/** Number of rows in each table that an event could affect. */
async function countRows(): Promise<Record<string, number>> {
  const tables = [
    "payments",
    "payment_intents",
    "refunds",
    "disputes",
    "orders",
    "fulfilments",
    "subscriptions",
    "invoices",
    "credit_notes",
    "mails",
  ];
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from ${sql.table(table)}`.execute(fleet.context.db);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}
