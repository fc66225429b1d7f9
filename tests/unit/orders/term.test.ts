/** A term ends on the day of the month of the first start, or on the last day of a shorter month, by the country's clock. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDate, momentOf, wallClock } from "#server/orders/subscriptions/dates.ts";
import { prorationOf } from "#server/orders/subscriptions/proration.ts";
import {
  anchorDayOf,
  endOfTerm,
  renewedTerm,
  startOfTerm,
  type TermDates,
} from "#server/orders/subscriptions/term.ts";

const terms = ["P1M", "P1Y"] as const;
const countryCodes = ["IN", "US"] as const;
const moments = fc.date({ min: new Date("2000-01-01"), max: new Date("2099-01-01"), noInvalidDate: true });
const dayIn = (date: Date, country: "IN" | "US") => wallClock(date, country).toISOString().slice(0, 10);

/** Lists the ends of a subscription that is always renewed in time, as days of the country. */
function endsOf(start: string, term: (typeof terms)[number], country: "IN" | "US", count: number): string[] {
  let held: TermDates = {
    start: new Date(start),
    end: endOfTerm(new Date(start), term, country),
    anchorDay: null,
  };
  const ends = [dayIn(held.end, country)];
  while (ends.length < count) {
    const anchorDay = anchorDayOf(held, country);
    const now = new Date(held.end.getTime() - 1000);
    held = { ...renewedTerm({ end: held.end, term, anchorDay }, now, country), anchorDay };
    ends.push(dayIn(held.end, country));
  }
  return ends;
}

describe("a term renewed in time", () => {
  it.each([
    ["2027-01-31T06:00:00Z", "IN", ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31", "2027-06-30"]],
    ["2027-01-31T06:00:00Z", "US", ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]],
    // 31 January, 01:30 in India, which is 30 January in UTC.
    ["2027-01-30T20:00:00Z", "IN", ["2027-02-28", "2027-03-31", "2027-04-30"]],
    // 30 January, 22:00 in New York, which is 31 January in UTC.
    ["2027-01-31T03:00:00Z", "US", ["2027-02-28", "2027-03-30", "2027-04-30", "2027-05-30"]],
    ["2028-01-31T06:00:00Z", "IN", ["2028-02-29", "2028-03-31", "2028-04-30"]],
    ["2027-01-30T06:00:00Z", "IN", ["2027-02-28", "2027-03-30", "2027-04-30"]],
    ["2027-01-29T06:00:00Z", "IN", ["2027-02-28", "2027-03-29", "2027-04-29"]],
    ["2027-02-28T06:00:00Z", "IN", ["2027-03-28", "2027-04-28", "2027-05-28"]],
    ["2027-08-31T06:00:00Z", "IN", ["2027-09-30", "2027-10-31", "2027-11-30", "2027-12-31", "2028-01-31"]],
    ["2027-01-15T18:29:59Z", "IN", ["2027-02-15", "2027-03-15"]],
  ] as const)("keeps the day of its start at %s in %s: %j", (start, country, ends) => {
    expect(endsOf(start, "P1M", country, ends.length)).toEqual(ends);
  });

  it("ends on the day of its start or on the month's last, permanently", () => {
    fc.assert(
      fc.property(
        moments,
        fc.constantFrom(...countryCodes),
        fc.integer({ min: 2, max: 30 }),
        (start, country, count) => {
          const day = Number(dayIn(start, country).slice(8));
          const ends = endsOf(start.toISOString(), "P1M", country, count);
          let month = dayIn(start, country).slice(0, 7);
          for (const end of ends) {
            const [year = 0, number = 0] = month.split("-").map(Number);
            month = new Date(Date.UTC(year, number)).toISOString().slice(0, 7);
            const last = new Date(Date.UTC(year, number + 1, 0)).getUTCDate();
            expect(end).toBe(`${month}-${String(Math.min(day, last)).padStart(2, "0")}`);
          }
        },
      ),
    );
  });

  it.each([
    ["2028-02-29T06:00:00Z", "IN"],
    // 29 February in India, which is 28 February in UTC and in New York.
    ["2028-02-28T20:00:00Z", "IN"],
    // 29 February, 22:00 in New York, which is 1 March in UTC.
    ["2028-03-01T03:00:00Z", "US"],
  ] as const)("returns to the leap day after a start at %s in %s", (start, country) => {
    expect(endsOf(start, "P1Y", country, 8)).toEqual([
      "2029-02-28",
      "2030-02-28",
      "2031-02-28",
      "2032-02-29",
      "2033-02-28",
      "2034-02-28",
      "2035-02-28",
      "2036-02-29",
    ]);
  });

  it("ends each year on the day of its start, or on 28 February without a leap day", () => {
    const leapDays = fc
      .integer({ min: 2000, max: 2096 })
      .map((year) => new Date(Date.UTC(year - (year % 4), 1, 29, 12)));
    fc.assert(
      fc.property(
        fc.oneof(moments, leapDays),
        fc.constantFrom(...countryCodes),
        fc.integer({ min: 1, max: 30 }),
        (start, country, count) => {
          const [year = 0, month = 0, day = 0] = dayIn(start, country).split("-").map(Number);
          const ends = endsOf(start.toISOString(), "P1Y", country, count);
          const wanted = Array.from({ length: count }, (_, index) => {
            const last = new Date(Date.UTC(year + index + 1, month, 0)).getUTCDate();
            return new Date(Date.UTC(year + index + 1, month - 1, Math.min(day, last)))
              .toISOString()
              .slice(0, 10);
          });
          expect(ends).toEqual(wanted);
        },
      ),
    );
  });

  it("adopts the day of a vendor that has set another end", () => {
    const start = new Date("2027-01-31T06:00:00Z");
    const end = new Date("2027-03-05T06:00:00Z");
    expect(anchorDayOf({ start, end, anchorDay: null }, "IN")).toBe(5);
    expect(
      anchorDayOf({ start, end, next: { start: new Date("2027-02-28T06:00:00Z") }, anchorDay: 31 }, "IN"),
    ).toBe(5);
  });

  it("restarts on today's day after a lapse", () => {
    const now = new Date("2027-03-03T06:00:00Z");
    const old = { end: new Date("2027-02-28T06:00:00Z"), term: "P1M" as const, anchorDay: 31 };
    expect(renewedTerm(old, now, "IN")).toEqual({ start: now, end: new Date("2027-04-03T06:00:00Z") });
  });
});

describe("endOfTerm", () => {
  it.each([
    ["2027-01-15T10:30:00.000Z", "P1M", "2027-02-15T10:30:00.000Z"],
    ["2028-01-31T12:00:00.000Z", "P1M", "2028-02-29T12:00:00.000Z"],
    ["2027-12-31T12:00:00.000Z", "P1M", "2028-01-31T12:00:00.000Z"],
    ["2027-06-01T08:00:00.000Z", "P1Y", "2028-06-01T08:00:00.000Z"],
    ["2028-02-29T08:00:00.000Z", "P1Y", "2029-02-28T08:00:00.000Z"],
    ["2027-02-28T08:00:00.000Z", "P1Y", "2028-02-28T08:00:00.000Z"],
    ["2099-02-28T08:00:00.000Z", "P1Y", "2100-02-28T08:00:00.000Z"],
    // The first instant of a day in India.
    ["2027-03-31T18:30:00.000Z", "P1M", "2027-04-30T18:30:00.000Z"],
    ["2027-01-30T18:30:00.000Z", "P1M", "2027-02-27T18:30:00.000Z"],
  ] as const)("adds to %s the term %s: %s in India", (start, term, expected) => {
    expect(endOfTerm(new Date(start), term, "IN").toISOString()).toBe(expected);
  });

  it("keeps the time of day across a change of the clocks in New York", () => {
    const end = endOfTerm(new Date("2027-02-20T15:00:00Z"), "P1M", "US");
    expect(end.toISOString()).toBe("2027-03-20T14:00:00.000Z");
    expect(formatDate(end, "US")).toBe("20th March 2027");
  });

  it("keeps its argument unchanged, returns a later time, and is reversible", () => {
    fc.assert(
      fc.property(
        moments,
        fc.constantFrom(...terms),
        fc.constantFrom(...countryCodes),
        (start, term, country) => {
          const before = start.getTime();
          const end = endOfTerm(start, term, country);
          expect(start.getTime()).toBe(before);
          expect(end.getTime()).toBeGreaterThan(before);
          const day = Number(dayIn(start, country).slice(8));
          expect(dayIn(startOfTerm(end, term, country, day), country)).toBe(dayIn(start, country));
        },
      ),
    );
  });
});

it("reverses wallClock with momentOf", () => {
  fc.assert(
    fc.property(moments, (moment) => {
      expect(momentOf(wallClock(moment, "IN"), "IN")).toEqual(moment);
    }),
  );
});

describe("a licence added in the last term", () => {
  it.each([
    ["2027-01-31T06:00:00Z", "2027-02-28T06:00:00Z", "2027-02-14T06:00:00Z", 14, 28],
    ["2027-02-28T06:00:00Z", "2027-03-31T06:00:00Z", "2027-03-01T06:00:00Z", 30, 31],
    ["2027-03-31T06:00:00Z", "2027-04-30T06:00:00Z", "2027-04-29T06:00:00Z", 1, 30],
    ["2027-04-30T06:00:00Z", "2027-05-31T06:00:00Z", "2027-05-01T06:00:00Z", 30, 31],
    ["2028-01-31T06:00:00Z", "2028-02-29T06:00:00Z", "2028-02-01T06:00:00Z", 28, 29],
  ])("from %s to %s, at %s, pays for %i of %i days", (start, end, now, daysLeft, daysInTerm) => {
    const held = {
      start: new Date(start),
      end: new Date(end),
      term: "P1M",
      next: null,
      anchorDay: null,
      country: "IN",
    } as const;
    expect(prorationOf(held, new Date(now))).toEqual({ daysLeft, daysInTerm });
  });

  it("counts to the end of the next term after an early renewal", () => {
    const held = {
      start: new Date("2027-01-31T06:00:00Z"),
      end: new Date("2027-03-31T06:00:00Z"),
      next: { start: new Date("2027-02-28T06:00:00Z"), quantity: 5 },
      anchorDay: 31,
      term: "P1M",
      country: "IN",
    } as const;
    expect(prorationOf(held, new Date("2027-02-20T06:00:00Z"))).toEqual({ daysLeft: 39, daysInTerm: 31 });
  });
});
