/** What a query is taken apart into: whatever is typed, only words of letters and digits reach the database. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { searchWords } from "#server/catalogue/search.ts";

test("words are lower case, each once, whatever stands between them", () => {
  expect(searchWords("  Business-email & BUSINESS  (email)!")).toEqual(["business", "email"]);
  expect(searchWords("CFQ7TTC0LH18:0001")).toEqual(["cfq7ttc0lh18", "0001"]);
  expect(searchWords("ईमेल योजना")).toEqual(["ईमेल", "योजना"]);
  expect(searchWords("mi\0crosoft")).toEqual(["mi", "crosoft"]);
  expect(searchWords(" '%_\\:*&|!")).toEqual([]);
});

test("any input gives a few plain words", () => {
  const anything = fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(anything, (query) => {
      const words = searchWords(query);
      expect(words.length).toBeLessThanOrEqual(12);
      expect(words.join("").length).toBeLessThanOrEqual(400);
      for (const word of words) expect(word).toMatch(/^[\p{L}\p{M}\p{N}]+$/u);
    }),
  );
});
