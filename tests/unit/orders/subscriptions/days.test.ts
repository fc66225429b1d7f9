/** Days left are rounded up, and renewal opens at 30 of them and stays open (docs/decisions/renewal.md#renewal). */
import fc from "fast-check";
import { expect, test } from "vitest";
import { daysLeft, hasEnded, mayRenew, renewalOpensAt } from "#server/orders/subscriptions/days.ts";
import { endOfTerm } from "#server/orders/subscriptions/term.ts";

const at = (text: string) => new Date(text);
const active = (end: string) => ({ status: "active" as const, end: at(end), next: null, isSuspended: false });

test("rounds days up, with one day left until the end", () => {
  const end = at("2027-03-31T18:30:00Z");
  expect(daysLeft(end, at("2027-03-30T18:30:00Z"))).toBe(1);
  expect(daysLeft(end, at("2027-03-30T18:29:59.999Z"))).toBe(2);
  expect(daysLeft(end, at("2027-03-31T18:29:59.999Z"))).toBe(1);
  expect(daysLeft(end, end)).toBe(0);
});

test("returns zero after the end", () => {
  expect(daysLeft(at("2027-03-31T00:00:00Z"), at("2027-04-01T00:00:00Z"))).toBe(0);
});

test.each([
  ["through 29 February", "2028-03-15T00:00:00Z", "2028-02-14T00:00:00Z"],
  ["through a February of 28 days", "2027-03-15T00:00:00Z", "2027-02-13T00:00:00Z"],
  ["over the end of a month", "2027-05-31T00:00:00Z", "2027-05-01T00:00:00Z"],
  ["over the end of a year", "2027-01-15T00:00:00Z", "2026-12-16T00:00:00Z"],
  ["from midnight to midnight in India", "2027-03-31T18:30:00Z", "2027-03-01T18:30:00Z"],
  ["over a change of the clock in New York", "2027-04-01T04:00:00Z", "2027-03-02T04:00:00Z"],
])("opens renewal 30 days before the end %s", (_what, end, opens) => {
  expect(renewalOpensAt(at(end))).toEqual(at(opens));
  expect(mayRenew(active(end), new Date(at(opens).getTime() - 1))).toBe(false);
  expect(mayRenew(active(end), at(opens))).toBe(true);
});

test("ends a year from 29 February on the 28th, renewable from 29 January", () => {
  const end = endOfTerm(at("2028-02-29T09:00:00Z"), "P1Y", "IN");
  expect(renewalOpensAt(end)).toEqual(at("2029-01-29T09:00:00Z"));
});

test("keeps renewal open after the end, except for unusable subscriptions", () => {
  const end = "2027-03-31T18:30:00Z";
  for (const now of ["2027-03-31T18:29:59Z", "2027-04-01T18:30:00Z", "2028-03-31T18:30:00Z"]) {
    expect(mayRenew(active(end), at(now))).toBe(true);
    expect(mayRenew({ status: "expired", end: at(end), next: null, isSuspended: false }, at(now))).toBe(true);
    expect(mayRenew({ ...active(end), status: "transferred" }, at(now))).toBe(false);
    expect(mayRenew({ ...active(end), isSuspended: true }, at(now))).toBe(false);
    expect(mayRenew({ status: "cancelled", end: at(end), next: null, isSuspended: false }, at(now))).toBe(
      false,
    );
  }
});

test("ends a term at its end, even if the stored status is still active", () => {
  const end = "2027-03-31T18:30:00Z";
  expect(hasEnded(active(end), at("2027-03-31T18:29:59.999Z"))).toBe(false);
  expect(hasEnded(active(end), at(end))).toBe(true);
  expect(hasEnded({ status: "expired", end: at(end) }, at("2027-01-01T00:00:00Z"))).toBe(true);
});

const moment = fc.date({
  min: at("2020-01-01T00:00:00Z"),
  max: at("2040-01-01T00:00:00Z"),
  noInvalidDate: true,
});

test("opens renewal exactly when 30 days or fewer are left", () => {
  fc.assert(
    fc.property(moment, moment, fc.nat(100 * 86_400_000), (end, now, later) => {
      const subscription = { status: "active" as const, end, next: null, isSuspended: false };
      expect(mayRenew({ ...subscription, next: { start: now, quantity: 1 } }, now)).toBe(false);
      expect(mayRenew(subscription, now)).toBe(daysLeft(end, now) <= 30);
      expect(mayRenew(subscription, now)).toBe(now.getTime() >= renewalOpensAt(end).getTime());
      expect(daysLeft(end, new Date(now.getTime() + later))).toBeLessThanOrEqual(daysLeft(end, now));
    }),
  );
});
