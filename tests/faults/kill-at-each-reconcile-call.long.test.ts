/**
 * The daily reconciliation of payouts and bills is killed at each call, before and after the response: the next run continues it,
 * and the result equals that of an undisturbed run.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { listOpenDiscrepancies } from "#db/billing/reconciliation.ts";
import { reconcile } from "#server/billing/reconciliation/reconcile.ts";
import { startChild } from "#server/operations/child-process.ts";
import { bundleProgram } from "#tests/support/bundle.ts";
import { type FaultWorld, startFaultWorld } from "#tests/support/fault-world.ts";
import { prepareGoogleSignUp, prepareNewTenant } from "#tests/support/prepared-order.ts";
import { until } from "#tests/support/until.ts";

const aheadMs = 60 * 86_400_000;
const later = new Date(Date.now() + aheadMs).toISOString();

const calls = {
  payouts: "/settlements/recon/combined",
  "the list of Microsoft's bills": "/partner-center/v1/invoices",
  "the export of a bill": "/reconciliation/billed/export",
  "its operation": "/partners/billing/operations/",
  "its manifest": "/partners/billing/manifests/",
  "its file": "/microsoft-files/",
  "the list of Google's reports": "/reports$",
  "the run of a report": "/reports/[^/]+:run",
  "its rows": ":fetchReportResults",
};
const scenarios = Object.entries(calls).flatMap(([name, path]) =>
  (["hang-before", "hang-after"] as const).map((kind) => ({ name, path, kind })),
);

let world: FaultWorld;
let doomed: Awaited<ReturnType<typeof bundleProgram>>;
beforeAll(async () => {
  doomed = await bundleProgram("tests/support/doomed-reconcile.ts");
  world = await startFaultWorld();
  const prepared = [await prepareNewTenant(world), await prepareGoogleSignUp(world)];
  for (const order of prepared) await order.signIn();
  await world.finished(prepared);
  await world.stack.killWorker();
  await world.sides.provider.clock(aheadMs);
});
afterAll(async () => {
  await world?.stop();
  await doomed?.remove();
});

function begin() {
  return startChild({
    name: "doomed",
    args: [doomed.program, later],
    env: { ...process.env, ...world.stack.env, LOG_LEVEL: "silent", PROVIDER_TIMEOUT_MS: "240000" },
    onLine: () => undefined,
  });
}

async function stored() {
  const { db } = world.context;
  const lines = await db
    .selectFrom("settlement_lines")
    .select(["entity_id", "settlement_id"])
    .orderBy("entity_id")
    .execute();
  const bills = await db
    .selectFrom("vendor_bill_lines")
    .select(["line_key", "amount_minor"])
    .orderBy("line_key")
    .execute();
  return { lines, bills, open: await listOpenDiscrepancies(db) };
}

async function forget(): Promise<void> {
  const { db } = world.context;
  for (const table of [
    "settlement_lines",
    "settlement_days",
    "vendor_bill_lines",
    "vendor_statements",
  ] as const)
    await db.deleteFrom(table).execute();
}

test("completes in the next run after a kill at any call", async () => {
  const { provider } = world.sides;
  const lookAgain = () => reconcile(world.context, new Date(later));
  await lookAgain();
  const whole = await stored();
  expect([whole.lines.length, whole.bills.length, whole.open]).toEqual([2, 4, []]);
  for (const { name, path, kind } of scenarios) {
    await forget();
    await provider.faults({ match: { path }, kind, times: 1 });
    const child = begin();
    await until(`${name} is held, ${kind}`, async () => (await provider.state()).faults.length === 0);
    await child.kill();
    await provider.faults();
    await lookAgain();
    expect(await stored(), `${name}, ${kind}`).toEqual(whole);
  }
});
