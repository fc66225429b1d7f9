/** Store figures of a day, month and year: contents and time zone. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId, type OrderId, type PaymentId, type RefundId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { PaymentRowStatus } from "#db/tables/payments.ts";
import { readStoreStats, type StoreStatsQuery } from "#server/desk/store-stats.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { makeOrder } from "#tests/support/orders.ts";

const { db } = await createTestDatabase();

/** Creates an order paid at the given time and fulfilled after `seconds`; null if it needs attention. */
async function sold(
  paidAt: string,
  seconds: number | null,
  { minor = 1_000_00, currency = "INR" as Currency, status = "captured" as PaymentRowStatus } = {},
): Promise<{ orderId: OrderId; paymentId: string }> {
  const paid = new Date(paidAt);
  const orderId = await makeOrder(
    db,
    {},
    {
      paid_at: paid,
      fulfilled_at: seconds === null ? null : new Date(paid.getTime() + seconds * 1000),
      stage: seconds === null ? "stage3" : "stage4",
      payment_status: "completed",
      fulfilment_status: seconds === null ? "needs_attention" : "done",
    },
  );
  return { orderId, paymentId: await received(orderId, paid, { minor, currency, status }) };
}

async function received(
  orderId: OrderId,
  at: Date,
  { minor, currency, status }: { minor: number; currency: string; status: PaymentRowStatus },
): Promise<string> {
  const paymentId = `pay_${newId()}`;
  await db
    .insertInto("payments")
    .values({
      id: newId<PaymentId>(),
      order_id: orderId,
      provider: "razorpay",
      account: "IN",
      provider_payment_id: paymentId,
      provider_order_id: `order_${newId()}`,
      amount_minor: minor,
      currency,
      method: "card",
      status,
      problem: null,
      settled_at: at,
    })
    .execute();
  return paymentId;
}

async function refunded(
  { orderId, paymentId }: { orderId: OrderId; paymentId: string },
  at: string,
  minor: number,
  status: "processed" | "failed" | "pending",
): Promise<void> {
  await db
    .insertInto("refunds")
    .values({
      id: newId<RefundId>(),
      order_id: orderId,
      provider: "razorpay",
      provider_payment_id: paymentId,
      amount_minor: minor,
      currency: "INR",
      reason: "refunded",
      status,
      provider_refund_id: null,
      problem: null,
      updated_at: new Date(at),
    })
    .execute();
}

const figuresOf = (unit: StoreStatsQuery["unit"], on: string, country: StoreStatsQuery["country"] = "IN") =>
  readStoreStats(db, { unit, on, country });

beforeAll(async () => {
  // 10 March in India lasts from 18:30 UTC on the 9th to 18:30 UTC on the 10th.
  const first = await sold("2026-03-09T18:30:00Z", 60);
  await sold("2026-03-10T18:29:59Z", 120);
  await sold("2026-03-10T06:00:00Z", 600, { minor: 50_00, currency: "USD" });
  const stuck = await sold("2026-03-10T07:00:00Z", null);
  await received(stuck.orderId, new Date("2026-03-10T07:01:00Z"), {
    minor: 1,
    currency: "INR",
    status: "failed",
  });
  await refunded(first, "2026-03-10T10:00:00Z", 250_00, "processed");
  await refunded(first, "2026-03-10T11:00:00Z", 1_00, "failed");
  await refunded(first, "2026-03-10T12:00:00Z", 2_00, "pending");
  // Just before, and just after.
  await sold("2026-03-09T18:29:50Z", 1);
  await sold("2026-03-10T18:30:00Z", 1);
  // Another month, and another year.
  await sold("2026-02-01T00:00:00Z", 1);
  await sold("2025-12-31T18:00:00Z", 1);
});

describe("a day", () => {
  test("begins and ends at local midnight, and counts nothing outside", async () => {
    expect(await figuresOf("day", "2026-03-10")).toEqual({
      from: new Date("2026-03-09T18:30:00Z"),
      until: new Date("2026-03-10T18:30:00Z"),
      orders: { paid: 4, fulfilled: 2 },
      money: {
        paid: [money(3_000_00, "INR"), money(50_00, "USD")],
        refunded: [money(250_00, "INR")],
        lost: [],
      },
      // From 60 and 600 seconds: the order paid in the last second was fulfilled on the next day.
      fulfilment: { medianSeconds: 330, slowSeconds: expect.closeTo(573, 6) },
      failures: { orders: 1, payments: 1, refunds: 1, mails: 0 },
    });
  });

  test("lasts 23 hours when daylight saving time begins", async () => {
    const { from, until } = await figuresOf("day", "2026-03-08", "US");
    expect((until.getTime() - from.getTime()) / 3_600_000).toBe(23);
  });

  test("shows no durations and no amounts without orders", async () => {
    expect(await figuresOf("day", "2024-01-01")).toMatchObject({
      orders: { paid: 0, fulfilled: 0 },
      money: { paid: [], refunded: [], lost: [] },
      fulfilment: { medianSeconds: null, slowSeconds: null },
    });
  });
});

test("sums a month and a year for any date in them", async () => {
  expect((await figuresOf("month", "2026-03-31")).orders.paid).toBe(6);
  expect((await figuresOf("year", "2026-03-10")).orders.paid).toBe(7);
  expect((await figuresOf("year", "2025-01-01")).orders.paid).toBe(1);
});

test.each(["2026-02-30", "2026-3-1", "", "yesterday", "2026-03-10'"])("rejects %j as a date", async (on) => {
  await expect(figuresOf("day", on)).rejects.toThrow(RangeError);
});
