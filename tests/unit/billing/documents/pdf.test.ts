/** The PDF contains the view's texts, on any number of pages and in any script of names. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runsOf } from "#server/billing/documents/fonts.ts";
import { invoicePdf } from "#server/billing/documents/pdf.ts";
import { rejectWhenPdfQueueIsFull } from "#server/billing/documents/pdf-thread.ts";
import { type InvoiceView, invoiceView } from "#server/billing/documents/view.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { priceSelection } from "#server/orders/pricing.ts";
import { turnsDuring } from "#tests/support/event-loop.ts";
import { embeddedText, pdfPages } from "#tests/support/pdf-text.ts";
import { accountAnswers, catalogueItem, invoiceOf, pricedOrder } from "#tests/support/priced-order.ts";

const item = catalogueItem("google-workspace-business-starter");
const selection = {
  term: "P1Y",
  billingCycle: "annual",
  quantity: 25,
  google: { domain: "acme.com", customerType: "new_signup" },
} as const;
const at = new Date("2026-11-20T09:00:00Z");

function viewFor(companyName: string, country: "IN" | "US" = "IN", language: LanguageId = "en"): InvoiceView {
  const account = accountAnswers({
    companyName,
    country,
    gst_code: country === "IN" ? "29AABCB1234C1ZA" : null,
  });
  const priced = priceSelection(item, country, selection);
  return invoiceView(invoiceOf(pricedOrder(item, country, selection, priced, { account, language })));
}

const noText = new Set(["fileName", "language"]);

/** Lists every text of the view, in order, without field names and the file name. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => (noText.has(key) ? [] : textsOf(part)));
}
const letters = (text: string) => text.replaceAll(/\s+/g, "");

test.each(["IN", "US"] as const)("contains every text of the view (%s)", async (country) => {
  const view = viewFor("Acme Tools", country);
  const pages = await pdfPages(await invoicePdf(view, at));
  expect(pages).toHaveLength(1);
  const read = letters(pages.join(""));
  const texts = textsOf(view);
  expect(texts.length).toBeGreaterThan(30);
  expect(texts.filter((text) => !read.includes(letters(text)))).toEqual([]);
  expect(read).toContain(letters(`${view.number}, page 1 of 1`));
});

test.each(["IN", "US"] as const)(
  "contains every text of an invoice in Hindi as readable text (%s)",
  async (country) => {
    const view = viewFor("श्री वर्षा क्रय केंद्र Private Limited", country, "hi");
    const file = await invoicePdf(view, at);
    const pages = await pdfPages(file);
    expect(pages).toHaveLength(1);
    const read = letters(`${pages.join("")}${embeddedText(file).join("")}`);
    const texts = textsOf(view);
    expect(texts.length).toBeGreaterThan(30);
    // A label of two lines surrounds its value in the text, so search for each word.
    const isRead = (text: string) => text.split(/\s+/).every((word) => read.includes(letters(word)));
    expect(texts.filter((text) => !isRead(text))).toEqual([]);
    expect(read).toContain(letters(`${view.number}, 1 में से पेज 1`));
    expect(Buffer.from(file).toString("latin1")).toContain("/Lang (hi)");
    expect(embeddedText(await invoicePdf(viewFor("Acme Tools", country), at))).toEqual([]);
  },
);

test("leaves the event loop free while it draws, even with new scripts and long tables", async () => {
  const view = viewFor("Acme Tools");
  const [line] = view.lines;
  if (line === undefined) throw new Error("no line");
  const views = [
    view,
    viewFor("Acme Tools", "IN", "hi"),
    viewFor("কমল কমલ ਕਮਲ కమల ಕಮಲ കമല கமல କମଳ"),
    { ...view, lines: Array.from({ length: 150 }, () => line) },
  ];
  for (const each of views) expect(await turnsDuring(() => invoicePdf(each, at))).toBeGreaterThan(50);
});

test("draws in order of arrival, and refuses requests once fifty drawings wait", async () => {
  const view = viewFor("Acme Tools");
  const served: number[] = [];
  const attempts = Array.from({ length: 60 }, (_, place) =>
    invoicePdf(view, at).then(() => served.push(place)),
  );
  expect(rejectWhenPdfQueueIsFull).toThrow(expect.objectContaining({ code: "busy", retryAfterSeconds: 5 }));
  await Promise.all(attempts);
  expect(served).toEqual(attempts.map((_, place) => place));
  rejectWhenPdfQueueIsFull();
});

test("rejects a drawing that kills its thread, and draws those queued behind it", {
  tags: ["full"],
}, async () => {
  const view = viewFor("Acme Tools");
  const facts = Array.from({ length: 3_000_000 }, () => ({ label: "Number", value: "1" }));
  const [deadly, ...behind] = await Promise.allSettled([
    invoicePdf({ ...view, facts }, at),
    invoicePdf(view, at),
    invoicePdf(view, at),
  ]);
  expect(deadly).toMatchObject({ status: "rejected", reason: { code: "ERR_WORKER_OUT_OF_MEMORY" } });
  expect(behind.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await invoicePdf(view, at)).toBeInstanceOf(Uint8Array);
});

test("draws the same file for the same invoice", async () => {
  const view = viewFor("Acme Tools");
  const make = async () =>
    createHash("sha256")
      .update(await invoicePdf(view, at))
      .digest("hex");
  const first = await make();
  // All drawings share the opened fonts: glyphs used by another invoice must not affect this file.
  await invoicePdf(viewFor("భారత్ ભારત Ελλάδα"), at);
  expect(await make()).toBe(first);
});

test("numbers further pages and repeats the table's head on each", async () => {
  const view = viewFor("Acme ".repeat(400).trim());
  const [line] = view.lines;
  if (line === undefined) throw new Error("no line");
  const lines = Array.from({ length: 40 }, (_, index) => ({ ...line, description: `Plan ${index + 1}.` }));
  const pages = await pdfPages(await invoicePdf({ ...view, lines }, at));
  expect(pages.length).toBeGreaterThan(3);
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`${view.number}, page ${index + 1} of ${pages.length}`);
  }
  const all = pages.join(" ");
  expect(all.match(/Acme/g)).toHaveLength(400);
  for (const { description } of lines) expect(all).toContain(description);
  const withLines = pages.filter((page) => /Plan \d+\./.test(page));
  expect(withLines.filter((page) => !page.includes("Unit price"))).toEqual([]);
  expect(pages.at(-1)).toContain("Total (INR)");
});

test("breaks a word longer than a line without losing characters", async () => {
  const name = "Donaudampfschifffahrt".repeat(12);
  const pages = await pdfPages(await invoicePdf(viewFor(name), at));
  expect(letters(pages.join(""))).toContain(name);
});

test.each([
  ["Hindi", "कमल"],
  ["Bengali", "কমল"],
  ["Gujarati", "કમલ"],
  ["Kannada", "ಕಮಲ"],
  ["Malayalam", "കമല"],
  ["Odia", "କମଳ"],
  ["Punjabi", "ਕਮਲ"],
  ["Tamil", "கமல"],
  ["Telugu", "కమల"],
  // Without our fallback fontkit fails for these: marks over letters that have no anchor for them.
  ["Punjabi, with marks", "ਪੰਜਾਬ"],
  ["Malayalam, with marks", "പുസ്തകം"],
  ["Polish", "Łódź"],
  ["Greek", "Αθήνα"],
  ["Russian", "Москва"],
])("prints a readable name in %s", async (_language, name) => {
  const pages = await pdfPages(await invoicePdf(viewFor(`${name} Tools`), at));
  expect(letters(pages.join(""))).toContain(`${name}Tools`);
});

test("draws an invoice for a name without glyphs in the fonts", async () => {
  const [page] = await pdfPages(await invoicePdf(viewFor("株式会社 Acme 🙂"), at));
  expect(page).toContain("Acme");
  expect(page).toContain("IN/26-27/000042");
});

const letter = fc.oneof(
  fc.integer({ min: 0x0900, max: 0x0d7f }),
  fc.integer({ min: 0x20, max: 0x24f }),
  fc.constantFrom(0x200c, 0x200d, 0x301, 0x20b9, 0x1f642),
);
const anyName = fc
  .array(letter, { minLength: 1, maxLength: 30 })
  .map((codes) => String.fromCodePoint(...codes));

test("draws an invoice for any characters in names", async () => {
  const view = viewFor("Acme Tools");
  const [line] = view.lines;
  if (line === undefined) throw new Error("no line");
  const lines = fc.sample(anyName, 150).map((description) => ({ ...line, description }));
  const pages = await pdfPages(await invoicePdf({ ...view, lines }, at));
  expect(pages.join(" ").match(/₹1,932\.00/g)).toHaveLength(150);
  expect(pages.at(-1)).toContain("Total (INR)");
});

test("splits a line where its font changes, and keeps joiners with their letters", () => {
  expect(runsOf("Acme தமிழ் 5")).toEqual([
    { text: "Acme ", font: "latin" },
    { text: "தமிழ்", font: "tamil" },
    { text: " 5", font: "latin" },
  ]);
  expect(runsOf("ക്\u200dഷ")).toEqual([{ text: "ക്\u200dഷ", font: "malayalam" }]);
});
