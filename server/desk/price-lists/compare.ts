/** Compares the lines of a price list one by one with the prices that will be in force: the effects of applying the list. */

import type { KeyedPrice } from "#db/catalogue/dated-prices.ts";
import { type PriceKey, type PriceListLine, priceKeyText } from "#db/catalogue/price-lists.ts";
import { type Money, money } from "#db/money.ts";

/**
 * Effect of a line when its list is applied:
 *   changed, new          it sets a price
 *   unchanged, repeated   none: the price is in force already, or an earlier line sets it
 *   unknown, not-sold     it cannot be applied: there is no such item, or it is not sold that way in any currency
 *   contradicted          it cannot be applied: another line sets a different price for the same key
 *   below-cost            it is not applied: the store sells nothing below cost
 */
export type LineVerdict =
  | "changed"
  | "new"
  | "unchanged"
  | "repeated"
  | "unknown"
  | "not-sold"
  | "contradicted"
  | "below-cost";

/** Verdicts of lines that set a price. */
const applied: ReadonlySet<LineVerdict> = new Set(["changed", "new"]);
/** Verdicts of lines that staff must agree to leave out. */
const leftOut: ReadonlySet<LineVerdict> = new Set(["unknown", "not-sold", "contradicted", "below-cost"]);

export function isApplied({ verdict }: Pick<ComparedLine, "verdict">): boolean {
  return applied.has(verdict);
}

export function isLeftOut({ verdict }: Pick<ComparedLine, "verdict">): boolean {
  return leftOut.has(verdict);
}

export interface ComparedLine {
  readonly line: number;
  /** Item as named in the list. */
  readonly item: string;
  /** Null for a line whose item the store does not have. */
  readonly key: PriceKey | null;
  readonly verdict: LineVerdict;
  /** Price that would be in force without the list; null when there is none. */
  readonly before: Pick<KeyedPrice, "amount" | "list"> | null;
  /** Price of the list. A line without a list price keeps the one before. */
  readonly after: Pick<KeyedPrice, "amount" | "list">;
  /** Cost of a seat at that time; null while it is unknown. */
  readonly cost: Money | null;
  readonly from: Date;
}

export function isBelowCost({ after, cost }: Pick<ComparedLine, "after" | "cost">): boolean {
  return cost !== null && cost.minor > after.amount.minor;
}

/** Returns a price's margin: in minor units, and in hundredths of a percent of the price, rounded down. May be negative. */
export function marginOf({ after, cost }: Pick<ComparedLine, "after" | "cost">): {
  amount: Money;
  basisPoints: number;
} | null {
  if (cost === null) return null;
  const { minor, currency } = after.amount;
  const left = minor - cost.minor;
  return { amount: money(left, currency), basisPoints: Math.floor((left * 10_000) / minor) };
}

export interface FuturePrices {
  /** Returns the start of the list's prices in the line's currency. */
  from(line: PriceListLine): Date;
  /** Returns the prices in force at that moment without the list, by priceKeyText. */
  before(line: PriceListLine): ReadonlyMap<string, KeyedPrice>;
  /** Costs of a seat at that time, by priceKeyText. */
  costs: ReadonlyMap<string, Money | null>;
}

/** Compares each line of the list, in its order. */
export function compareLines(lines: readonly PriceListLine[], then: FuturePrices): ComparedLine[] {
  const byKey = new Map<string, PriceListLine[]>();
  for (const line of lines) {
    const key = keyOf(line);
    if (key !== null) byKey.set(priceKeyText(key), [...(byKey.get(priceKeyText(key)) ?? []), line]);
  }
  return lines.map((line): ComparedLine => {
    const { currency, amountMinor, listMinor } = line;
    const inForce = then.before(line);
    const key = keyOf(line);
    const text = key === null ? "" : priceKeyText(key);
    const before = inForce.get(text) ?? null;
    const list = listMinor === null ? (before?.list ?? null) : money(listMinor, currency);
    const compared = {
      line: line.line,
      item: line.item,
      key,
      before,
      after: { amount: money(amountMinor, currency), list },
      cost: then.costs.get(text) ?? null,
      from: then.from(line),
    };
    return { ...compared, verdict: verdictOf(line, compared, { same: byKey.get(text) ?? [], inForce }) };
  });
}

function keyOf({ itemId, currency, kind, term, billingCycle }: PriceListLine): PriceKey | null {
  return itemId === null ? null : { itemId, currency, kind, term, billingCycle };
}

function verdictOf(
  line: PriceListLine,
  { key, before, after, cost }: Omit<ComparedLine, "verdict">,
  { same, inForce }: { same: readonly PriceListLine[]; inForce: ReadonlyMap<string, KeyedPrice> },
): LineVerdict {
  if (key === null) return "unknown";
  const [first] = same;
  if (same.some((one) => one.amountMinor !== line.amountMinor || one.listMinor !== line.listMinor))
    return "contradicted";
  if (first !== undefined && first.line !== line.line) return "repeated";
  if (before === null && !isSoldSo(key, inForce)) return "not-sold";
  if (before?.amount.minor === after.amount.minor && before.list?.minor === after.list?.minor)
    return "unchanged";
  if (isBelowCost({ after, cost })) return "below-cost";
  return before === null ? "new" : "changed";
}

/**
 * Whether the item is sold in that way. A new way of selling needs a change to the store, since its vendor has to sell it so too
 * (docs/extend/price.md).
 */
function isSoldSo(key: PriceKey, inForce: ReadonlyMap<string, KeyedPrice>): boolean {
  return [...inForce.values()].some(
    (one) =>
      one.itemId === key.itemId &&
      one.kind === key.kind &&
      one.term === key.term &&
      one.billingCycle === key.billingCycle,
  );
}
