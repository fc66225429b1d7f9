/** A slow vendor delays only its own orders: a worker keeps a slot free for others. */
import { expect, test } from "vitest";
import { returnForm, toCheckout } from "#tests/support/journey.ts";
import { readOrder } from "#tests/support/orders.ts";
import { answerSignInNewTenant, freshPrefix, paidOrder } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const concurrency = 2;
const { stack, context, controls } = await startStore({
  env: { WORKER_CONCURRENCY: String(concurrency), PROVIDER_TIMEOUT_MS: "60000" },
});

test("fulfils another vendor's order while the slow one has more orders than slots", async () => {
  const slow = [];
  for (let count = 0; count <= concurrency; count += 1) {
    const order = await paidOrder(stack);
    await answerSignInNewTenant(order, { prefix: freshPrefix("slow") });
    slow.push(order);
  }
  const brio = await toCheckout(stack.url, { wanted: { family: "brio", item: "brio-desk" } });
  const payment = await controls.pay({ orderId: brio.providerOrderId, webhook: false });
  await brio.browser.post("/payments/return", returnForm(brio.providerOrderId, payment));
  // Slow from now on only, because the steps call the vendor too.
  await controls.faults({ match: { path: "partner-center" }, kind: "slow", delayMs: 30_000 });
  await stack.startWorker();
  const stageOf = async ({ id }: { id: typeof brio.id }) => (await readOrder(context.db, id)).stage;
  await until("brio's order is done", async () => (await stageOf(brio)) === "stage4");
  for (const order of slow) expect(await stageOf(order)).toBe("stage3");
  await controls.faults();
  await stack.killWorker();
});
