/** The plan advisor: every combination of answers leads to a plan that satisfies all of them, and no cheaper plan does. */
import { describe, expect, test } from "vitest";
import { type AdvisorAnswer, advise, answersIn } from "#app/families/plan-advisor.ts";
import { screens } from "#app/families/registry.ts";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { familyIds } from "#server/catalogue/families/registry.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { findLowestPrice } from "#server/catalogue/prices.ts";
import { countryCodes, currencyOf } from "#server/foundation/countries/registry.ts";
import { languageIds } from "#server/foundation/languages/language.ts";
import { translate } from "#server/foundation/languages/text.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";

const plansOf = (family: string): CatalogueItem[] =>
  catalogue.flatMap((item) => {
    const { id } = item;
    if (item.family !== family || item.section === "addon" || !isItemId(id)) return [];
    return [{ ...item, id, isAddon: false }];
  });

/** Lists every combination of answers. */
function combinations(questions: readonly { answers: readonly AdvisorAnswer[] }[]): AdvisorAnswer[][] {
  const [first, ...others] = questions;
  if (first === undefined) return [[]];
  return first.answers.flatMap((answer) => combinations(others).map((rest) => [answer, ...rest]));
}

const cases = familyIds.flatMap((family) =>
  countryCodes.flatMap((country) =>
    combinations(screens[family].choosing ?? []).flatMap((answers) =>
      answers.length === 0
        ? []
        : [{ family, country, answers, name: answers.map(({ id }) => id).join(", ") }],
    ),
  ),
);

test("covers every combination of answers", () => {
  expect(cases.length).toBe(countryCodes.length * (3 * 4 * 2 + 2 * 4 * 3));
});

test.each(cases)(
  "$family in $country: advises the cheapest plan for $name",
  ({ family, country, answers }) => {
    const currency = currencyOf(country);
    const plans = plansOf(family);
    const advised = advise(plans, answers, currency);
    const facts = advised?.facts ?? null;
    if (advised === null || facts === null) throw new Error("Expected an advised plan");
    expect(answers.filter((answer) => !answer.fits(facts))).toEqual([]);
    const priceOf = (plan: CatalogueItem) => findLowestPrice(plan, currency)?.perMonth.minor ?? 0;
    const cheaper = plans.filter((plan) => priceOf(plan) < priceOf(advised));
    const alsoFit = cheaper.filter((plan) => {
      const theirs = plan.facts;
      return theirs !== null && answers.every((answer) => answer.fits(theirs));
    });
    expect(alsoFit.map(({ id }) => id)).toEqual([]);
  },
);

describe.each([
  [
    "microsoft",
    { documents: "desktop", talking: "both", protection: "usual" },
    "microsoft-365-business-standard",
  ],
  [
    "microsoft",
    { documents: "desktop", talking: "both", protection: "devices" },
    "microsoft-365-business-premium",
  ],
  [
    "microsoft",
    { documents: "browser", talking: "both", protection: "usual" },
    "microsoft-365-business-basic",
  ],
  [
    "microsoft",
    { documents: "none", talking: "meetings", protection: "usual" },
    "microsoft-teams-essentials",
  ],
  ["microsoft", { documents: "none", talking: "mail", protection: "usual" }, "exchange-online-plan-1"],
  [
    "microsoft",
    { documents: "desktop", talking: "none", protection: "usual" },
    "microsoft-365-apps-for-business",
  ],
  [
    "microsoft",
    { documents: "none", talking: "none", protection: "devices" },
    "microsoft-defender-for-business",
  ],
  ["google", { mail: "here", room: "small", after: "nothing" }, "google-workspace-business-starter"],
  ["google", { mail: "here", room: "medium", after: "recordings" }, "google-workspace-business-standard"],
  [
    "google",
    { mail: "elsewhere", room: "medium", after: "nothing" },
    "google-workspace-enterprise-essentials",
  ],
  ["google", { mail: "elsewhere", room: "small", after: "records" }, "google-workspace-business-plus"],
] as const)("%s %o", (family, answers, plan) => {
  test.each(countryCodes)(`advises ${plan} in %s`, (country) => {
    const given = answersIn(screens[family].choosing ?? never(), new URLSearchParams({ ...answers }));
    expect(advise(plansOf(family), given ?? [], currencyOf(country))?.id).toBe(plan);
  });
});

test("returns null for a missing or unknown answer", () => {
  const choosing = screens.microsoft.choosing ?? never();
  expect(answersIn(choosing, new URLSearchParams({ documents: "desktop", talking: "both" }))).toBeNull();
  expect(
    answersIn(choosing, new URLSearchParams({ documents: "desktop", talking: "both", protection: "much" })),
  ).toBeNull();
});

test("returns null when no plan satisfies all answers", () => {
  const demanding: AdvisorAnswer = {
    id: "all",
    text: { key: "compare.mail", values: {} },
    reasons: [],
    fits: () => false,
  };
  expect(advise(plansOf("google"), [demanding], "INR")).toBeNull();
});

test.each(languageIds)("distinguishes all answers of a question in %s", (language) => {
  for (const family of familyIds) {
    for (const { answers } of screens[family].choosing ?? []) {
      const said = answers.map(({ text }) => translate(language, text));
      expect(new Set(said).size).toBe(said.length);
    }
  }
});

function never(): never {
  throw new Error("Expected questions for this family");
}
