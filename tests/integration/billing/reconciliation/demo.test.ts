/** The demo company's payments are Razorpay's too, so that a store that has just begun has books that agree. */
import { expect, test } from "vitest";
import { listOpenDiscrepancies } from "#db/billing/reconciliation.ts";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { seedSandbox } from "#sandbox/demo/vendors.ts";
import { reconcile } from "#server/billing/reconciliation/reconcile.ts";
import { startWorld } from "#tests/support/world.ts";

const { context, sandbox } = await startWorld();
const { db } = context;

test("the books of the demo company agree, also on the second night", async () => {
  await loadDemoData(db, new Date());
  for (const _start of [1, 2]) await seedSandbox(db, sandbox.url);
  for (const _night of [1, 2]) await reconcile(context, new Date());
  expect(await listOpenDiscrepancies(db)).toEqual([]);
  const lines = await db.selectFrom("settlement_lines").select("provider_payment_id").execute();
  expect(lines.length).toBeGreaterThan(0);
  expect(Object.keys(sandbox.sandbox.state.razorpay.payments)).toHaveLength(5);
});
