import { expect, test } from "vitest";
import { isDay } from "#server/orders/subscriptions/dates.ts";

test.each(["2000-01-01", "2024-02-29", "2099-12-31"])("accepts %s as a day", (text) => {
  expect(isDay(text)).toBe(true);
});

test.each([
  ...[
    "9999-12-31",
    "0000-00-00",
    "0000-01-01",
    "1999-12-31",
    "2100-01-01",
    "275760-09-13",
    "+010000-01-01",
    "-000001-01-01",
  ],
  ...[
    "2026-02-29",
    "2026-13-01",
    "2026-1-1",
    "2026-01-01T00:00:00Z",
    " 2026-01-01",
    "2026-01-01\u0000",
    "20２6-01-01",
    "",
  ],
])("refuses %j as a day", (text) => {
  expect(isDay(text)).toBe(false);
});
