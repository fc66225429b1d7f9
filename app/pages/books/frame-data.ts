/** Links in the frame around the pages of a company's books. */
import { yearName } from "#server/billing/books/years.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import * as paths from "#server/foundation/paths.ts";
import type { OpenBooks } from "../../http/books.ts";
import type { BooksLink } from "./frame.tsx";

const parts = {
  documents: { words: "books.documents", to: paths.documents },
  statement: { words: "books.statement", to: paths.statement },
  licences: { words: "books.licences", to: paths.licences },
} as const;

type Part = keyof typeof parts;

export function frameOf(
  { query, year, years, country }: OpenBooks,
  current: Part,
  text: Translate,
): { parts: BooksLink[]; years: BooksLink[] } {
  return {
    parts: Object.entries(parts).map(([part, { words, to }]) => ({
      label: text(words),
      href: to(query),
      isCurrent: part === current,
    })),
    years: years.map((each) => ({
      label: yearName(each, country),
      href: parts[current].to({ year: String(each) }),
      isCurrent: each === year,
    })),
  };
}
