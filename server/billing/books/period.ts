/** The requested period of the books: a year, or a range of days. */
import { firstEntryAt, type TimeRange } from "#db/billing/books.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { dateView, isDay, startOfDay } from "#server/orders/subscriptions/dates.ts";
import type { Books } from "./owner.ts";
import { spanOfYear, yearOf, yearsBetween } from "./years.ts";

export interface BooksPeriod {
  span: TimeRange;
  /** Null for a range of days. */
  year: number | null;
  /** The first and the last day: "2026-04-01". */
  days: { from: string; to: string };
  /** The accounting years with entries, newest first; at least the current one. */
  years: number[];
}

const dayMs = 86_400_000;
const maxPeriodDays = 3_660;

/** Returns the next day: "2026-03-01" for "2026-02-28". */
function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}

/**
 * Parses the requested period.
 * @param query `from` and `to`, both inclusive; or `year`, the calendar year in which the accounting year begins. The current
 * year by default.
 * @throws DomainError bad_request for invalid days, in the wrong order or too far apart; not_found for a year without books
 */
export async function parseBooksPeriod(
  db: Db,
  { owner, country }: Pick<Books, "owner" | "country">,
  query: URLSearchParams,
  now: Date,
): Promise<BooksPeriod> {
  const years = yearsBetween((await firstEntryAt(db, owner)) ?? now, now, country);
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""];
  if (from !== "" || to !== "")
    return { span: spanOfDays(from, to, country), year: null, days: { from, to }, years };
  const text = query.get("year") ?? "";
  const year = text === "" ? yearOf(now, country) : years.find((each) => String(each) === text);
  if (year === undefined) throw new DomainError("not_found", msg("books.nothing"));
  const span = spanOfYear(year, country);
  const lastDay = new Date(span.before.getTime() - 1);
  return {
    span,
    year,
    days: { from: dateView(span.from, country).iso, to: dateView(lastDay, country).iso },
    years,
  };
}

function spanOfDays(from: string, to: string, country: Country): TimeRange {
  const refuse = () => new DomainError("bad_request", msg("books.noSuchTime"));
  if (!isDay(from) || !isDay(to)) throw refuse();
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  if (days < 0 || days > maxPeriodDays) throw refuse();
  return { from: startOfDay(from, country), before: startOfDay(dayAfter(to), country) };
}
