/** Texts in Desk: the store shows saved texts in each language, never unsaved ones, and detects concurrent edits. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { seedCatalogue } from "#db/seed/index.ts";
import * as paths from "#server/foundation/paths.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";
import { makeStaff, staffBrowser, type TestStaff } from "#tests/support/desk.ts";
import { HttpBrowser, hiddenFieldValue, mainContentOf } from "#tests/support/http-browser.ts";
import { basic } from "#tests/support/long-price-list.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;
const asksForHindi = { "Accept-Language": "hi-IN,hi;q=0.9" };

let finance: TestStaff;
let desk: HttpBrowser;
beforeAll(async () => {
  finance = await makeStaff(context, "finance");
  desk = await staffBrowser(context, stack.url, finance);
});
beforeEach(async () => {
  await db.deleteFrom("audit_log").execute();
  await db.deleteFrom("slide_titles").execute();
  await db.updateTable("catalogue_items").set({ texts_edited_at: null }).execute();
  await seedCatalogue(db, catalogue);
});

const home = async (headers = {}) =>
  mainContentOf((await new HttpBrowser(stack.url).get(paths.home({ country: "IN" }), headers)).text);
const audit = () =>
  db.selectFrom("audit_log").select(["action", "staff_id", "subject", "data"]).orderBy("id").execute();

describe("texts of an item", () => {
  const path = paths.deskItemTexts(basic);
  const texts = {
    name: "Microsoft 365 Business Basic",
    audience_en: "For those who sail",
    description_en: "Mail for sailors.",
    features_en: "A compass\r\n\r\n  A sextant  ",
    audience_hi: "नाविकों के लिए",
    description_hi: "नाविकों की डाक।",
    features_hi: "एक कंपास\nएक सेक्सटेंट",
    reason: "A new audience",
  };
  const version = async () => hiddenFieldValue((await desk.get(path)).text, "version");
  const save = async (changes: Record<string, string> = {}) =>
    desk.post(path, { ...texts, version: await version(), ...changes });

  test("changes pages and search in both languages; the seed keeps them", async () => {
    expect((await save()).location).toBe(path);
    await seedCatalogue(db, catalogue);
    const [english, hindi] = [await home(), await home(asksForHindi)];
    for (const words of ["Mail for sailors.", "A compass", "A sextant"]) expect(english).toContain(words);
    for (const words of ["नाविकों की डाक।", "एक कंपास", "एक सेक्सटेंट"]) expect(hindi).toContain(words);
    expect(english).not.toContain("नाविकों");
    expect(hindi).not.toContain("Mail for sailors.");
    for (const query of ["sextant", "सेक्सटेंट"])
      expect((await new HttpBrowser(stack.url).get(paths.search({ query }))).text, query).toContain(
        texts.name,
      );
    expect((await desk.get(paths.deskTexts())).text).toMatch(new RegExp(`${path}"(?:(?!</tr>).)*<time`, "s"));
    const [entry, ...others] = await audit();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: "item.edit",
      staff_id: finance.id,
      subject: `item:${basic}`,
      data: { by: finance.email, reason: "A new audience" },
    });
    const { before, after } = z.object({ before: z.string(), after: z.string() }).parse(entry?.data);
    expect(JSON.parse(after)).toEqual({
      audience: "For those who sail",
      description: "Mail for sailors.",
      features: "A compass\nA sextant",
      "words.hi.audience": texts.audience_hi,
      "words.hi.description": texts.description_hi,
      "words.hi.features": texts.features_hi,
    });
    expect(Object.keys(JSON.parse(before))).toEqual(Object.keys(JSON.parse(after)));
  });

  test("falls back to English where the Hindi text is empty", async () => {
    expect((await save({ description_hi: " ", features_hi: "" })).status).toBe(303);
    const hindi = await home(asksForHindi);
    for (const words of ["Mail for sailors.", "A compass", "नाविकों के लिए"]) expect(hindi).toContain(words);
  });

  test("shows a preview without saving", async () => {
    const { status, text } = await save({ intent: "preview", reason: "", description_hi: "" });
    expect(status).toBe(200);
    const [, shown = ""] = text.split('id="preview"');
    expect(shown).toContain("Mail for sailors.");
    expect(shown).toContain("<li>A sextant</li>");
    // Shown twice: the Hindi preview has no description, so it falls back to English.
    expect(shown.match(/<p>Mail for sailors\.<\/p>/g)).toHaveLength(2);
    // The form keeps the entered values.
    expect(text).toMatch(/<textarea[^>]*name="description_en"[^>]*>Mail for sailors\.<\/textarea>/);
    expect(text).not.toContain('role="alert"');
    expect(await home()).not.toContain("Mail for sailors.");
    expect(await audit()).toEqual([]);
  });

  test("does not overwrite texts saved by someone else in the meantime", async () => {
    const mine = await version();
    expect((await save({ description_en: "Theirs." })).status).toBe(303);
    const late = await save({ version: mine });
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringContaining("Someone else has changed this content"),
    ]);
    expect(await home()).toContain("Theirs.");
    expect(await audit()).toHaveLength(1);
  });

  test.each([
    ["without a name", { name: "" }, "Enter a text."],
    ["without English features", { features_en: " \n " }, "Enter a text."],
    [
      "with too many features",
      { features_hi: Array.from({ length: 13 }, (_, n) => `${n}`).join("\n") },
      "Use 12 features or fewer.",
    ],
    ["without a reason", { reason: "" }, "Enter a reason."],
  ])("refuses texts %s", async (_what, changes, words) => {
    const answer = await save(changes);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words)]);
    expect(await audit()).toEqual([]);
  });

  test("responds 404 for an unknown item", async () => {
    for (const item of ["nothing-of-ours", "NOT AN ID"])
      expect((await desk.get(paths.deskItemTexts(item))).status, item).toBe(404);
  });
});

describe("the titles of a slide", () => {
  const path = paths.deskSlide("laptop");
  const titles = { title_en: "A laptop for the sea", title_hi: "समुद्र के लिए लैपटॉप", reason: "Season" };
  const version = async () => hiddenFieldValue((await desk.get(path)).text, "version");

  test("updates the home page in both languages", async () => {
    const before = hiddenFieldValue((await desk.get(path)).text, "title_en");
    expect(await home()).toContain(before);
    const preview = await desk.post(path, { ...titles, version: await version(), intent: "preview" });
    expect(preview.text.split('id="preview"')[1]).toContain("समुद्र के लिए लैपटॉप");
    expect(await home()).not.toContain("A laptop for the sea");

    expect((await desk.post(path, { ...titles, version: await version() })).location).toBe(path);
    expect(await home()).toContain("A laptop for the sea");
    expect(await home()).not.toContain(before);
    expect(await home(asksForHindi)).toContain("समुद्र के लिए लैपटॉप");
    expect(await audit()).toMatchObject([
      { action: "slide.edit", staff_id: finance.id, subject: "slide:laptop", data: { reason: "Season" } },
    ]);
    const stale = await desk.post(path, { ...titles, version: "of-yesterday" });
    expect(stale.status).toBe(409);
    expect((await desk.post(path, { ...titles, title_hi: "", version: await version() })).status).toBe(400);
  });

  test("responds 404 for an unknown slide", async () => {
    expect((await desk.get(paths.deskSlide("nothing"))).status).toBe(404);
  });
});
