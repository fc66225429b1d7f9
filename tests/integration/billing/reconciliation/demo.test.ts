/** The demo company's payments exist at Razorpay, too, so that a new store's books agree. */
import { expect, test } from "vitest";
import { listOpenDiscrepancies } from "#db/billing/reconciliation.ts";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { seedSandbox } from "#sandbox/demo/vendors.ts";
import { reconcile } from "#server/billing/reconciliation/reconcile.ts";
import { startWorld } from "#tests/support/world.ts";

const { context, sandbox } = await startWorld();
const { db } = context;

test("shows no differences for the demo company, also on the second night", async () => {
  await loadDemoData(db, new Date());
  for (const _start of [1, 2]) await seedSandbox(db, sandbox.url);
  for (const _night of [1, 2]) await reconcile(context, new Date());
  expect(await listOpenDiscrepancies(db)).toEqual([]);
  const lines = await db.selectFrom("settlement_lines").select("provider_payment_id").execute();
  expect(lines.length).toBeGreaterThan(0);
  expect(Object.keys(sandbox.sandbox.state.razorpay.payments)).toHaveLength(5);
});
