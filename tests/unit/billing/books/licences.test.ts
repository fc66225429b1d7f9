/** Licences of a year, computed from the orders and cancellations of each subscription. */
import { expect, test } from "vitest";
import { type ItemId, newId, type OrderId, type SubscriptionId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { OwnedSubscription, SeatOrder } from "#db/orders/licence-events.ts";
import { licencesByItem, licenceYears, totalPaid } from "#server/billing/books/licences.ts";

const day = (text: string) => new Date(`${text}T06:00:00Z`);
const year = { from: day("2026-04-01"), before: day("2027-04-01") };
const item = { itemId: "basic" as ItemId, itemName: "Basic" };
const id = newId<SubscriptionId>();
const held: OwnedSubscription = {
  ...item,
  id,
  domain: "acme.onmicrosoft.com",
  status: "active",
  end: day("2027-09-01"),
  createdAt: day("2025-09-01"),
};
const order = (paid: string, more: Partial<SeatOrder> = {}): SeatOrder => ({
  ...item,
  orderId: newId<OrderId>(),
  kind: "NEW",
  subscriptionId: id,
  quantity: 10,
  paidAt: day(paid),
  doneAt: day(paid),
  renewsFrom: null,
  invoicedMinor: 0,
  creditedMinor: 0,
  currency: "INR",
  ...more,
});
const bought = order("2025-09-01");

test("counts seats bought, renewed from the end of the term, and returned", () => {
  const orders = [
    bought,
    order("2026-05-01", { kind: "ADD", quantity: 5, invoicedMinor: 500_00 }),
    order("2026-08-15", {
      kind: "RENEW",
      quantity: 12,
      renewsFrom: day("2026-09-01"),
      invoicedMinor: 1_200_00,
      creditedMinor: 200_00,
    }),
  ];
  const givenBack = [
    { subscriptionId: id, seatsBefore: 12, seatsAfter: 11, at: day("2026-09-03") },
    { subscriptionId: id, seatsBefore: 11, seatsAfter: 1, at: day("2027-04-02") },
  ];
  const known = { subscriptions: [held], orders, givenBack };
  expect(licenceYears(known, year)).toEqual([
    {
      ...item,
      id,
      domain: held.domain,
      before: 10,
      bought: 5,
      renewed: 12,
      givenBack: 1,
      after: 11,
      paid: money(1_500_00, "INR"),
    },
  ]);
  // The old term's seats count until it ends.
  const half = { from: year.from, before: day("2026-08-20") };
  expect(licenceYears(known, half)[0]).toMatchObject({ renewed: 12, after: 15 });
});

test("counts no seats after the term, and omits rows without seats and money", () => {
  const over = { ...held, status: "expired" as const, end: day("2026-09-01") };
  const known = { subscriptions: [over], orders: [bought], givenBack: [] };
  expect(licenceYears(known, year)).toMatchObject([{ before: 10, after: 0 }]);
  expect(licenceYears(known, { from: year.before, before: day("2028-04-01") })).toEqual([]);
});

test("omits subscriptions bought elsewhere; an unfulfilled order shows only its money", () => {
  const waiting = order("2026-05-01", { subscriptionId: null, doneAt: null, invoicedMinor: 100_00 });
  const rows = licenceYears({ subscriptions: [held], orders: [waiting], givenBack: [] }, year);
  expect(rows).toMatchObject([{ id: waiting.orderId, domain: null, bought: 0, paid: { minor: 100_00 } }]);
});

test("sums items by currency", () => {
  const other = { ...held, id: newId<SubscriptionId>() };
  const orders = [
    order("2026-05-01", { invoicedMinor: 100_00 }),
    order("2026-05-01", { subscriptionId: other.id, invoicedMinor: 50_00, currency: "USD" }),
    order("2026-06-01", { kind: "ADD", quantity: 2, invoicedMinor: 20_00 }),
  ];
  const years = licenceYears({ subscriptions: [held, other], orders, givenBack: [] }, year);
  expect(licencesByItem(years).map(({ after, paid }) => [after, paid])).toEqual([
    [12, money(120_00, "INR")],
    [10, money(50_00, "USD")],
  ]);
  expect(totalPaid(years)).toEqual([money(120_00, "INR"), money(50_00, "USD")]);
});
