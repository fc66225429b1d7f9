/** Payment status of a paid order: depends only on its money, not on the order of events. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isNewDisputeState } from "#server/billing/payments/dispute-reports.ts";
import { paymentStatusAfter } from "#server/orders/order-lifecycle.ts";
import { isFullyReturned, isPaid, isRefunded } from "#server/orders/payment-state.ts";

/** Amounts of an order; half of the orders are fully refunded. */
const money = fc.integer({ min: 1, max: 1_000 }).chain((paidMinor) =>
  fc.record({
    paidMinor: fc.constant(paidMinor),
    refundedMinor: fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.constant(paidMinor)),
    isDisputed: fc.boolean(),
    isLost: fc.boolean(),
  }),
);

test("ranks disputes above refunds, and marks a full refund as refunded", () => {
  fc.assert(
    fc.property(money, (has) => {
      const status = paymentStatusAfter(has);
      if (has.isLost) expect(status).toBe("lost");
      else if (has.isDisputed) expect(status).toBe("disputed");
      else if (has.refundedMinor >= has.paidMinor) expect(status).toBe("refunded");
      else expect(status).toBe(has.refundedMinor === 0 ? "completed" : "partly_refunded");
    }),
  );
});

test("keeps a fulfilled order paid, whatever happened to its money", () => {
  fc.assert(
    fc.property(money, (has) => {
      const paymentStatus = paymentStatusAfter(has);
      const done = { paymentStatus, fulfilmentStatus: "done" } as const;
      expect([isPaid(done), isRefunded(done)]).toEqual([true, false]);
      const unsold = { paymentStatus, fulfilmentStatus: "not_due" } as const;
      expect(isPaid(unsold)).toBe(!isRefunded(unsold));
      expect(isFullyReturned(unsold)).toBe(paymentStatus === "refunded" || paymentStatus === "lost");
    }),
  );
});

const report = fc.record({
  status: fc.constantFrom("open", "review", "action", "won", "lost", "closed"),
  at: fc.integer({ min: 0, max: 5 }).map((second) => new Date(second * 1_000)),
});
const endOf = (all: { status: "open" | "review" | "action" | "won" | "lost" | "closed"; at: Date }[]) => {
  let known: { status: (typeof all)[number]["status"]; toldAt: Date } | null = null;
  for (const { status, at } of all)
    if (known === null || isNewDisputeState(known, { status, at })) known = { status, toldAt: at };
  return known?.status;
};

test("ends a dispute the same in any order of its events", () => {
  fc.assert(
    fc.property(
      fc
        .uniqueArray(report, { minLength: 1, maxLength: 8, selector: ({ status }) => status })
        .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        expect(endOf(shuffled)).toBe(endOf(all));
        // Repeated events change nothing.
        expect(endOf([...shuffled, ...all])).toBe(endOf(all));
      },
    ),
  );
});
