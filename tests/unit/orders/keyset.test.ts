/** Where a page of a list begins: written into an address, and read back only as it was written. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { cursorText, likePrefix, pageOf, parseCursor, parseTextCursor } from "#db/keyset.ts";

const cursors = fc.record({ at: fc.nat({ max: Number.MAX_SAFE_INTEGER }), id: fc.uuid() });

test("any place is read as it was written, in one word that needs no escaping", () => {
  fc.assert(
    fc.property(cursors, (cursor) => {
      const text = cursorText(cursor);
      expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(parseCursor(text)).toEqual(cursor);
    }),
  );
});

test("anything else is no place", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const found = parseCursor(text);
      expect(found === null || cursorText(found) === text).toBe(true);
    }),
  );
  const good = cursorText({ at: 1, id: "3f0c0000-0000-4000-8000-000000000000" });
  for (const text of ["", "x", good.slice(1), good.slice(0, -4), `${good}=`, ` ${good}`, good + good])
    expect(parseCursor(text), text).toBeNull();
  const beyondCounting = `9007199254740993.3f0c0000-0000-4000-8000-000000000000`;
  expect(parseCursor(Buffer.from(beyondCounting).toString("base64url"))).toBeNull();
});

test("a place whose tie-breaker is a text is read as it was written, and nothing else is one", () => {
  const id = fc
    .string({ minLength: 1, maxLength: 60, unit: "grapheme" })
    .filter((text) => /^\P{Cc}+$/u.test(text));
  fc.assert(
    fc.property(fc.record({ at: fc.nat({ max: Number.MAX_SAFE_INTEGER }), id }), (cursor) => {
      expect(parseTextCursor(cursorText(cursor))).toEqual(cursor);
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const found = parseTextCursor(text);
      expect(found === null || cursorText(found) === text).toBe(true);
    }),
  );
  for (const wrong of ["", "x", cursorText({ at: 1, id: "" }), cursorText({ at: 1, id: "a\u0000b" })])
    expect(parseTextCursor(wrong), wrong).toBeNull();
});

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ at: index, id: `${index}` }));

test("a page ends where the next begins, and the last has none", () => {
  expect(pageOf(rows(0), 2)).toEqual({ rows: [], next: null });
  expect(pageOf(rows(2), 2)).toEqual({ rows: rows(2), next: null });
  expect(pageOf(rows(3), 2)).toEqual({ rows: rows(2), next: { at: 1, id: "1" } });
});

test("a search is its own letters, in lower case, and then anything", () => {
  expect(likePrefix("50%_Off\\")).toBe("50\\%\\_off\\\\%");
});
