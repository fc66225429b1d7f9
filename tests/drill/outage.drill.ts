/**
 * Outages longer than every back-off, of Microsoft and then of the payment provider (`npm run test:drill -- outage`). Other
 * vendors' orders are fulfilled during them; Microsoft's wait, need attention when their retries end, and are resumed by a
 * command.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OrderId } from "#db/ids.ts";
import { runCommand } from "#tests/support/command.ts";
import { reportDrillResult } from "#tests/support/drill-result.ts";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { type OpenPayment, returnForm, toCheckout } from "#tests/support/journey.ts";
import { readOrder } from "#tests/support/orders.ts";
import { answerSignInGoogle, answerSignInNewTenant, freshPrefix, payFor } from "#tests/support/paid-order.ts";
import { makeJobsDue } from "#tests/support/queue.ts";
import { until } from "#tests/support/until.ts";
import { letTimePass } from "./chaos.ts";
import { heldOrDue, readBooks } from "./ledger.ts";

const orders = 10;
/** Reduces two hours of retries to 15 seconds. */
const retryBaseMs = 10;
const brio = { family: "brio", item: "brio-desk" };

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ env: { RETRY_BASE_MS: String(retryBaseMs), PROVIDER_TIMEOUT_MS: "1000" } });
});
afterAll(() => fleet?.stop());

const fulfilment = async (id: OrderId) => (await readOrder(fleet.context.db, id)).fulfilment_status;

test("fulfils other vendors' orders during an outage, and then all without SQL", async () => {
  const { stack, sides } = fleet;
  const waiting: OpenPayment[] = [];
  for (let n = 0; n < orders; n += 1) waiting.push(await paidFor({}));
  const late = await paidFor({});
  // It begins when they name their accounts: checks of free names are still answered.
  await sides.controls.faults({ match: { method: "POST", path: "^/partner-center" }, kind: "503" });
  for (const order of waiting) await answerSignInNewTenant(order, { prefix: freshPrefix("away") });
  await sides.controls.faults({ match: { path: "^/partner-center" }, kind: "503" });
  const named = { prefix: freshPrefix("late") };
  await expect(answerSignInNewTenant(late, named), "nobody knows whether the name is free").rejects.toThrow(
    "Sign-in answered",
  );

  const others: { id: OrderId; ms: number }[] = [];
  for (let n = 0; n < orders; n += 1) {
    const domain = `${freshPrefix("other")}.com`;
    const google = { family: "google", item: "google-workspace-business-starter", domain };
    const order = await paidFor({ wanted: n % 2 === 0 ? brio : google });
    if (n % 2 === 1) await answerSignInGoogle(order, "admin");
    const from = performance.now();
    await until("another vendor's order is done", async () => (await fulfilment(order.id)) === "done");
    others.push({ id: order.id, ms: Math.round(performance.now() - from) });
  }
  await until(
    "the patience with the vendor is over",
    async () => {
      const states = await Promise.all(waiting.map(({ id }) => fulfilment(id)));
      return states.every((state) => state === "needs_attention");
    },
    { timeoutMs: 120_000 },
  );
  for (const { browser, path } of waiting) {
    const page = await browser.get(`${path}/sign-in`);
    expect([200, 303], page.text).toContain(page.status);
  }

  await sides.controls.faults();
  const listed = (await runCommand(stack, "order", "list")).said.match(/HUB-\d\d-\d{6}/g) ?? [];
  for (const number of listed) {
    const { how, said } = await runCommand(stack, "order", "retry", number, "--reason", "Microsoft is back");
    expect(how, said).toBe("code 0");
  }
  await answerSignInNewTenant(late, named);

  // The payment provider fails while buyers return from it, and its webhooks are lost.
  await sides.provider.webhooks("never");
  const paying: OpenPayment[] = [];
  for (let n = 0; n < orders; n += 1) paying.push(await toCheckout(stack.url, { wanted: brio }));
  await sides.controls.faults({ match: { path: "^/razorpay/v1" }, kind: "503" });
  for (const { browser, providerOrderId } of paying) {
    const paid = await sides.controls.pay({ orderId: providerOrderId, webhook: false });
    const answer = await browser.post("/payments/return", returnForm(providerOrderId, paid));
    expect(answer.status, answer.text).toBe(303);
  }
  await sides.controls.faults();
  await until(
    "nothing is left to do",
    async () => {
      await letTimePass(fleet);
      await makeJobsDue(fleet.context.db);
      return (await readBooks(fleet)).stuck.length === 0;
    },
    { timeoutMs: 180_000, everyMs: 2_000 },
  ).catch(() => undefined);

  const { paid, fulfilledOnce, lost, doubled, stuck, invoicesMissing } = await readBooks(fleet);
  reportDrillResult(
    "outage",
    {
      paid,
      "fulfilled once": fulfilledOnce,
      "sent on by command": listed.length,
      "of others done meanwhile": others.length,
      "ms for the slowest of them": Math.max(...others.map(({ ms }) => ms)),
      lost: lost.length,
      doubled: doubled.length,
      stuck: stuck.length,
    },
    null,
  );
  expect({ lost, doubled, stuck, invoicesMissing }).toEqual({
    lost: [],
    doubled: [],
    stuck: [],
    invoicesMissing: [],
  });
  expect([paid, fulfilledOnce, listed.length]).toEqual([3 * orders + 1, 3 * orders + 1, orders]);
  expect(await heldOrDue(fleet.context)).toEqual([]);
}, 900_000);

/** Pays an order and returns from the provider. */
async function paidFor(options: Parameters<typeof toCheckout>[1]): Promise<OpenPayment> {
  const order = await toCheckout(fleet.stack.url, options);
  if (options?.wanted === brio) {
    const paid = await fleet.sides.controls.pay({ orderId: order.providerOrderId, webhook: false });
    await order.browser.post("/payments/return", returnForm(order.providerOrderId, paid));
  } else await payFor(order, fleet.stack.sandboxUrl);
  return order;
}
