/** Order numbers: formatted, and parsed from the notations that people use. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { orderNumber, readOrderNumber } from "#server/orders/number.ts";

test.each([
  [{ number: 123, createdAt: new Date("2026-11-23T10:00:00Z") }, "HUB-26-000123"],
  [{ number: 1, createdAt: new Date("2030-01-01T00:00:00Z") }, "HUB-30-000001"],
  [{ number: 1_234_567, createdAt: new Date("2026-12-31T23:59:59Z") }, "HUB-26-1234567"],
])("formats %j", (order, number) => {
  expect(orderNumber(order)).toBe(number);
});

test("parses every formatted number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (number) => {
      expect(readOrderNumber(orderNumber({ number, createdAt: new Date() }))).toBe(number);
    }),
  );
});

test.each([" hub-26-000123 ", "26-123", "000123", "123"])("parses %s", (text) => {
  expect(readOrderNumber(text)).toBe(123);
});

test.each(["", "0", "HUB", "HUB-26-", "HUB-26-x", "1e3", "-1", "12.5"])("refuses %s", (text) => {
  expect(readOrderNumber(text)).toBeNull();
});
