/** The catalogue's seed: the promises of the landing page, and the properties that every item needs. */
import { expect, test } from "vitest";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { catalogue } from "#db/seed/index.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import { itemCopyIn } from "#server/catalogue/item-copy.ts";
import { languageIds, standardLanguage } from "#server/foundation/languages/language.ts";

const ofFamily = (family: FamilyId) => catalogue.filter((item) => item.family === family);
test("contains the expected plans of each family", () => {
  expect(ofFamily("microsoft").filter((item) => item.section !== "addon").length).toBeGreaterThanOrEqual(8);
  expect(ofFamily("google")).toHaveLength(4);
  expect(ofFamily("brio")).toHaveLength(3);
  for (const family of ["microsoft", "google", "brio"] as const) {
    expect(ofFamily(family).some((item) => item.section === "featured")).toBe(true);
  }
});

test("keeps ids and skus unique, and distinguishable from each other", () => {
  expect(new Set(catalogue.map((item) => item.id)).size).toBe(catalogue.length);
  expect(new Set(catalogue.map((item) => item.sku)).size).toBe(catalogue.length);
  expect(catalogue.filter((item) => !isItemId(item.id) || isItemId(item.sku))).toEqual([]);
});

test("gives only the add-on an sku with :0002, and existing base plans", () => {
  const addOns = catalogue.filter((item) => item.section === "addon");
  expect(addOns.map((item) => item.id)).toEqual(["copilot-for-microsoft-365"]);
  expect(catalogue.filter((item) => item.sku.endsWith(":0002"))).toEqual(addOns);
  for (const item of catalogue) expect(item.baseItemIds.length > 0).toBe(item.section === "addon");
  const plans = ofFamily("microsoft").filter((item) => item.section !== "addon");
  expect(plans.map((item) => item.id)).toEqual(expect.arrayContaining([...(addOns[0]?.baseItemIds ?? [])]));
});

test("gives facts to every plan, and to no add-on", () => {
  for (const item of catalogue) expect(item.facts === null, item.id).toBe(item.section === "addon");
});

test.each(catalogue.map((item) => [item.id, item] as const))(
  "describes and prices %s completely",
  (_, item) => {
    expect(item.features.length).toBeGreaterThanOrEqual(3);
    expect(item.features.length).toBeLessThanOrEqual(6);
    expect(item.images.length).toBeGreaterThan(0);
    if (item.family !== "microsoft") expect(item.maxSeats).toBe(300);

    const offers = (currency: string) =>
      item.prices
        .filter((price) => price.currency === currency)
        .map(({ kind, term, billingCycle }) => `${kind} ${term} ${billingCycle}`);
    expect(offers("INR")).toEqual(offers("USD"));
    expect(offers("INR")).toEqual(
      item.family === "google"
        ? ["regular P1Y annual", "signup P1Y annual"]
        : ["regular P1M monthly", "regular P1Y annual"],
    );
    for (const { amount, list, currency } of item.prices) {
      expect(amount.currency).toBe(currency);
      expect(list?.currency).toBe(currency);
      expect(amount.minor).toBeGreaterThan(0);
      expect(list?.minor).toBeGreaterThan(amount.minor);
    }
  },
);

test("charges no more per month for a longer commitment", () => {
  for (const item of catalogue.filter((each) => each.family !== "google")) {
    for (const currency of ["INR", "USD"] as const) {
      const [month, year] = item.prices.filter((price) => price.currency === currency);
      expect(year?.amount.minor).toBeLessThan(12 * (month?.amount.minor ?? 0));
    }
  }
});

test.each(catalogue.map((item) => [item.id, item] as const))(
  "%s: translates every text, with the same figures",
  (_, item) => {
    const english = itemCopyIn(item, standardLanguage);
    const figures = (text: string) => (text.match(/\d+( [GT]B)?/g) ?? []).sort();
    for (const language of languageIds.filter((id) => id !== standardLanguage)) {
      const words = itemCopyIn(item, language);
      const [said, meant] = [words, english].map(({ audience, description, features }) => [
        audience,
        description,
        ...features,
      ]);
      expect(said?.length).toBe(meant?.length);
      said?.forEach((sentence, index) => {
        expect(sentence).not.toBe("");
        expect(sentence).not.toBe(meant?.[index]);
        expect(figures(sentence)).toEqual(figures(meant?.[index] ?? ""));
      });
    }
  },
);
