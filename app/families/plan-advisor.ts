/** The plan advisor: three questions, whose answers are requirements. It recommends the cheapest plan that meets all of them. */
import type { PlanFacts } from "#db/catalogue/plan-facts.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { findLowestPrice } from "#server/catalogue/prices.ts";
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";

export interface AdvisorAnswer {
  /** Value in the URL of the advice. */
  readonly id: string;
  readonly text: MessageDescriptor;
  /** Features of the plan that meet the requirement, in a list; empty for an answer without a requirement. */
  readonly reasons: readonly MessageDescriptor[];
  fits(facts: PlanFacts): boolean;
}

export interface AdvisorQuestion {
  /** Parameter in the URL of the advice. */
  readonly id: string;
  readonly text: MessageDescriptor;
  readonly answers: readonly [AdvisorAnswer, AdvisorAnswer, ...AdvisorAnswer[]];
}

/** Three questions. Every combination of answers fits one of the family's plans (tests/unit/catalogue/plan-advisor.test.ts). */
export type AdvisorQuestions = readonly [AdvisorQuestion, AdvisorQuestion, AdvisorQuestion];

/** An answer without a requirement. */
export function noRequirement(id: string, text: MessageDescriptor): AdvisorAnswer {
  return { id, text, reasons: [], fits: () => true };
}

/** The answers in a URL; null while one is missing or unknown. */
export function answersIn(choosing: AdvisorQuestions, given: URLSearchParams): AdvisorAnswer[] | null {
  const answers = choosing.flatMap(
    ({ id, answers }) => answers.find((answer) => answer.id === given.get(id)) ?? [],
  );
  return answers.length === choosing.length ? answers : null;
}

/** The cheapest plan that meets all requirements, the first of several at one price; null when there is none. */
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

/** The distinct requirements of the answers. */
export function reasonsFor(answers: readonly AdvisorAnswer[]): MessageDescriptor[] {
  return answers.flatMap(({ reasons }) => reasons);
}
