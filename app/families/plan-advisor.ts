/**
 * How a buyer is led to a plan: three questions, whose answers say what the plan must have. The plan advised is the one that has all
 * of it for the lowest price.
 */
import type { PlanFacts } from "#db/catalogue/plan-facts.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { findLowestPrice } from "#server/catalogue/prices.ts";
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";

export interface AdvisorAnswer {
  /** In the address of the advice. */
  readonly id: string;
  readonly text: MessageDescriptor;
  /** What the plan has of it, in a list of such things; none where nothing is asked for. */
  readonly reasons: readonly MessageDescriptor[];
  fits(facts: PlanFacts): boolean;
}

export interface AdvisorQuestion {
  /** In the address of the advice. */
  readonly id: string;
  readonly text: MessageDescriptor;
  readonly answers: readonly [AdvisorAnswer, AdvisorAnswer, ...AdvisorAnswer[]];
}

/** Whatever is answered, one of the family's plans has all of it (tests/unit/catalogue/plan-advisor.test.ts). */
export type AdvisorQuestions = readonly [AdvisorQuestion, AdvisorQuestion, AdvisorQuestion];

/** An answer that asks for nothing. */
export function noRequirement(id: string, text: MessageDescriptor): AdvisorAnswer {
  return { id, text, reasons: [], fits: () => true };
}

/** The answers given in an address; null while one is missing or unknown. */
export function answersIn(choosing: AdvisorQuestions, given: URLSearchParams): AdvisorAnswer[] | null {
  const answers = choosing.flatMap(
    ({ id, answers }) => answers.find((answer) => answer.id === given.get(id)) ?? [],
  );
  return answers.length === choosing.length ? answers : null;
}

/** The plan that fits all answers for the lowest price, of two at one price the first; null when none does. */
export function advise(
  plans: readonly CatalogueItem[],
  answers: readonly AdvisorAnswer[],
  currency: Currency,
): CatalogueItem | null {
  const fitting = plans.flatMap((plan) => {
    const price = findLowestPrice(plan, currency);
    const { facts } = plan;
    const fits = facts !== null && price !== null && answers.every((answer) => answer.fits(facts));
    return fits ? [{ plan, minor: price.perMonth.minor }] : [];
  });
  return fitting.toSorted((one, other) => one.minor - other.minor)[0]?.plan ?? null;
}

/** What was asked for, each thing once. */
export function reasonsFor(answers: readonly AdvisorAnswer[]): MessageDescriptor[] {
  return answers.flatMap(({ reasons }) => reasons);
}
