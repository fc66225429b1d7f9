/** Formats a price list, its comparison and an item's history for the command and for Desk. */

import type { DatedPrice, PriceHistoryEntry } from "#db/catalogue/dated-prices.ts";
import type { PriceList } from "#db/catalogue/price-lists.ts";
import type { ItemId, PriceListId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Currency, PriceKind, Term } from "#db/tables/enums.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { licences } from "#server/catalogue/pricing/quantity.ts";
import { countryOfCurrency, standardCountry } from "#server/foundation/countries/registry.ts";
import { formatDate, formatTime, startOfDay } from "#server/orders/subscriptions/dates.ts";
import { isBelowCost, isLeftOut, type LineVerdict, marginOf } from "./compare.ts";
import type { DiffLine, DraftsWithPriceHold, PriceListDiff, Renewals } from "./diff.ts";
import {
  lineVerdictLabels,
  lineVerdictSummary,
  lineVerdicts,
  priceListStateLabels,
  termLabels,
} from "./labels.ts";

export interface PriceListView {
  /** Heading: "list.csv, from 1st December 2026: waiting to be applied". */
  heading: string;
  /** Sentences about the whole list. */
  facts: string[];
  /** Lines of interest: all except those that change nothing and are not below cost. */
  lines: PriceLineView[];
}

export interface PriceLineView {
  line: number;
  /** Name of the item, or the list's name for it. */
  item: string;
  /** Null for an item that the store does not have. */
  itemId: ItemId | null;
  /** Price key: "INR, a year, regular". */
  price: string;
  /** Label: "changed", "below cost". */
  verdict: string;
  isLeftOut: boolean;
  before: string;
  after: string;
  /** "+3.4%", "-12.0%"; null for a new or unchanged price. */
  change: string | null;
  /** List prices, when they change: "₹1,740 → ₹1,860". */
  listPrice: string | null;
  /** Cost of a seat; null while it is unknown. */
  cost: string | null;
  /** "₹250, 15.9%"; null while the cost is unknown. */
  margin: string | null;
  from: string;
  /** Sentences about the affected orders and subscriptions. */
  touched: string[];
}

const none = "none";

/** @param only the verdict of the lines to return; the lines of interest when left out */
export function priceListView(diff: PriceListDiff, only: LineVerdict | null = null): PriceListView {
  const { lines } = diff;
  const shown = lines.filter((line) =>
    only === null
      ? (line.verdict !== "unchanged" && line.verdict !== "repeated") || isBelowCost(line)
      : line.verdict === only,
  );
  const soon = lines.filter((line) => line.verdict === "unchanged" && isBelowCost(line)).length;
  const said = lines.filter(({ verdict }) => verdict === "repeated").map(({ line }) => line);
  return {
    heading: `${headingOf(diff.list)}: ${priceListStateLabels[diff.list.state]}`,
    facts: [
      `${lines.length} ${lines.length === 1 ? "line" : "lines"}: ${lineVerdictSummary(lines)}.`,
      ...(said.length > 0
        ? [`Duplicate, counted once: ${said.map((line) => `line ${line}`).join(", ")}.`]
        : []),
      ...(soon > 0 ? [`${soon} unchanged ${soon === 1 ? "price is" : "prices are"} below cost.`] : []),
      ...(diff.drafts === null ? [] : [draftsSentence(diff.drafts)]),
      ...diff.renewals.map(renewalsSentence),
    ],
    lines: shown.map((line) => lineView(line, diff)),
  };
}

/** Lists the verdicts in a diff with their counts. */
export function countsOf({ lines }: PriceListDiff): { verdict: LineVerdict; label: string }[] {
  return lineVerdicts
    .map((verdict) => ({ verdict, count: lines.filter((line) => line.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => ({ verdict, label: `${lineVerdictLabels[verdict]} (${count})` }));
}

/** Formats "list.csv, from 1st December 2026". */
export function headingOf({ source, fromDay }: Pick<PriceList, "source" | "fromDay">): string {
  return fromDay === null ? `${source}, as soon as it is applied` : `${source}, from ${dayWords(fromDay)}`;
}

/** Formats "1st December 2026", "when it was applied". */
export function startDayText({ fromDay, state }: Pick<PriceList, "fromDay" | "state">): string {
  if (fromDay !== null) return dayWords(fromDay);
  return state === "waiting" ? "when it is applied" : "when it was applied";
}

/** Formats a list as one line. */
export function priceListSummary(list: PriceList & { lines: number }): string {
  const decided = list.state === "waiting" ? "" : ` by ${list.stateBy} on ${momentWords(list.stateAt)}`;
  return `${headingOf(list)}, ${list.lines} lines, imported by ${list.importedBy} on ${momentWords(list.importedAt)}: ${priceListStateLabels[list.state]}${decided}`;
}

function lineView(line: DiffLine, { items, list }: PriceListDiff): PriceLineView {
  const { key, before, after, cost, from } = line;
  const { currency } = after.amount;
  const margin = marginOf(line);
  const listBefore = before?.list ?? null;
  return {
    line: line.line,
    item: key === null ? line.item : (items.get(key.itemId)?.name ?? line.item),
    itemId: key?.itemId ?? null,
    price: key === null ? currency : priceWords(key),
    verdict: lineVerdictLabels[line.verdict],
    isLeftOut: isLeftOut(line),
    before: before === null ? none : formatMoney(before.amount),
    after: formatMoney(after.amount),
    change: before === null ? null : changeWords(before.amount.minor, after.amount.minor),
    listPrice:
      listBefore?.minor === after.list?.minor
        ? null
        : `${listBefore === null ? none : formatMoney(listBefore)} → ${after.list === null ? none : formatMoney(after.list)}`,
    cost: cost === null ? null : formatMoney(cost),
    margin:
      margin === null ? null : `${formatMoney(margin.amount)}, ${(margin.basisPoints / 100).toFixed(1)}%`,
    from: fromWords(list, from, currency),
    touched: [
      ...(line.drafts === null ? [] : [draftsSentence(line.drafts)]),
      ...(line.renewals === null ? [] : [renewalsSentence(line.renewals)]),
    ],
  };
}

function changeWords(before: number, after: number): string | null {
  if (before === after || before === 0) return null;
  return `${after > before ? "+" : ""}${((100 * (after - before)) / before).toFixed(1)}%`;
}

function fromWords({ fromDay, state }: PriceList, from: Date, currency: Currency): string {
  if (fromDay === null && state === "waiting") return "when it is applied";
  return formatDate(from, countryOfCurrency(currency));
}

function draftsSentence({ count, promised, until }: DraftsWithPriceHold): string {
  const orders = count === 1 ? "1 unpaid order keeps" : `${count} unpaid orders keep`;
  const requested = promised === 0 ? "" : `, ${promised} of them by a proforma or a payment link`;
  return `${orders} the price before until ${formatDate(until, standardCountry)} at the latest${requested}.`;
}

function renewalsSentence({ subscriptions, seats, moreInYear }: Renewals): string {
  const renew = subscriptions === 1 ? "1 subscription renews" : `${subscriptions} subscriptions renew`;
  const { minor, currency } = moreInYear;
  const amount = formatMoney(money(Math.abs(minor), currency));
  const change = minor === 0 ? "the same" : minor > 0 ? `${amount} more` : `${amount} less`;
  return `${renew} at this price (${licences(seats)}): ${change} over 12 months before tax, if all renew.`;
}

/** Formats "2026-12-01" as "1st December 2026". */
function dayWords(day: string): string {
  return formatDate(startOfDay(day, standardCountry), standardCountry);
}

/** Formats "25th November 2026, 4:05 pm". */
function momentWords(at: Date): string {
  return `${formatDate(at, standardCountry)}, ${formatTime(at, standardCountry)}`;
}

/** Formats "INR, a year, regular". */
function priceWords({ currency, term, kind }: { currency: Currency; term: Term; kind: PriceKind }): string {
  return `${currency}, ${termLabels[term]}, ${kind}`;
}

export interface PriceHistoryView {
  /** Label of the price key. */
  price: string;
  from: string;
  amount: string;
  listPrice: string;
  /** Author, time and source file of the price. */
  setBy: string;
  /** List that set it; null for the store's own catalogue. */
  list: PriceListId | null;
  /** Whether the price is past, in force or future. */
  when: "before" | "now" | "later";
}

/** Lists every price that an item ever had, by price key, newest first. */
export function priceHistoryView(prices: readonly PriceHistoryEntry[], now: Date): PriceHistoryView[] {
  const inForce = new Set<string>();
  return prices.map((price) => {
    const { currency, from, amountMinor, listMinor, setBy } = price;
    const name = priceWords(price);
    const when = from > now ? "later" : inForce.has(name) ? "before" : "now";
    if (when === "now") inForce.add(name);
    return {
      price: name,
      from: beginsWords(price),
      amount: formatMoney(money(amountMinor, currency)),
      listPrice: listMinor === null ? none : formatMoney(money(listMinor, currency)),
      setBy:
        setBy === null
          ? "the store's own catalogue"
          : `${setBy.source} (list ${setBy.id}), applied by ${setBy.stateBy} on ${momentWords(setBy.stateAt)}`,
      list: setBy?.id ?? null,
      when,
    };
  });
}

/** Formats the start of a price; the seed's first prices have no start date. */
function beginsWords({ from, currency }: Pick<DatedPrice, "from" | "currency">): string {
  return from.getTime() === 0 ? "the start" : formatDate(from, countryOfCurrency(currency));
}
