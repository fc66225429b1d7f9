/** Proration of added licences, and the terms of renewals: leap days, month ends, the last day, early renewals. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CustomerId, newId, type SubscriptionId } from "#db/ids.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import { english, translate } from "#server/foundation/languages/text.ts";
import { plansOf, priceSelection } from "#server/orders/pricing.ts";
import { selectChange, whyNotChangeable } from "#server/orders/subscription-change.ts";
import { prorationOf } from "#server/orders/subscriptions/proration.ts";
import { endOfTerm, renewedTerm, startOfTerm } from "#server/orders/subscriptions/term.ts";
import { catalogueItem } from "#tests/support/priced-order.ts";

const at = (text: string) => new Date(text);
const term = (start: string, length: "P1Y" | "P1M" = "P1Y") => ({
  start: at(start),
  end: endOfTerm(at(start), length, "IN"),
  term: length,
  next: null,
  anchorDay: null,
  country: "IN" as const,
});

describe("days of a term", () => {
  test.each([
    ["a year", "2026-03-01T09:00:00Z", "P1Y", "2026-11-09T09:00:00Z", 112, 365],
    ["a year with a leap day", "2027-06-01T00:00:00Z", "P1Y", "2028-02-28T00:00:00Z", 94, 366],
    ["a year from a leap day", "2028-02-29T06:00:00Z", "P1Y", "2028-03-01T06:00:00Z", 364, 365],
    ["February", "2027-01-31T00:00:00Z", "P1M", "2027-02-01T00:00:00Z", 27, 28],
    ["February of a leap year", "2028-01-31T00:00:00Z", "P1M", "2028-02-01T00:00:00Z", 28, 29],
    ["a month to the month's end", "2027-03-31T00:00:00Z", "P1M", "2027-04-01T00:00:00Z", 29, 30],
    ["the first moment", "2027-03-31T18:30:00Z", "P1Y", "2027-03-31T18:30:00Z", 366, 366],
    ["the last second", "2026-11-20T18:30:00Z", "P1Y", "2027-11-20T18:29:59Z", 1, 365],
    // Midnight in India is not midnight in UTC: days count back from the term's own end.
    ["an hour after midnight in India", "2026-03-31T18:30:00Z", "P1Y", "2027-03-30T19:30:00Z", 1, 365],
  ] as const)("counts the days of %s", (_name, start, length, now, daysLeft, daysInTerm) => {
    expect(prorationOf(term(start, length), at(now))).toEqual({ daysLeft, daysInTerm });
  });

  test("adds the rest of the running term after an early renewal", () => {
    const renewed = {
      start: at("2026-01-10T00:00:00Z"),
      end: at("2028-01-10T00:00:00Z"),
      term: "P1Y" as const,
      country: "IN" as const,
      next: { start: at("2027-01-10T00:00:00Z"), quantity: 5 },
      anchorDay: 10,
    };
    expect(prorationOf(renewed, at("2026-12-26T00:00:00Z"))).toEqual({ daysLeft: 380, daysInTerm: 365 });
  });

  test("counts only the last term of an older subscription", () => {
    const long = { ...term("2020-05-05T00:00:00Z"), end: at("2027-05-05T00:00:00Z") };
    expect(prorationOf(long, at("2027-05-01T00:00:00Z"))).toEqual({ daysLeft: 4, daysInTerm: 365 });
  });

  test("returns at least one day and at most the term, while it runs", () => {
    const moments = fc.date({
      min: at("2020-01-01T00:00:00Z"),
      max: at("2040-01-01T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(
        moments,
        fc.constantFrom("P1Y" as const, "P1M" as const),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (start, length, how) => {
          const running = {
            start,
            end: endOfTerm(start, length, "IN"),
            term: length,
            next: null,
            anchorDay: null,
            country: "IN" as const,
          };
          const now = new Date(start.getTime() + Math.floor((running.end.getTime() - start.getTime()) * how));
          const { daysLeft, daysInTerm } = prorationOf(running, now);
          expect(daysLeft).toBeGreaterThanOrEqual(1);
          expect(daysLeft).toBeLessThanOrEqual(daysInTerm);
        },
      ),
    );
  });
});

test("starts a renewal at the old end, or today after a lapse", () => {
  const old = { end: at("2027-02-28T10:00:00Z"), term: "P1Y" as const };
  expect(renewedTerm(old, at("2027-02-28T09:59:59Z"), "IN")).toEqual({
    start: old.end,
    end: at("2028-02-28T10:00:00Z"),
  });
  const lapsed = at("2027-02-28T10:00:00Z");
  expect(renewedTerm(old, lapsed, "IN")).toEqual({ start: lapsed, end: at("2028-02-28T10:00:00Z") });
  expect(
    renewedTerm({ end: at("2028-01-31T00:00:00Z"), term: "P1M" }, at("2028-01-30T00:00:00Z"), "IN").end,
  ).toEqual(at("2028-02-29T00:00:00Z"));
});

test("finds the start of a term from its end", () => {
  expect(startOfTerm(at("2028-02-29T00:00:00Z"), "P1Y", "IN")).toEqual(at("2027-02-28T00:00:00Z"));
  expect(startOfTerm(at("2027-03-31T00:00:00Z"), "P1M", "IN")).toEqual(at("2027-02-28T00:00:00Z"));
});

describe("the price of a change", () => {
  const item = catalogueItem("google-workspace-business-starter");
  const held = (changes: Partial<Subscription> = {}): Subscription => ({
    id: newId<SubscriptionId>(),
    anchorDay: null,
    customerId: newId<CustomerId>(),
    country: "IN",
    tenantId: null,
    itemId: item.id,
    name: item.name,
    family: "google",
    externalId: "",
    domain: "example.com",
    quantity: 25,
    term: "P1Y",
    billingCycle: "annual",
    status: "active",
    parentSubscriptionId: null,
    start: at("2026-03-01T09:00:00Z"),
    end: at("2027-03-01T09:00:00Z"),
    next: null,
    isBeingChanged: false,
    isSuspended: false,
    waitsForTerms: false,
    reducedFrom: null,
    extendedUntil: null,
    readAt: null,
    orderId: null,
    ...changes,
  });
  const now = at("2026-11-09T09:00:00Z");
  const [yearly] = plansOf(item, "IN");
  const seat = yearly?.unitPrice.minor ?? 0;
  const more = (quantity: number, of = held()) =>
    priceSelection(item, "IN", selectChange("ADD", of, quantity, now));

  // Users of a customer's own domain are not among Google's first users: 112 of 365 days at the regular price.
  test.each([1, 5, 275])("charges %i more licences by the days left", (quantity) => {
    const unit = Math.round((seat * 112) / 365);
    expect(more(quantity)).toMatchObject({
      regularPrice: { minor: unit },
      subtotal: { minor: unit * quantity },
      tax: { minor: Math.round(unit * quantity * 0.18) },
    });
  });

  test("limits the total to 300 licences", () => {
    expect(() => more(276)).toThrow("so you can add 275 more");
    expect(() => more(1, held({ quantity: 300 }))).toThrow("the maximum is 300");
  });

  test.each([1, 300])("charges a whole term for each of %i renewed licences", (quantity) => {
    const renewal = priceSelection(item, "IN", selectChange("RENEW", held(), quantity, now));
    expect(renewal.subtotal.minor).toBe(seat * quantity);
    expect(() => priceSelection(item, "IN", selectChange("RENEW", held(), 301, now))).toThrow("up to 300");
  });

  test.each([
    ["ADD", "2027-03-01T08:59:59Z", null],
    ["ADD", "2027-03-01T09:00:00Z", "This subscription has ended."],
    ["RENEW", "2027-01-30T08:59:59Z", "You can renew from 30th January 2027"],
    ["RENEW", "2027-01-30T09:00:00Z", null],
    ["RENEW", "2027-03-02T09:00:00Z", null],
    ["RENEW", "2030-01-01T00:00:00Z", null],
  ] as const)("checks %s at %s", (kind, moment, reason) => {
    const said = whyNotChangeable(kind, held(), "IN", at(moment));
    if (reason === null) expect(said).toBeNull();
    else expect(english(said ?? "")).toContain(reason);
  });

  test("refuses a second renewal for the same term, and one after a cancellation", () => {
    const end = at("2027-03-01T09:00:00Z");
    const renewed = held({ end: endOfTerm(end, "P1Y", "IN"), next: { start: end, quantity: 25 } });
    const said = (subscription: Subscription) =>
      translate("en", whyNotChangeable("RENEW", subscription, "IN", at("2027-02-27T09:00:00Z")) ?? "");
    expect(said(renewed)).toContain("has already been renewed");
    expect(said(held({ status: "cancelled" }))).toContain("cancelled");
  });

  test("formats the reason and its date in the reader's language", () => {
    const closed = whyNotChangeable("RENEW", held(), "IN", at("2027-01-01T09:00:00Z"));
    expect(translate("hi", closed ?? "")).toContain("30 जनवरी 2027");
  });
});
