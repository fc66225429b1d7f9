/** The demo company can cancel a subscription and return licences, which is possible only in the first days after a purchase. */
import { expect, test } from "vitest";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { seedSandbox } from "#sandbox/demo/vendors.ts";
import { currentCancellationOptions } from "#server/billing/cancellations/request.ts";
import { findSubscription } from "#server/orders/subscriptions/subscription.ts";
import { startWorld } from "#tests/support/world.ts";

const dayMs = 86_400_000;

const { context, sandbox } = await startWorld();
const { db } = context;

test("includes a subscription to cancel and one to reduce, open for days", async () => {
  const now = new Date();
  await loadDemoData(db, now);
  await seedSandbox(db, sandbox.url);
  const open: string[] = [];
  for (const { id, item_id } of await db.selectFrom("subscriptions").select(["id", "item_id"]).execute()) {
    const subscription = await findSubscription(db, id);
    expect.assert(subscription);
    const { cancel, reduce } = await currentCancellationOptions(
      context,
      subscription,
      new Date(now.getTime() + 2 * dayMs),
    );
    if (!("closed" in cancel)) open.push(`cancel ${item_id}`);
    if (!("closed" in reduce)) open.push(`reduce ${item_id}, at most ${reduce.most}`);
  }
  expect(open.sort()).toEqual([
    "cancel microsoft-365-apps-for-business",
    "cancel microsoft-365-business-basic",
    "reduce microsoft-365-business-basic, at most 9",
  ]);
});
