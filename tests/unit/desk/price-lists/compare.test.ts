/** A price list compared with the prices in force: the change of each line, and the lines that are not applied. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isItemId } from "#db/catalogue/catalogue.ts";
import type { KeyedPrice } from "#db/catalogue/dated-prices.ts";
import { type PriceListLine, priceKeyText } from "#db/catalogue/price-lists.ts";
import type { ItemId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { compareLines, isApplied, isLeftOut, marginOf } from "#server/desk/price-lists/compare.ts";
import { preserveDiscountRatio } from "#server/desk/price-lists/from-vendor.ts";
import { lineVerdictSummary } from "#server/desk/price-lists/labels.ts";

const from = new Date("2026-12-01T00:00:00Z");

function itemId(text: string): ItemId {
  if (!isItemId(text)) throw new TypeError(`Expected an item id, got ${text}`);
  return text;
}

const inForce = (
  item: string,
  amount: number,
  currency: "INR" | "USD" = "INR",
  list = 200_000,
): KeyedPrice => ({
  itemId: itemId(item),
  currency,
  kind: "regular",
  term: "P1Y",
  billingCycle: "annual",
  amount: money(amount, currency),
  list: money(list, currency),
});

let next = 1;
const line = (
  item: string | null,
  amountMinor: number,
  changes: Partial<PriceListLine> = {},
): PriceListLine => {
  next += 1;
  return {
    line: next,
    item: item ?? "nothing-of-ours",
    itemId: item === null ? null : itemId(item),
    currency: "INR",
    kind: "regular",
    term: "P1Y",
    billingCycle: "annual",
    amountMinor,
    listMinor: null,
    ...changes,
  };
};

const compare = (
  lines: readonly PriceListLine[],
  prices: readonly KeyedPrice[],
  costs: Record<string, number> = {},
) =>
  compareLines(lines, {
    from: () => from,
    before: () => new Map(prices.map((price) => [priceKeyText(price), price])),
    costs: new Map(
      prices.flatMap((price) => {
        const cost = costs[price.itemId];
        return cost === undefined ? [] : [[priceKeyText(price), money(cost, price.currency)] as const];
      }),
    ),
  });
const verdicts = (...given: Parameters<typeof compare>) => compare(...given).map(({ verdict }) => verdict);

describe("a line", () => {
  const prices = [inForce("a", 100_000), inForce("b", 100_000), inForce("b", 1_500, "USD", 2_000)];

  test("changes a price, or confirms it", () => {
    expect(verdicts([line("a", 100_001), line("b", 100_000)], prices)).toEqual(["changed", "unchanged"]);
    expect(
      verdicts(
        [line("a", 100_000, { listMinor: 210_000 }), line("b", 100_000, { listMinor: 200_000 })],
        prices,
      ),
    ).toEqual(["changed", "unchanged"]);
  });

  test("keeps the list price without a new one", () => {
    expect(compare([line("a", 90_000)], prices)[0]?.after).toEqual({
      amount: money(90_000, "INR"),
      list: money(200_000, "INR"),
    });
  });

  test("adds a price in another currency, and refuses unsold terms and kinds", () => {
    expect(
      verdicts([line("a", 1_400, { currency: "USD" })], [prices[0] ?? inForce("a", 1), ...prices]),
    ).toEqual(["new"]);
    const monthly = { term: "P1M", billingCycle: "monthly" } as const;
    expect(verdicts([line("a", 9_000, monthly), line("a", 9_000, { kind: "signup" })], prices)).toEqual([
      "not-sold",
      "not-sold",
    ]);
  });

  test("reports an unknown item, even if repeated", () => {
    expect(verdicts([line(null, 1), line(null, 2)], prices)).toEqual(["unknown", "unknown"]);
  });

  test("counts once when it is repeated, and not at all when it is contradicted", () => {
    expect(verdicts([line("a", 90_000), line("b", 1), line("a", 90_000)], prices)).toEqual([
      "changed",
      "changed",
      "repeated",
    ]);
    expect(verdicts([line("a", 90_000), line("a", 90_000), line("a", 91_000)], prices)).toEqual([
      "contradicted",
      "contradicted",
      "contradicted",
    ]);
  });

  test("reports a price below cost by a paisa, and accepts the cost itself", () => {
    expect(verdicts([line("a", 79_999)], prices, { a: 80_000 })).toEqual(["below-cost"]);
    expect(verdicts([line("a", 80_000)], prices, { a: 80_000 })).toEqual(["changed"]);
    const [compared] = compare([line("a", 90_000)], prices, { a: 80_000 });
    expect(compared && marginOf(compared)).toEqual({ amount: money(10_000, "INR"), basisPoints: 1_111 });
    const [dear] = compare([line("a", 90_000)], prices, { a: 99_000 });
    expect(dear && marginOf(dear)).toEqual({ amount: money(-9_000, "INR"), basisPoints: -1_000 });
  });

  test("changes nothing when it repeats the prices in force, in any order", () => {
    const known = fc.uniqueArray(
      fc.record({
        item: fc.constantFrom("a", "b", "c", "d"),
        amount: fc.integer({ min: 1, max: 1_000_000 }),
      }),
      { selector: ({ item }) => item, minLength: 1 },
    );
    fc.assert(
      fc.property(known, fc.integer(), (all, turn) => {
        const stored = all.map(({ item, amount }) => inForce(item, amount));
        const lines = all.map(({ item, amount }) => line(item, amount));
        const turned = lines.map(
          (_, index) => lines[(index + Math.abs(turn)) % lines.length] ?? line(null, 1),
        );
        expect(compare(turned, stored).some((one) => isApplied(one) || isLeftOut(one))).toBe(false);
      }),
    );
  });

  test("sets no price twice, for any list", () => {
    const any = fc.array(
      fc.record({ item: fc.constantFrom("a", "b", null), amount: fc.integer({ min: 1, max: 4 }) }),
    );
    fc.assert(
      fc.property(any, (all) => {
        const compared = compare(
          all.map(({ item, amount }) => line(item, amount)),
          [inForce("a", 1), inForce("b", 2)],
          { b: 2 },
        );
        const set = compared.filter(isApplied);
        expect(new Set(set.map(({ key }) => key?.itemId)).size).toBe(set.length);
        for (const { verdict, after, cost, before } of set) {
          expect(verdict).toBe("changed");
          expect(before?.amount).not.toEqual(after.amount);
          expect(cost === null || cost.minor <= after.amount.minor).toBe(true);
        }
      }),
    );
  });

  test("counts by its verdict", () => {
    expect(
      lineVerdictSummary(compare([line("a", 5), line("b", 100_000), line(null, 1), line(null, 1)], prices)),
    ).toBe("1 changed, 1 unchanged, 2 for items not in the store");
  });
});

describe("a price that follows a vendor's", () => {
  const amount = fc.integer({ min: 1, max: 100_000_000 });

  test("keeps its ratio to the list price, to the rupee", () => {
    const before = { amount: money(164_400, "INR"), list: money(174_000, "INR") };
    expect(preserveDiscountRatio(money(180_000, "INR"), before, 100)).toEqual(money(170_100, "INR"));
    expect(preserveDiscountRatio(money(180_000, "INR"), before, 1)).toEqual(money(170_069, "INR"));
    expect(preserveDiscountRatio(money(180_000, "INR"), { ...before, list: null }, 100)).toEqual(
      money(180_000, "INR"),
    );
  });

  test("stays equal with the list price, or moves by whole steps near the ratio", () => {
    fc.assert(
      fc.property(amount, amount, amount, fc.constantFrom(1, 100), (price, list, retail, step) => {
        const before = { amount: money(price, "INR"), list: money(list, "INR") };
        expect(preserveDiscountRatio(money(list, "INR"), before, step)).toEqual(before.amount);
        if (retail === list) return;
        const { minor } = preserveDiscountRatio(money(retail, "INR"), before, step);
        expect(minor % step).toBe(0);
        expect(minor).toBeGreaterThan(0);
        expect(Math.abs(minor - (retail * price) / list)).toBeLessThanOrEqual(Math.max(step, 1));
      }),
    );
  });
});
