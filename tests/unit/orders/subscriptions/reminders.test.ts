/** Due renewal reminders: 60, 30, 14, 7 and 1 days before the end; only the most urgent, each once. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId, type SubscriptionId } from "#db/ids.ts";
import type { Term } from "#db/tables/enums.ts";
import { daysLeft } from "#server/orders/subscriptions/days.ts";
import { dueReminderDay, reminderDays, reminderOf } from "#server/orders/subscriptions/renewal-reminders.ts";

const dayMs = 86_400_000;
const end = new Date("2028-02-29T18:29:59.000Z");
const earlier = (ms: number) => new Date(end.getTime() - ms);
const term = fc.constantFrom<Term>("P1M", "P1Y");

describe("dueReminderDay", () => {
  it.each<[Term, number, number | null]>([
    ["P1Y", 61, null],
    ["P1Y", 60 + 1 / dayMs, null],
    ["P1Y", 60, 60],
    ["P1Y", 30 + 1 / dayMs, 60],
    ["P1Y", 30, 30],
    ["P1Y", 29.5, 30],
    ["P1Y", 14 + 1 / dayMs, 30],
    ["P1Y", 14, 14],
    ["P1Y", 7 + 1 / dayMs, 14],
    ["P1Y", 7, 7],
    ["P1Y", 6.1, 7],
    ["P1Y", 1 + 1 / dayMs, 7],
    ["P1Y", 1, 1],
    ["P1Y", 1 / dayMs, 1],
    ["P1Y", 0, null],
    ["P1Y", -1, null],
    ["P1M", 31, null],
    ["P1M", 30, null],
    ["P1M", 7 + 1 / dayMs, null],
    ["P1M", 7, 7],
    ["P1M", 1, 1],
    ["P1M", 0, null],
  ])("%s, %d days before the end: returns %s", (of, days, expected) => {
    expect(dueReminderDay(end, of, earlier(Math.round(days * dayMs)))).toBe(expected);
  });

  it("returns the smallest reminder day that is not below the days left", () => {
    fc.assert(
      fc.property(term, fc.integer({ min: -5 * dayMs, max: 90 * dayMs }), (of, ms) => {
        const due = dueReminderDay(end, of, earlier(ms));
        const left = daysLeft(end, earlier(ms));
        const reached = reminderDays[of].filter((days) => left > 0 && left <= days);
        expect(due).toBe(reached.length === 0 ? null : Math.min(...reached));
      }),
    );
  });

  it("sends each reminder once at most, in order of urgency, one per run", () => {
    const id = newId<SubscriptionId>();
    const runs = fc.array(fc.integer({ min: -3 * dayMs, max: 75 * dayMs }), { maxLength: 60 });
    fc.assert(
      fc.property(term, runs, (of, moments) => {
        const mailed = new Map<string, number>();
        const order: number[] = [];
        for (const ms of moments.toSorted((a, b) => b - a)) {
          const due = dueReminderDay(end, of, earlier(ms));
          if (due === null) continue;
          const key = reminderOf({ id, end }, due);
          if (mailed.has(key)) continue;
          mailed.set(key, due);
          order.push(due);
        }
        expect(new Set(order).size).toBe(order.length);
        expect(order).toEqual(order.toSorted((a, b) => b - a));
        expect(order.every((days) => reminderDays[of].includes(days))).toBe(true);
      }),
    );
  });

  it("misses no reminder with an hourly job", () => {
    fc.assert(
      fc.property(term, fc.integer({ min: 0, max: 3_599_999 }), (of, offset) => {
        const seen = new Set<number>();
        for (let ms = 65 * dayMs + offset; ms > 0; ms -= 3_600_000) {
          const due = dueReminderDay(end, of, earlier(ms));
          if (due !== null) seen.add(due);
        }
        expect([...seen]).toEqual(reminderDays[of]);
      }),
      { numRuns: 30 },
    );
  });
});

it("creates separate reminders for another end of the same subscription", () => {
  const id = newId<SubscriptionId>();
  const keys = [end, earlier(dayMs)].flatMap((end) =>
    reminderDays.P1Y.map((days) => reminderOf({ id, end }, days)),
  );
  expect(new Set(keys).size).toBe(2 * reminderDays.P1Y.length);
});
