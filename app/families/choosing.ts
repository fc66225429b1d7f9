/**
 * How a buyer is led to a plan: three questions, whose answers say what the plan must have. The plan advised is the one that has all
 * of it for the lowest price.
 */
import type { PlanFacts } from "#db/plan-facts.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { lowestOfKind } from "#server/catalogue/prices.ts";
import type { Told } from "#server/languages/text.ts";

export interface Answer {
  /** In the address of the advice. */
  readonly id: string;
  readonly text: Told;
  /** What the plan has of it, in a list of such things; none where nothing is asked for. */
  readonly reasons: readonly Told[];
  fits(facts: PlanFacts): boolean;
}

export interface Question {
  /** In the address of the advice. */
  readonly id: string;
  readonly text: Told;
  readonly answers: readonly [Answer, Answer, ...Answer[]];
}

/** Whatever is answered, one of the family's plans has all of it (tests/unit/catalogue/choosing.test.ts). */
export type Choosing = readonly [Question, Question, Question];

/** An answer that asks for nothing. */
export function nothing(id: string, text: Told): Answer {
  return { id, text, reasons: [], fits: () => true };
}

/** The answers given in an address; null while one is missing or unknown. */
export function answersIn(choosing: Choosing, given: URLSearchParams): Answer[] | null {
  const answers = choosing.flatMap(
    ({ id, answers }) => answers.find((answer) => answer.id === given.get(id)) ?? [],
  );
  return answers.length === choosing.length ? answers : null;
}

/** The plan that fits all answers for the lowest price, of two at one price the first; null when none does. */
export function advise(
  plans: readonly CatalogueItem[],
  answers: readonly Answer[],
  currency: Currency,
): CatalogueItem | null {
  const fitting = plans.flatMap((plan) => {
    const price = lowestOfKind(plan, currency);
    const { facts } = plan;
    const fits = facts !== null && price !== null && answers.every((answer) => answer.fits(facts));
    return fits ? [{ plan, minor: price.perMonth.minor }] : [];
  });
  return fitting.toSorted((one, other) => one.minor - other.minor)[0]?.plan ?? null;
}

/** What was asked for, each thing once. */
export function reasonsFor(answers: readonly Answer[]): Told[] {
  return answers.flatMap(({ reasons }) => reasons);
}
