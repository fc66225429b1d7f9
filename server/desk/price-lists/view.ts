/** A price list, its comparison and an item's history in words: what the command prints and the desk shows. */

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
  /** "list.csv, from 1st December 2026: waiting to be applied". */
  heading: string;
  /** Sentences on the whole of it. */
  facts: string[];
  /** The lines that say something: all but those that change nothing and cost no more than their price. */
  lines: PriceLineView[];
}

export interface PriceLineView {
  line: number;
  /** The name, or what the list calls it. */
  item: string;
  /** Null for an item that the store does not have. */
  itemId: ItemId | null;
  /** "INR, a year, regular". */
  price: string;
  /** "changed", "below cost". */
  verdict: string;
  isLeftOut: boolean;
  before: string;
  after: string;
  /** "+3.4%", "-12.0%"; null for a price that is new or the same. */
  change: string | null;
  /** List prices, when they change: "₹1,740 → ₹1,860". */
  listPrice: string | null;
  /** What a seat costs us; null while that is not known. */
  cost: string | null;
  /** "₹250, 15.9%"; null while the cost is not known. */
  margin: string | null;
  from: string;
  /** Whom it touches, in sentences. */
  touched: string[];
}

const none = "none";

/** @param only the verdict of the lines that are wanted; those that say something when left out */
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

/** The kinds of lines that a diff has, with how many there are of each. */
export function countsOf({ lines }: PriceListDiff): { verdict: LineVerdict; label: string }[] {
  return lineVerdicts
    .map((verdict) => ({ verdict, count: lines.filter((line) => line.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => ({ verdict, label: `${lineVerdictLabels[verdict]} (${count})` }));
}

/** "list.csv, from 1st December 2026". */
export function headingOf({ source, fromDay }: Pick<PriceList, "source" | "fromDay">): string {
  return fromDay === null ? `${source}, as soon as it is applied` : `${source}, from ${dayWords(fromDay)}`;
}

/** "1st December 2026", "when it was applied". */
export function startDayText({ fromDay, state }: Pick<PriceList, "fromDay" | "state">): string {
  if (fromDay !== null) return dayWords(fromDay);
  return state === "waiting" ? "when it is applied" : "when it was applied";
}

/** One line of the list of lists. */
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

/** "1st December 2026" of "2026-12-01". */
function dayWords(day: string): string {
  return formatDate(startOfDay(day, standardCountry), standardCountry);
}

/** "25th November 2026, 4:05 pm". */
function momentWords(at: Date): string {
  return `${formatDate(at, standardCountry)}, ${formatTime(at, standardCountry)}`;
}

/** "INR, a year, regular". */
function priceWords({ currency, term, kind }: { currency: Currency; term: Term; kind: PriceKind }): string {
  return `${currency}, ${termLabels[term]}, ${kind}`;
}

export interface PriceHistoryView {
  /** Which of the item's prices. */
  price: string;
  from: string;
  amount: string;
  listPrice: string;
  /** Who set it, when, and from which file. */
  setBy: string;
  /** The list that set it; null for the store's own catalogue. */
  list: PriceListId | null;
  /** Whether it is the one in force, was, or will be. */
  when: "before" | "now" | "later";
}

/** Every price of an item there ever was, price by price, the newest first. */
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

/** The seed's first prices have no beginning. */
function beginsWords({ from, currency }: Pick<DatedPrice, "from" | "currency">): string {
  return from.getTime() === 0 ? "the start" : formatDate(from, countryOfCurrency(currency));
}
