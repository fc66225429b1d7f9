/**
 * A statement of account: what was open before a time, each invoice, payment, credit note and refund in it, the tax that the buyer kept
 * back, and what is open after it. A section for each currency, since amounts of two are never added.
 */
import {
  type BookEntry,
  type BooksOwner,
  listEntries,
  sumEntriesBefore,
  type TimeRange,
} from "#db/billing/books.ts";
import { type Money, money } from "#db/money.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";

export interface StatementLine {
  entry: BookEntry;
  /** What is open after it: above nothing, the buyer owes it. */
  balance: Money;
}

export interface StatementSection {
  currency: Currency;
  opening: Money;
  lines: StatementLine[];
  /** What the lines add to what is owed. */
  charged: Money;
  /** What they take from it, from nothing on. */
  settled: Money;
  closing: Money;
}

/** @param opening of the time before; a currency without one begins with nothing */
export function statementOf(opening: readonly Money[], entries: readonly BookEntry[]): StatementSection[] {
  const currencies = new Set([
    ...opening.map(({ currency }) => currency),
    ...entries.map(({ currency }) => currency),
  ]);
  return [...currencies].sort().map((currency) => {
    const before = opening.find((amount) => amount.currency === currency)?.minor ?? 0;
    let balance = before;
    let charged = 0;
    let settled = 0;
    const lines = entries
      .filter((entry) => entry.currency === currency)
      .map((entry) => {
        balance += entry.amountMinor;
        charged += Math.max(0, entry.amountMinor);
        settled += Math.max(0, -entry.amountMinor);
        return { entry, balance: money(balance, currency) };
      });
    return {
      currency,
      opening: money(before, currency),
      lines,
      charged: money(charged, currency),
      settled: money(settled, currency),
      closing: money(balance, currency),
    };
  });
}

/** Reads the statement of a time. A currency in which nothing was ever open or booked has no section. */
export async function readStatement(db: Db, owner: BooksOwner, span: TimeRange): Promise<StatementSection[]> {
  const opening = await sumEntriesBefore(db, owner, span.from);
  const sections = statementOf(opening, await listEntries(db, owner, span));
  return sections.filter(({ opening: { minor }, lines }) => minor !== 0 || lines.length > 0);
}
