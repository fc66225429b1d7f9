/** Labels of price lists and their lines, in English like Desk and the commands. */
import type { ListedPriceList } from "#db/catalogue/price-lists.ts";
import type { PriceListState, Term } from "#db/tables/enums.ts";
import type { ComparedLine, LineVerdict } from "./compare.ts";

export const priceListStateLabels: Readonly<Record<PriceListState, string>> = {
  waiting: "waiting to be applied",
  applied: "applied",
  discarded: "discarded",
  "taken-back": "reverted",
};

/** Status of a list for readers: an applied list is planned until its first price starts. */
export type PriceListStatus = "draft" | "planned" | "in-force" | "discarded" | "taken-back";

export const priceListStatusLabels: Readonly<Record<PriceListStatus, string>> = {
  draft: "draft",
  planned: "planned",
  "in-force": "in force",
  discarded: "discarded",
  "taken-back": "reverted",
};

export function priceListStatusOf(
  { state, begins }: Pick<ListedPriceList, "state" | "begins">,
  now: Date,
): PriceListStatus {
  switch (state) {
    case "waiting":
      return "draft";
    case "applied":
      return begins !== null && begins > now ? "planned" : "in-force";
    case "discarded":
    case "taken-back":
      return state;
  }
}

/** Labels of a line's verdict. */
export const lineVerdictLabels: Readonly<Record<LineVerdict, string>> = {
  changed: "changed",
  new: "new",
  unchanged: "unchanged",
  repeated: "duplicate",
  unknown: "unknown item",
  "not-sold": "not sold for that term",
  contradicted: "conflicting prices",
  "below-cost": "below cost",
};

const counted: Readonly<Record<LineVerdict, (count: number) => string>> = {
  changed: (count) => `${count} changed`,
  new: (count) => `${count} new`,
  unchanged: (count) => `${count} unchanged`,
  repeated: (count) => (count === 1 ? "1 duplicate" : `${count} duplicates`),
  unknown: (count) => `${count} for items not in the store`,
  "not-sold": (count) => `${count} for items not sold for that term`,
  contradicted: (count) => `${count} conflicting`,
  "below-cost": (count) => `${count} below cost`,
};

export const lineVerdicts = Object.keys(counted).filter(isLineVerdict);

export function isLineVerdict(text: string): text is LineVerdict {
  return Object.hasOwn(counted, text);
}

/** Formats the count of each verdict: "40 changed, 452 unchanged, 5 of items that are not in the store". */
export function lineVerdictSummary(lines: readonly Pick<ComparedLine, "verdict">[]): string {
  return lineVerdicts
    .map((verdict) => ({ verdict, count: lines.filter((line) => line.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => counted[verdict](count))
    .join(", ");
}

export const termLabels: Readonly<Record<Term, string>> = { P1M: "a month", P1Y: "a year" };
