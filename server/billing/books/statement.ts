/**
 * A statement of account: the opening balance of a period, its invoices, payments, credit notes, refunds and tax withheld, and
 * the closing balance. One section per currency, because amounts in different currencies are never added.
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
  /** Balance after it; positive when the buyer owes it. */
  balance: Money;
}

export interface StatementSection {
  currency: Currency;
  opening: Money;
  lines: StatementLine[];
  /** Sum of the lines that add to the balance. */
  charged: Money;
  /** Sum of the lines that reduce the balance, as a positive amount. */
  settled: Money;
  closing: Money;
}

/** Builds the sections. @param opening balances before the period; 0 for a currency without one */
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

/** Reads the statement of a period. Leaves out currencies without balance and entries. */
export async function readStatement(db: Db, owner: BooksOwner, span: TimeRange): Promise<StatementSection[]> {
  const opening = await sumEntriesBefore(db, owner, span.from);
  const sections = statementOf(opening, await listEntries(db, owner, span));
  return sections.filter(({ opening: { minor }, lines }) => minor !== 0 || lines.length > 0);
}
