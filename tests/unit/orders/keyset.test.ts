/** Cursors of paged lists: encoded for URLs, and decoded only from their exact encoding. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { cursorText, likePrefix, pageOf, parseCursor, parseTextCursor } from "#db/keyset.ts";

const cursors = fc.record({ at: fc.nat({ max: Number.MAX_SAFE_INTEGER }), id: fc.uuid() });

test("decodes every encoded cursor, and encodes it without characters to escape", () => {
  fc.assert(
    fc.property(cursors, (cursor) => {
      const text = cursorText(cursor);
      expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(parseCursor(text)).toEqual(cursor);
    }),
  );
});

test("returns null for any other text", () => {
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

test("decodes a cursor with a text as its tie-breaker, and no other text", () => {
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

test("ends a page where the next begins, without a cursor on the last page", () => {
  expect(pageOf(rows(0), 2)).toEqual({ rows: [], next: null });
  expect(pageOf(rows(2), 2)).toEqual({ rows: rows(2), next: null });
  expect(pageOf(rows(3), 2)).toEqual({ rows: rows(2), next: { at: 1, id: "1" } });
});

test("escapes a search and turns it into a lower-case prefix pattern", () => {
  expect(likePrefix("50%_Off\\")).toBe("50\\%\\_off\\\\%");
});
