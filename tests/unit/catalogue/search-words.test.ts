/** Splits a query into words of letters and digits; nothing else reaches the database. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { searchWords } from "#server/catalogue/search.ts";

test("lowers and deduplicates words, whatever separates them", () => {
  expect(searchWords("  Business-email & BUSINESS  (email)!")).toEqual(["business", "email"]);
  expect(searchWords("CFQ7TTC0LH18:0001")).toEqual(["cfq7ttc0lh18", "0001"]);
  expect(searchWords("ईमेल योजना")).toEqual(["ईमेल", "योजना"]);
  expect(searchWords("mi\0crosoft")).toEqual(["mi", "crosoft"]);
  expect(searchWords(" '%_\\:*&|!")).toEqual([]);
});

test("returns a few plain words for any input", () => {
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
