/** The worker is killed during a refund call, before and after it takes effect: the money is refunded once. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { refundByStaff } from "#server/billing/payments/staff-refund.ts";
import { type FaultWorld, startFaultWorld } from "#tests/support/fault-world.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { until } from "#tests/support/until.ts";

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld({ env: { PROVIDER_TIMEOUT_MS: "240000" } });
});
afterAll(() => world?.stop());

test.each(["hang-before", "hang-after"] as const)(
  "refunds once when the worker is killed during the call: %s",
  async (kind) => {
    const { stack, context, sides } = world;
    const { db, env } = context;
    const order = await paidOrder(stack);
    const made = async () => (await sides.controls.state()).counts["razorpay.refund.create"] ?? 0;
    const before = await made();
    await sides.controls.faults({ match: { method: "POST", path: "/refund$" }, kind, times: 1 });
    const input = {
      target: order.id,
      amountMinor: 12_300,
      reason: "A test.",
      allowDuplicate: false,
      by: "tester",
      isConfirmed: true,
    };
    const { refundId } = await refundByStaff(db, env, input);
    await until("the call is held", async () => (await sides.provider.state()).faults.length === 0);
    if (kind === "hang-after") await until("it takes effect", async () => (await made()) === before + 1);
    else expect(await made()).toBe(before);
    await stack.killWorker();
    await sides.controls.faults();
    await stack.startWorker();

    const refunds = () => db.selectFrom("refunds").selectAll().where("order_id", "=", order.id).execute();
    await until("the refund is processed", async () => (await refunds())[0]?.status === "processed");
    expect(await refunds()).toMatchObject([{ id: refundId, amount_minor: 12_300, decided_by: "operator" }]);
    expect(await made()).toBe(before + 1);
    const { razorpay } = await sides.controls.state();
    expect(razorpay.refunds.filter(({ receipt }) => receipt === refundId)).toMatchObject([
      { amount: 12_300 },
    ]);
  },
);
