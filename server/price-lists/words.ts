/** What price lists and their lines are called, for who runs the store: the desk and its commands are in English. */
import type { PriceListState, Term } from "#db/tables/enums.ts";
import type { ComparedLine, Verdict } from "./compare.ts";

export const stateWords: Readonly<Record<PriceListState, string>> = {
  waiting: "waiting to be applied",
  applied: "applied",
  discarded: "discarded",
  "taken-back": "taken back",
};

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

const verdicts = Object.keys(counted).filter(isVerdict);

function isVerdict(text: string): text is Verdict {
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
