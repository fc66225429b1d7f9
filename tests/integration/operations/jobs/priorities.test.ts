/** The order of waiting jobs by priority. */
import { expect, test } from "vitest";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";
import { toCheckout } from "#tests/support/journey.ts";
import { readOrder } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore();
const mails = 600;

test("fulfils a paid order before six hundred mails that were queued earlier", async () => {
  const order = await toCheckout(stack.url, { wanted: { family: "brio", item: "brio-desk" } });
  await context.db.transaction().execute(async (trx) => {
    for (let n = 0; n < mails; n += 1) {
      const recipient = `reader-${n}@example.com`;
      await queueMail(trx, {
        kind: "operator-alert",
        dedupeKey: recipient,
        recipient,
        data: { what: "A mail for a test." },
      });
    }
  });
  const { paymentId } = await controls.pay({ orderId: order.providerOrderId, webhook: false });
  await settlePayment(context, {
    provider: "razorpay",
    account: "IN",
    providerOrderId: order.providerOrderId,
    providerPaymentId: paymentId,
  });
  await stack.startWorker();
  await until("the order is done", async () => (await readOrder(context.db, order.id)).stage === "stage4");
  const { fulfilled_at } = await readOrder(context.db, order.id);
  if (fulfilled_at === null) throw new Error("Expected fulfilled_at on a fulfilled order");
  const before = await context.db
    .selectFrom("mails")
    .select("id")
    .where("sent_at", "<", fulfilled_at)
    .execute();
  // Mails that the worker's other slots had already started.
  expect(before.length).toBeLessThan(mails / 10);
  await stack.killWorker();
});
