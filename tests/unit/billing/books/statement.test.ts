/** A statement adds up, line by line and in each currency, for any entries. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { BookEntry, EntryKind } from "#db/billing/books.ts";
import { newId, type OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { statementOf } from "#server/billing/books/statement.ts";

const kinds: EntryKind[] = ["invoice", "payment", "withheld", "credit-note", "refund", "taken-back"];
const currency = fc.constantFrom("INR" as const, "USD" as const);
const minor = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
const at = new Date("2026-11-24T09:00:00Z");

const entry = fc.record({ kind: fc.constantFrom(...kinds), amountMinor: minor, currency }).map(
  (booked): BookEntry => ({
    ...booked,
    at,
    reference: "IN/26-27/000001",
    orderId: newId<OrderId>(),
    orderCount: 1,
    orderedAt: at,
    purchaseOrder: null,
    costCentre: null,
    document: null,
  }),
);

test("closes with the opening balance plus charges minus settlements", () => {
  fc.assert(
    fc.property(minor, fc.array(entry), (before, entries) => {
      const sections = statementOf([money(before, "INR")], entries);
      for (const { currency: of, opening, lines, charged, settled, closing } of sections) {
        expect(opening.minor).toBe(of === "INR" ? before : 0);
        expect(closing.minor).toBe(opening.minor + charged.minor - settled.minor);
        expect(closing.minor).toBe(lines.at(-1)?.balance.minor ?? opening.minor);
        expect(lines.map((line) => line.entry)).toEqual(entries.filter((each) => each.currency === of));
      }
      const said = sections.flatMap(({ lines }) => lines).length;
      expect(said).toBe(entries.length);
    }),
  );
});

test("closes equally whether computed in halves or as a whole", () => {
  fc.assert(
    fc.property(fc.array(entry), fc.nat(), (entries, cut) => {
      const at = entries.length === 0 ? 0 : cut % entries.length;
      const first = statementOf([], entries.slice(0, at));
      const closing = first.map((section) => section.closing);
      const second = statementOf(closing, entries.slice(at));
      const whole = statementOf([], entries);
      expect(second.map((section) => section.closing)).toEqual(whole.map((section) => section.closing));
    }),
  );
});
