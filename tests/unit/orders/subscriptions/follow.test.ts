/**
 * Applies the vendor's state to a stored subscription: seats, dates and status, but no change that the vendor has not made yet.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Subscription } from "#db/orders/subscriptions.ts";
import { isSameEnd } from "#server/catalogue/families/same-end.ts";
import type { VendorSubscription } from "#server/catalogue/families/vendor-subscription.ts";
import { changesFromAbsence, changesFromVendor } from "#server/orders/subscriptions/apply-vendor-state.ts";
import { endOfTerm } from "#server/orders/subscriptions/term.ts";

const at = (text: string) => new Date(text);
const start = at("2027-03-01T09:00:00Z");
const end = at("2028-03-01T09:00:00Z");
const now = at("2027-06-01T00:00:00Z");
const row = {
  status: "active",
  quantity: 12,
  start,
  end,
  next: null,
  anchorDay: null,
  term: "P1Y",
  isSuspended: false,
  waitsForTerms: false,
  reducedFrom: null,
  extendedUntil: null,
  externalId: "s",
  country: "IN",
} as const;
const says = (changes: Partial<VendorSubscription> = {}): VendorSubscription => ({
  externalId: "s",
  state: "active",
  waitsForTerms: false,
  quantity: 12,
  term: { start, end },
  atEnd: "ends",
  nextQuantity: null,
  inUse: null,
  isExtended: false,
  ...changes,
});
const until = (text: string) => ({ term: { start, end: at(text) } });

test("changes nothing for the same state", () => {
  expect(changesFromVendor(row, says(), now)).toEqual({});
});

test("takes the vendor's dates and seats", () => {
  expect(changesFromVendor(row, says({ ...until("2028-02-29T23:59:59Z"), quantity: 14 }), now)).toEqual({
    end: at("2028-02-29T23:59:59Z"),
    quantity: 14,
  });
});

describe("fewer seats", () => {
  test("stores the former number through further reductions", () => {
    expect(changesFromVendor(row, says({ quantity: 9 }), now)).toEqual({ quantity: 9, reducedFrom: 12 });
    const reduced = { ...row, quantity: 9, reducedFrom: 12 };
    expect(changesFromVendor(reduced, says({ quantity: 9 }), now)).toEqual({});
    expect(changesFromVendor(reduced, says({ quantity: 7 }), now)).toEqual({ quantity: 7 });
    expect(changesFromVendor(reduced, says({ quantity: 12 }), now)).toEqual({
      quantity: 12,
      reducedFrom: null,
    });
  });

  test.each([null, 0])("ignores %s seats", (quantity) => {
    expect(changesFromVendor(row, says({ quantity }), now)).toEqual({});
  });
});

describe("the status", () => {
  test("follows a suspension and its end", () => {
    expect(changesFromVendor(row, says({ state: "suspended" }), now)).toEqual({ isSuspended: true });
    expect(changesFromVendor({ ...row, isSuspended: true }, says(), now)).toEqual({ isSuspended: false });
  });

  test("follows a wait for the customer's acceptance of the vendor's terms", () => {
    expect(changesFromVendor(row, says({ waitsForTerms: true }), now)).toEqual({ waitsForTerms: true });
    const waiting = { ...row, waitsForTerms: true };
    expect(changesFromVendor(waiting, says(), now)).toEqual({ waitsForTerms: false });
    expect(changesFromVendor(waiting, says({ state: "expired", waitsForTerms: true }), now)).toEqual({
      status: "expired",
      waitsForTerms: false,
    });
  });

  test("keeps an ended subscription as it was sold, and ends its suspension", () => {
    const suspended = { ...row, isSuspended: true };
    const over = { ...until("2027-05-01T00:00:00Z"), quantity: 1 };
    expect(changesFromVendor(suspended, says({ ...over, state: "expired" }), now)).toEqual({
      status: "expired",
      isSuspended: false,
    });
    expect(changesFromVendor(row, says({ ...over, state: "cancelled" }), now)).toEqual({
      status: "cancelled",
    });
  });

  test("becomes active when it is active at the vendor", () => {
    for (const status of ["expired", "cancelled", "transferred"] as const)
      expect(changesFromVendor({ ...row, status }, says(), now)).toEqual({ status: "active" });
  });

  test("ignores unfinished creations, paid extensions and terms not turned yet", () => {
    const other = { quantity: 3, ...until("2027-05-31T00:00:00Z") };
    expect(changesFromVendor(row, says({ ...other, state: null }), now)).toEqual({});
    expect(changesFromVendor(row, says({ ...until("2029-01-01T00:00:00Z"), isExtended: true }), now)).toEqual(
      {},
    );
    expect(changesFromVendor(row, says(other), now)).toEqual({});
    expect(changesFromVendor(row, says({ quantity: 3, term: null }), now)).toEqual({});
  });

  test("stores a paid extension after the term, with its id, until it ends", () => {
    const after = at("2028-03-05T00:00:00Z");
    const extension = says({ ...until("2028-04-01T09:00:00Z"), isExtended: true, externalId: "t" });
    const extendedUntil = at("2028-04-01T09:00:00Z");
    const over = { ...row, status: "expired" } as const;
    expect(changesFromVendor(over, extension, after)).toEqual({ externalId: "t", extendedUntil });
    const extended = { ...over, externalId: "t", extendedUntil };
    expect(changesFromVendor(extended, extension, after)).toEqual({});
    expect(changesFromVendor(extended, { ...extension, state: "cancelled" }, after)).toEqual({
      extendedUntil: null,
    });
    expect(changesFromVendor(extended, says({ state: "expired", externalId: "t" }), after)).toEqual({
      extendedUntil: null,
    });
  });

  test("becomes transferred when the vendor does not know it, unless new or ended", () => {
    expect(changesFromAbsence(row, now)).toEqual({
      status: "transferred",
      isSuspended: false,
      waitsForTerms: false,
      extendedUntil: null,
    });
    expect(changesFromAbsence({ ...row, status: "expired" }, now)).toEqual({});
    expect(changesFromAbsence(row, new Date(start.getTime() + 3_600_000))).toEqual({});
  });
});

describe("a paid next term", () => {
  const renewed = { ...row, end: endOfTerm(end, "P1Y", "IN"), next: { start: end, quantity: 5 } };

  test("begins where the vendor ends the running one", () => {
    const inclusive = at("2028-02-29T23:59:59Z");
    const reading = says({ ...until(inclusive.toISOString()), atEnd: "renews", nextQuantity: 5 });
    expect(changesFromVendor(renewed, reading, now)).toEqual({
      end: endOfTerm(inclusive, "P1Y", "IN"),
      next: { start: inclusive, quantity: 5 },
    });
  });

  test("begins when the vendor says so, with its own seats and no reduction", () => {
    const reading = says({ term: { start, end: renewed.end }, quantity: 5 });
    expect(changesFromVendor(renewed, reading, at("2028-03-01T09:00:01Z"))).toEqual({
      start: end,
      next: null,
      quantity: 5,
    });
  });

  test("does not begin before its time", () => {
    expect(changesFromVendor(renewed, says({ term: { start, end: renewed.end } }), now)).toEqual({});
  });

  test("stays begun when the vendor turns it a moment later", () => {
    const turned = { ...renewed, start: end, next: null, quantity: 5 };
    expect(changesFromVendor(turned, says(), at("2028-03-01T09:00:01Z"))).toEqual({});
  });
});

test("changes nothing when the same state is applied twice", () => {
  const moment = fc.date({
    min: at("2027-01-01T00:00:00Z"),
    max: at("2031-01-01T00:00:00Z"),
    noInvalidDate: true,
  });
  const reading = fc.record({
    externalId: fc.constant("s"),
    state: fc.constantFrom("active", "suspended", "expired", "cancelled", null),
    waitsForTerms: fc.boolean(),
    quantity: fc.option(fc.nat(40)),
    term: fc.option(moment.map((to) => ({ start, end: to }))),
    atEnd: fc.constantFrom("ends", "renews", "is extended"),
    nextQuantity: fc.option(fc.integer({ min: 1, max: 40 })),
    inUse: fc.constant(null),
    isExtended: fc.boolean(),
  });
  const begun: fc.Arbitrary<Pick<Subscription, "end" | "next">> = fc.constantFrom(
    { end, next: null },
    { end: endOfTerm(end, "P1Y", "IN"), next: { start: end, quantity: 5 } },
  );
  fc.assert(
    fc.property(reading, begun, moment, (one, dates, when) => {
      const first = { ...row, ...dates };
      const second = { ...first, ...changesFromVendor(first, one, when) };
      expect(changesFromVendor(second, one, when)).toEqual({});
    }),
  );
});

test("treats an end corrected by hours as the same end, but not another term", () => {
  expect(isSameEnd(end.toISOString(), at("2028-02-29T23:59:59Z"))).toBe(true);
  expect(isSameEnd(end.toISOString(), endOfTerm(end, "P1M", "IN"))).toBe(false);
  expect(isSameEnd(undefined, end)).toBe(false);
});
