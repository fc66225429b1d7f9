/** What price lists and their lines are called, for who runs the store: the desk and its commands are in English. */
import type { ListedPriceList } from "#db/price-lists.ts";
import type { PriceListState, Term } from "#db/tables/enums.ts";
import type { ComparedLine, Verdict } from "./compare.ts";

export const stateWords: Readonly<Record<PriceListState, string>> = {
  waiting: "waiting to be applied",
  applied: "applied",
  discarded: "discarded",
  "taken-back": "taken back",
};

/** Where a list stands for who reads it: what was applied is planned until the first of its prices begins. */
export type Standing = "draft" | "planned" | "in-force" | "discarded" | "taken-back";

export const standingWords: Readonly<Record<Standing, string>> = {
  draft: "draft",
  planned: "planned",
  "in-force": "in force",
  discarded: "discarded",
  "taken-back": "taken back",
};

export function standingOf(
  { state, begins }: Pick<ListedPriceList, "state" | "begins">,
  now: Date,
): Standing {
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

/** One line of it. */
export const verdictWord: Readonly<Record<Verdict, string>> = {
  changed: "changed",
  new: "new",
  unchanged: "unchanged",
  repeated: "said twice",
  unknown: "unknown item",
  "not-sold": "not sold so",
  contradicted: "two prices",
  "below-cost": "below cost",
};

const counted: Readonly<Record<Verdict, (count: number) => string>> = {
  changed: (count) => `${count} changed`,
  new: (count) => `${count} new`,
  unchanged: (count) => `${count} unchanged`,
  repeated: (count) => `${count} said twice`,
  unknown: (count) => `${count} of items that are not in the store`,
  "not-sold": (count) => `${count} of items that are not sold for that term`,
  contradicted: (count) => `${count} that contradict each other`,
  "below-cost": (count) => `${count} below cost`,
};

export const verdicts = Object.keys(counted).filter(isVerdict);

export function isVerdict(text: string): text is Verdict {
  return Object.hasOwn(counted, text);
}

/** "40 changed, 452 unchanged, 5 of items that are not in the store": what there is of each. */
export function verdictWords(lines: readonly Pick<ComparedLine, "verdict">[]): string {
  return verdicts
    .map((verdict) => ({ verdict, count: lines.filter((line) => line.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => counted[verdict](count))
    .join(", ");
}

export const termWords: Readonly<Record<Term, string>> = { P1M: "a month", P1Y: "a year" };
