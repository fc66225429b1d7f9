/** A plan's texts in the visitor's language: on pages and in search, but not in API responses. */
import { expect, test } from "vitest";
import { itemCopyIn } from "#server/catalogue/item-copy.ts";
import { findItem } from "#server/catalogue/items.ts";
import { searchItems } from "#server/catalogue/search.ts";
import * as paths from "#server/foundation/paths.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const asksForHindi = { "Accept-Language": "hi-IN,hi;q=0.9,en;q=0.5" };
const sold = await findItem(context.db, "microsoft-365-business-basic");
expect.assert(sold);
const plan = sold;
const hindi = itemCopyIn(plan, "hi");
const english = itemCopyIn(plan, "en");

const stepOne = paths.newOrder({ family: plan.family, item: plan.id, country: "IN" });
const pages = [
  ["the catalogue", paths.home({ service: plan.family, country: "IN" })],
  ["search", paths.search({ query: plan.name })],
  ["step 1", stepOne],
] as const;

test.each(pages)(
  "shows the plan on %s in Hindi if the browser prefers it, otherwise in English",
  async (_, path) => {
    const inHindi = mainContentOf((await new HttpBrowser(stack.url).get(path, asksForHindi)).text);
    expect(inHindi).toContain(hindi.description);
    expect(inHindi).toContain(hindi.features[0]);
    expect(inHindi).toContain(plan.name);
    expect(inHindi).not.toContain(english.description);
    const inEnglish = mainContentOf((await new HttpBrowser(stack.url).get(path)).text);
    expect(inEnglish).toContain(english.description);
    expect(inEnglish).not.toContain(hindi.description);
  },
);

test("describes an add-on in Hindi to a Hindi buyer of its base plan", async () => {
  const addOn = catalogue.find(({ baseItemIds }) => baseItemIds.includes(plan.id));
  expect.assert(addOn);
  const page = mainContentOf((await new HttpBrowser(stack.url).get(stepOne, asksForHindi)).text);
  expect(page).toContain(itemCopyIn(addOn, "hi").description);
});

test("returns English from the API regardless of the caller's language", async () => {
  const answer = await new HttpBrowser(stack.url).get(`/item?sku=${plan.sku}`, asksForHindi);
  expect(answer.text).toContain(english.description);
  expect(answer.text).not.toContain(hindi.description);
});

test("finds a plan by its Hindi description", async () => {
  const { items } = await searchItems(context.db, hindi.description);
  expect(items[0]?.id).toBe(plan.id);
});

test("falls back to English for texts that the last seed did not translate", async () => {
  const words = { hi: { description: hindi.description } };
  const whole = context.db.updateTable("catalogue_items").where("id", "=", plan.id);
  await whole.set({ words: JSON.stringify(words) }).execute();
  const item = await findItem(context.db, plan.id);
  expect.assert(item);
  expect(itemCopyIn(item, "hi")).toEqual({ ...english, description: hindi.description });
  await whole.set({ words: null }).execute();
  const earlier = await findItem(context.db, plan.id);
  expect.assert(earlier);
  expect(itemCopyIn(earlier, "hi")).toEqual(english);
});
