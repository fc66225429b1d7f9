/** The store's own price list: parsed to the paisa or refused with its lines, and written so that it changes nothing. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isItemId } from "#db/catalogue/catalogue.ts";
import type { KeyedPrice, PricedItem } from "#db/catalogue/dated-prices.ts";
import type { ItemId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { parsePriceList, writePriceList } from "#server/desk/price-lists/csv.ts";

async function* piecesOf(text: string, length = text.length || 1): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}
const read = (...lines: string[]) => parsePriceList(piecesOf(lines.join("\n")));
const titles = "item,currency,term,price";

function itemId(text: string): ItemId {
  if (!isItemId(text)) throw new TypeError(`Expected an item id, got ${text}`);
  return text;
}

describe("a price list", () => {
  test("parses by column titles, in any order, with what spreadsheets add", async () => {
    expect(
      await read(
        "\uFEFFList price,Name,TERM,Item,Currency,Kind,Price",
        '1740,"Basic, for ""all""",P1Y,plan-a,INR,,1644\r',
        ",,,,,,",
        ",,p1m,PLAN-B,usd,Signup,68.4",
      ),
    ).toEqual([
      {
        line: 2,
        item: "plan-a",
        currency: "INR",
        kind: "regular",
        term: "P1Y",
        billingCycle: "annual",
        amountMinor: 164_400,
        listMinor: 174_000,
      },
      {
        line: 4,
        item: "PLAN-B",
        currency: "USD",
        kind: "signup",
        term: "P1M",
        billingCycle: "monthly",
        amountMinor: 6_840,
        listMinor: null,
      },
    ]);
  });

  test.each([
    ["a missing title", ["item,currency,price", "a,INR,1"], "missing term"],
    [
      "an unknown title, which might be a price",
      [`${titles},cost`, "a,INR,P1Y,1,2"],
      'Unknown column "cost"',
    ],
    ["a duplicate title", [`${titles},price`, "a,INR,P1Y,1,2"], "appears twice"],
    ["no line", [titles], "empty"],
    ["an unsupported currency", [titles, "a,EUR,P1Y,1"], 'Line 2: "EUR"'],
    ["an unsold term", [titles, "a,INR,P3Y,1"], 'Line 2: "P3Y"'],
    ["an unknown kind", [`${titles},kind`, "a,INR,P1Y,1,cheap"], 'Line 2: "cheap"'],
    ["an item without a name", [titles, ",INR,P1Y,1"], "Line 2: the item is missing"],
    [
      "grouped digits, which are ambiguous between countries",
      [titles, 'a,INR,P1Y,"1,644"'],
      'Line 2: "1,644"',
    ],
    ["a third decimal", [titles, "a,INR,P1Y,1.005"], 'Line 2: "1.005"'],
    ["a price of zero", [titles, "a,INR,P1Y,0.00"], 'Line 2: "0.00"'],
    ["a negative price", [titles, "a,INR,P1Y,-5"], 'Line 2: "-5"'],
    ["a malformed list price", [`${titles},list_price`, "a,INR,P1Y,1,free"], 'Line 2: "free"'],
  ])("refuses %s", async (_what, lines, words) => {
    await expect(read(...lines)).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining(words),
    });
  });

  test("reports every unreadable line", async () => {
    await expect(read(titles, "a,INR,P1Y,x", "b,INR,P1Y,1", "c,INR,P9Y,1")).rejects.toThrow(
      /Line 2: .*\nLine 4: /,
    );
  });

  const price = fc.integer({ min: 1, max: 99_999_999_999 });
  const prices = fc.uniqueArray(
    fc.record({
      item: fc.constantFrom("plan-a", "plan-b", "plan-c"),
      currency: fc.constantFrom("INR" as const, "USD" as const),
      kind: fc.constantFrom("regular" as const, "signup" as const),
      term: fc.constantFrom("P1M" as const, "P1Y" as const),
      amount: price,
      list: fc.option(price),
    }),
    { minLength: 1, selector: ({ item, currency, kind, term }) => [item, currency, kind, term].join() },
  );
  const items: PricedItem[] = ["plan-a", "plan-b", "plan-c"].map((id) => ({
    id: itemId(id),
    sku: id.toUpperCase(),
    name: `=The "best", ${id}`,
    family: "brio",
  }));

  test("parses its own output to the same prices, in chunks of any size", async () => {
    await fc.assert(
      fc.asyncProperty(prices, fc.integer({ min: 1, max: 50 }), async (all, length) => {
        const keyed = all.map(
          ({ item, currency, kind, term, amount, list }): KeyedPrice => ({
            itemId: itemId(item),
            currency,
            kind,
            term,
            billingCycle: term === "P1M" ? "monthly" : "annual",
            amount: money(amount, currency),
            list: list === null ? null : money(list, currency),
          }),
        );
        const lines = await parsePriceList(piecesOf(writePriceList(items, keyed), length));
        const said = lines.map(({ line: _, item, amountMinor, listMinor, ...key }) => ({
          ...key,
          itemId: item,
          amount: money(amountMinor, key.currency),
          list: listMinor === null ? null : money(listMinor, key.currency),
        }));
        expect(said).toHaveLength(keyed.length);
        expect(said).toEqual(expect.arrayContaining(keyed));
      }),
    );
  });
});
