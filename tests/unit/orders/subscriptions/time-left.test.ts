/** Text of the badge for the remaining time, and the condition for amber. */
import { describe, expect, test } from "vitest";
import { timeLeft } from "#app/pages/subscriptions/time-left.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { isReminderDue } from "#server/orders/subscriptions/renewal-reminders.ts";

test.each([
  [1, "in 1 day", "1 दिन बाक़ी"],
  [20, "in 20 days", "20 दिन बाक़ी"],
  [60, "in 60 days", "60 दिन बाक़ी"],
  [61, "in 2 months", "2 महीने बाक़ी"],
  [200, "in 7 months", "7 महीने बाक़ी"],
  [365, "in 12 months", "12 महीने बाक़ी"],
  [1096, "in 36 months", "36 महीने बाक़ी"],
])("formats %i days left", (days, english, hindi) => {
  expect(timeLeft(days, textIn("en"))).toBe(english);
  expect(timeLeft(days, textIn("hi"))).toBe(hindi);
});

describe("isReminderDue", () => {
  const now = new Date("2026-11-24T09:00:00Z");
  const held = (days: number, changes = {}) => ({
    status: "active" as const,
    end: new Date(now.getTime() + days * 86_400_000),
    next: null,
    isSuspended: false,
    term: "P1Y" as const,
    ...changes,
  });

  test.each([
    ["a year, 30 days before its end", held(30), true],
    ["a year, 31 days before its end", held(31), false],
    ["a month, 7 days before its end", held(7, { term: "P1M" }), true],
    ["a month, 20 days before its end", held(20, { term: "P1M" }), false],
    ["an ended one", held(-1), false],
    ["one with a paid next term", held(5, { next: { start: now, quantity: 1 } }), false],
    ["a suspended one", held(5, { isSuspended: true }), false],
  ])("decides whether to remind for %s", (_what, subscription, due) => {
    expect(isReminderDue(subscription, now)).toBe(due);
  });
});
