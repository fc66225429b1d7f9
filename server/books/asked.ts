/** Which time of the books is asked for: a year, or the days from one to another. */
import { firstEntryAt, type Span } from "#db/books.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { DomainError } from "#server/errors.ts";
import { told } from "#server/languages/text.ts";
import { beginningOf, dateView } from "#server/subscriptions/dates.ts";
import type { Books } from "./owner.ts";
import { spanOfYear, yearOf, yearsBetween } from "./years.ts";

export interface AskedTime {
  span: Span;
  /** Null where days were asked for. */
  year: number | null;
  /** The first and the last day: "2026-04-01". */
  days: { from: string; to: string };
  /** The years that the books have, the newest first: this one at least. */
  years: number[];
}

const dayForm = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const dayMs = 86_400_000;
const longestDays = 3_660;

/** The day after another: "2026-03-01" for "2026-02-28". */
function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return dayForm.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/**
 * @param query `from` and `to`, both days and both meant; or `year`, the calendar year in which it begins. The running year when left out.
 * @throws DomainError bad_request for days that are none, or in the wrong order, or too far apart; not_found for a year without books
 */
export async function askedTime(
  db: Db,
  { owner, country }: Pick<Books, "owner" | "country">,
  query: URLSearchParams,
  now: Date,
): Promise<AskedTime> {
  const years = yearsBetween((await firstEntryAt(db, owner)) ?? now, now, country);
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""];
  if (from !== "" || to !== "")
    return { span: spanOfDays(from, to, country), year: null, days: { from, to }, years };
  const text = query.get("year") ?? "";
  const year = text === "" ? yearOf(now, country) : years.find((each) => String(each) === text);
  if (year === undefined) throw new DomainError("not_found", told("books.nothing"));
  const span = spanOfYear(year, country);
  const lastDay = new Date(span.before.getTime() - 1);
  return {
    span,
    year,
    days: { from: dateView(span.from, country).iso, to: dateView(lastDay, country).iso },
    years,
  };
}

function spanOfDays(from: string, to: string, country: Country): Span {
  const refuse = () => new DomainError("bad_request", told("books.noSuchTime"));
  if (!isDay(from) || !isDay(to)) throw refuse();
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  if (days < 0 || days > longestDays) throw refuse();
  return { from: beginningOf(from, country), before: beginningOf(dayAfter(to), country) };
}
