/** A payment whose webhooks arrive in another order than they were sent: the order is fulfilled once. */
import { expect, test } from "vitest";
import { beginChange, openPayment, outcomeOfChange } from "#tests/support/changes.ts";
import { createSubscriptionFor, makeCustomer, seedProviders } from "#tests/support/customer.ts";
import { signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { eventually } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });
const { db } = context;

test("adds the licences once when the webhooks arrive in another order", async () => {
  const customer = await makeCustomer(db);
  const held = await createSubscriptionFor(db, customer, { quantity: 10, endsInDays: 112 });
  await seedProviders(db, stack.sandboxUrl, customer);
  const browser = await signedIn(context, stack.url, customer.owner);
  const order = await beginChange(browser, "more", held.id, 5);
  const orderId = await openPayment(browser, order);

  // The failed attempt is reported last, and the paid order before its payment.
  await controls.shuffleWebhooks(1_000, 500, 0);
  await controls.pay({ orderId, status: "failed" });
  await controls.pay({ orderId });
  const events = () =>
    db.selectFrom("provider_events").select(["type", "state"]).orderBy("received_at").execute();
  await eventually(async () =>
    expect(await events()).toEqual([
      { type: "order.paid", state: "applied" },
      { type: "payment.captured", state: "applied" },
      { type: "payment.failed", state: "applied" },
    ]),
  );

  expect(await outcomeOfChange(context, order)).toBe("done");
  expect(await readSubscription(db, held.id)).toMatchObject({ quantity: 15, changing_order_id: null });
  const { partnerCenter } = await provider.state();
  expect(partnerCenter.subscriptions.filter(({ id }) => id === held.externalId)).toMatchObject([
    { quantity: 15 },
  ]);
  const kept = async (table: "invoices" | "refunds") =>
    (await db.selectFrom(table).select("order_id").where("order_id", "=", order.id).execute()).length;
  expect([await kept("invoices"), await kept("refunds")]).toEqual([1, 0]);
  const paid = db.selectFrom("payments").select("status").where("order_id", "=", order.id);
  expect((await paid.execute()).filter(({ status }) => status === "captured")).toHaveLength(1);
});
