/**
 * Payouts: each line of a day with more lines than one response holds is stored once, even if the second response fails;
 * refunds and disputes are recognised in payouts.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { type Payment, savePayment } from "#db/billing/payments.ts";
import { readDayRange } from "#db/billing/settlements.ts";
import { createOrder, pay } from "#sandbox/vendors/razorpay/ledger.ts";
import { applyDisputeReport } from "#server/billing/payments/dispute-reports.ts";
import { findInPayouts } from "#server/billing/reconciliation/money.ts";
import { readDay } from "#server/billing/reconciliation/settlements.ts";
import { makeOrder } from "#tests/support/orders.ts";
import { startWorld } from "#tests/support/world.ts";

const { context, controls, sandbox } = await startWorld();
const { db } = context;
const dayMs = 86_400_000;
const later = new Date(Date.now() + 10 * dayMs);
const account = { provider: "razorpay", account: "IN" } as const;
const count = 1_100;
let payday = "";

const stored = async () =>
  (await db.selectFrom("settlement_lines").select("entity_id").execute()).map(({ entity_id: id }) => id);

beforeAll(async () => {
  await controls.webhooks("never");
  for (let made = 0; made < count; made += 1) {
    const order = createOrder(sandbox.sandbox, {
      account: "IN",
      amount: 100_000,
      currency: "INR",
      receipt: `many-${made}`,
      notes: {},
      capture: "automatic",
    });
    pay(sandbox.sandbox, order, { status: "captured", webhook: false });
  }
  await controls.clock(10 * dayMs);
  for (let days = 1; payday === "" && days < 10; days += 1) {
    const day = new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
    const { items } = await (
      await fetch(
        `${sandbox.url}/razorpay/v1/settlements/recon/combined?year=${day.slice(0, 4)}&month=${day.slice(5, 7)}&day=${day.slice(8)}`,
        { headers: { authorization: `Basic ${Buffer.from(keys()).toString("base64")}` } },
      )
    ).json();
    if (items.length > 0) payday = day;
  }
});

function keys(): string {
  const { keyId, keySecret } = context.env.razorpayAccounts.get("IN") ?? { keyId: "", keySecret: "" };
  return `${keyId}:${keySecret}`;
}

test("keeps the first 1,000 lines of a failed day and completes it later", async () => {
  await controls.faults({ match: { path: "recon/combined.*skip=1000" }, kind: "500" });
  await expect(readDay(context, account, payday, later)).rejects.toMatchObject({ kind: "transient" });
  expect(await stored()).toHaveLength(1_000);
  expect(await readDayRange(db, account)).toBeNull();

  await controls.faults();
  expect(await readDay(context, account, payday, later)).toBe(count - 1_000);
  expect(new Set(await stored()).size).toBe(count);
  expect(await readDayRange(db, account)).toEqual({ first: payday, last: payday });
  expect(await readDay(context, account, payday, later)).toBe(0);
});

describe("a payout", () => {
  /** Creates a payment of an order at the provider and here. @param as its state here */
  async function paid(as: Pick<Payment, "status" | "currency"> = { status: "captured", currency: "INR" }) {
    const orderId = await makeOrder(db);
    const order = createOrder(sandbox.sandbox, {
      account: "IN",
      amount: 100_000,
      currency: "INR",
      receipt: orderId,
      notes: {},
      capture: "automatic",
    });
    const payment = pay(sandbox.sandbox, order, { status: "captured", webhook: false });
    const key = { provider: "razorpay", providerPaymentId: payment.id } as const;
    await savePayment(db, {
      ...key,
      orderId,
      account: "IN",
      providerOrderId: order.id,
      amountMinor: payment.amount,
      customerFeeMinor: 0,
      method: "card",
      ...as,
      problem: null,
    });
    return payment;
  }
  const linesOf = (paymentId: string) =>
    db.selectFrom("settlement_lines").selectAll().where("provider_payment_id", "=", paymentId).execute();
  async function readAll(): Promise<void> {
    await controls.clock(20 * dayMs);
    for (let days = 0; days < 20; days += 1) {
      const day = new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
      await readDay(context, account, day, new Date(Date.now() + 21 * dayMs));
    }
  }
  const unknown = async (text: string) =>
    (await findInPayouts(context, new Date())).filter(
      ({ kind, what }) => kind === "settled-unknown" && what.includes(text),
    );

  test("shows an unreported lost dispute as unknown until it is reported", async () => {
    await controls.clock(0);
    const payment = await paid();
    const id = await controls.dispute({ paymentId: payment.id, amount: 40_000 });
    await controls.dispute({ disputeId: id, event: "lost" });
    await readAll();
    expect(await linesOf(payment.id)).toContainEqual(
      expect.objectContaining({ kind: "other", provider_dispute_id: id, debit_minor: 40_000 }),
    );
    const adjustment = id.replace("disp_", "adj_");
    expect(await unknown(adjustment)).toHaveLength(1);
    await applyDisputeReport(context, account, {
      id,
      providerPaymentId: payment.id,
      amountMinor: 40_000,
      deductedMinor: 40_000,
      currency: "INR",
      reason: null,
      phase: null,
      status: "lost",
      respondBy: null,
      at: new Date(),
      begunAt: new Date(),
    });
    expect(await unknown(adjustment)).toEqual([]);
    const others = (await findInPayouts(context, new Date())).filter(({ key }) => key.includes(adjustment));
    expect(others).toEqual([]);
  });

  test("contains a refund once it is processed, but not a failed or pending one", async () => {
    await controls.clock(0);
    const payment = await paid();
    await controls.refunds({ answer: "pending" });
    const [through, failed, waiting] = [
      await controls.refund({ paymentId: payment.id, amount: 1_000 }),
      await controls.refund({ paymentId: payment.id, amount: 2_000 }),
      await controls.refund({ paymentId: payment.id, amount: 3_000 }),
    ];
    await controls.refund({ refundId: through, status: "processed" });
    await controls.refund({ refundId: failed, status: "failed" });
    await controls.refunds({});
    await readAll();
    const ids = (await linesOf(payment.id)).map(({ entity_id }) => entity_id);
    expect(ids).toContain(through);
    expect(ids).not.toContain(failed);
    expect(ids).not.toContain(waiting);
  });

  test("includes a mismatched payment in the search for missing payouts", async () => {
    await controls.clock(0);
    const [kept, foreign] = [
      await paid({ status: "mismatch", currency: "INR" }),
      await paid({ status: "mismatch", currency: "USD" }),
    ];
    await controls.settlements({ held: [kept.id, foreign.id] });
    const missed = (await findInPayouts(context, new Date(Date.now() + 30 * dayMs))).filter(
      ({ kind }) => kind === "paid-not-settled",
    );
    expect(missed.map(({ key }) => key)).toContain(`paid-not-settled:${kept.id}`);
    // The missing amount of a payment in another currency than its order's is unknown.
    expect(missed.map(({ key }) => key)).not.toContain(`paid-not-settled:${foreign.id}`);
    await controls.settlements();
  });

  test("reports a fee that is less than its own tax", async () => {
    const line = await db
      .selectFrom("settlement_lines")
      .innerJoin("payments", "payments.provider_payment_id", "settlement_lines.entity_id")
      .selectAll("settlement_lines")
      .where("settlement_lines.kind", "=", "payment")
      .limit(1)
      .executeTakeFirstOrThrow();
    const { entity_id: id, amount_minor: amount } = line;
    const odd = async () =>
      (await findInPayouts(context, new Date())).filter(({ key }) => key.startsWith(`fee-odd:${id}:`));
    expect(await odd()).toEqual([]);
    await db
      .updateTable("settlement_lines")
      .set({ fee_minor: 100, tax_minor: 180, credit_minor: amount - 100, debit_minor: 0 })
      .where("entity_id", "=", id)
      .execute();
    expect(await odd()).toMatchObject([
      { amountMinor: 80, what: expect.stringContaining("its tax is ₹1.80") },
    ]);
  });
});
