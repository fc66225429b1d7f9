/** Refunds of paid orders: after any sequence of events in a subscription's life, the money adds up. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Money, money } from "#db/money.ts";
import { allocateSeats, computeUnusedPart, type UnusedPaidOrder } from "#server/catalogue/pricing/refund.ts";

const step = fc.constantFrom(1, 100);
const rupees = (minor: number): Money => money(minor, "INR");

const order = fc
  .record({
    units: fc.integer({ min: 1, max: 2_000_000 }),
    seats: fc.integer({ min: 1, max: 3_000 }),
    daysPaid: fc.integer({ min: 1, max: 400 }),
    stepMinor: step,
    share: fc.tuple(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000)),
  })
  .map(({ units, seats, daysPaid, stepMinor, share: [left, days, refunded] }) => ({
    stepMinor,
    order: {
      paid: rupees(units * stepMinor),
      refunded: rupees(Math.floor((units * stepMinor * refunded) / 1_000)),
      seats,
      seatsLeft: Math.floor((seats * left) / 1_000),
      daysPaid,
      daysLeft: Math.floor((daysPaid * 2 * days) / 1_000),
    } satisfies UnusedPaidOrder,
  }));

describe("the unused part of an order", () => {
  test("lies between zero and the payment's rest, rounded like totals", () => {
    fc.assert(
      fc.property(order, ({ order, stepMinor }) => {
        const back = computeUnusedPart(order, order.seatsLeft, stepMinor).minor;
        const left = order.paid.minor - order.refunded.minor;
        expect(back).toBeGreaterThanOrEqual(0);
        expect(back).toBeLessThanOrEqual(left);
        expect(back === left || back % stepMinor === 0).toBe(true);
      }),
    );
  });

  test("decreases with every day and with fewer licences, or stays the same", () => {
    fc.assert(
      fc.property(order, fc.nat(400), fc.nat(3_000), ({ order, stepMinor }, days, seats) => {
        const given = Math.min(seats, order.seatsLeft);
        const now = computeUnusedPart(order, order.seatsLeft, stepMinor).minor;
        const later = { ...order, daysLeft: Math.max(0, order.daysLeft - days) };
        expect(computeUnusedPart(later, order.seatsLeft, stepMinor).minor).toBeLessThanOrEqual(now);
        expect(computeUnusedPart(order, given, stepMinor).minor).toBeLessThanOrEqual(now);
      }),
    );
  });

  test("equals the payment on the first day, and zero after the last", () => {
    fc.assert(
      fc.property(order, ({ order, stepMinor }) => {
        const whole = { ...order, refunded: rupees(0), seatsLeft: order.seats };
        expect(computeUnusedPart({ ...whole, daysLeft: order.daysPaid }, order.seats, stepMinor)).toEqual(
          order.paid,
        );
        expect(computeUnusedPart({ ...whole, daysLeft: 0 }, order.seats, stepMinor).minor).toBe(0);
      }),
    );
  });

  test.each([
    // 10 licences for a year at ₹45,595: all of them with 362 of 365 days left, then two of them.
    { paid: 4_559_500, seats: 10, given: 10, daysLeft: 362, daysPaid: 365, stepMinor: 100, back: 4_522_000 },
    { paid: 4_559_500, seats: 10, given: 2, daysLeft: 364, daysPaid: 365, stepMinor: 100, back: 909_400 },
    // Dollars keep their cents.
    { paid: 7_200, seats: 1, given: 1, daysLeft: 25, daysPaid: 30, stepMinor: 1, back: 6_000 },
    { paid: 1_001, seats: 3, given: 1, daysLeft: 30, daysPaid: 30, stepMinor: 1, back: 334 },
  ])(
    "refunds $given of $seats licences with $daysLeft of $daysPaid days left",
    ({ paid, back, given, ...rest }) => {
      const { stepMinor, ...of } = rest;
      const whole = { ...of, paid: rupees(paid), refunded: rupees(0), seatsLeft: of.seats };
      expect(computeUnusedPart(whole, given, stepMinor).minor).toBe(back);
    },
  );

  test("refuses impossible values", () => {
    const whole = {
      paid: rupees(100),
      refunded: rupees(0),
      seats: 2,
      seatsLeft: 2,
      daysPaid: 30,
      daysLeft: 30,
    };
    expect(() => computeUnusedPart(whole, 3, 1)).toThrow(RangeError);
    expect(() => computeUnusedPart({ ...whole, daysPaid: 0 }, 1, 1)).toThrow(RangeError);
    expect(() => computeUnusedPart({ ...whole, daysLeft: 1.5 }, 1, 1)).toThrow(RangeError);
    expect(() => computeUnusedPart({ ...whole, refunded: money(0, "USD") }, 1, 1)).toThrow(TypeError);
  });
});

describe("allocateSeats", () => {
  const orders = fc.array(fc.record({ seatsLeft: fc.nat(50) }), { maxLength: 8 });

  test("takes the requested number of seats from the newest orders", () => {
    fc.assert(
      fc.property(orders, fc.nat(200), (all, seats) => {
        const taken = allocateSeats(all, seats);
        const there = all.reduce((sum, { seatsLeft }) => sum + seatsLeft, 0);
        if (seats > there) {
          expect(taken).toBeNull();
          return;
        }
        expect(taken?.reduce((sum, each) => sum + each.seats, 0)).toBe(seats);
        // Only the oldest order of these keeps seats.
        for (const { order, seats: here } of taken?.slice(0, -1) ?? []) expect(here).toBe(order.seatsLeft);
      }),
    );
  });
});

type Act =
  | { act: "buy" | "more" | "renew"; seats: number; price: number; days: number }
  | { act: "reduce"; seats: number }
  | { act: "refund"; of: number; share: number }
  | { act: "wait"; days: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    act: fc.constantFrom("buy" as const, "more" as const, "renew" as const),
    seats: fc.integer({ min: 1, max: 300 }),
    price: fc.integer({ min: 1, max: 500_000 }),
    days: fc.integer({ min: 1, max: 366 }),
  }),
  fc.record({ act: fc.constant("reduce" as const), seats: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ act: fc.constant("refund" as const), of: fc.nat(10), share: fc.nat(1_000) }),
  fc.record({ act: fc.constant("wait" as const), days: fc.nat(120) }),
);

interface Line extends UnusedPaidOrder {
  ends: number;
}

/** Runs the events, then cancels. @returns the final state of each order */
function live(acts: readonly Act[], stepMinor: number): Line[] {
  let today = 0;
  let orders: Line[] = [];
  const now = () => orders.map((each) => ({ ...each, daysLeft: Math.max(0, each.ends - today) }));
  const giveBack = (each: Line, seats: number) => {
    const back = computeUnusedPart(each, seats, stepMinor);
    return { ...each, seatsLeft: each.seatsLeft - seats, refunded: rupees(each.refunded.minor + back.minor) };
  };
  for (const step of acts) {
    orders = now();
    switch (step.act) {
      case "buy":
      case "more":
      case "renew": {
        const begins = step.act === "renew" ? Math.max(today, ...orders.map(({ ends }) => ends)) : today;
        const paid = rupees(step.price * step.seats * stepMinor);
        const line = { paid, refunded: rupees(0), seats: step.seats, seatsLeft: step.seats };
        const ends = begins + step.days;
        orders = [{ ...line, daysPaid: step.days, daysLeft: ends - today, ends }, ...orders];
        break;
      }
      case "reduce": {
        const taken = new Map(allocateSeats(orders, step.seats)?.map(({ order, seats }) => [order, seats]));
        orders = orders.map((each) => giveBack(each, taken.get(each) ?? 0));
        break;
      }
      case "refund":
        orders = orders.map((each, index) =>
          index === step.of
            ? {
                ...each,
                refunded: rupees(
                  Math.max(each.refunded.minor, Math.floor((each.paid.minor * step.share) / 1_000)),
                ),
              }
            : each,
        );
        break;
      case "wait":
        today += step.days;
    }
  }
  return now().map((each) => giveBack(each, each.seatsLeft));
}

test("divides each payment into a refunded and a kept part, in 2,000 lives", () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 1, maxLength: 14 }), step, (acts, stepMinor) => {
      for (const { paid, refunded, seatsLeft } of live(acts, stepMinor)) {
        const kept = paid.minor - refunded.minor;
        expect(seatsLeft).toBe(0);
        expect(kept).toBeGreaterThanOrEqual(0);
        expect(refunded.minor).toBeGreaterThanOrEqual(0);
        expect(refunded.minor + kept).toBe(paid.minor);
      }
    }),
    { numRuns: 2_000 },
  );
});
