/** Layout of mails: the colours of the pages, and the requirements of mail programs. */
import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { brand } from "#server/foundation/brand.ts";
import { colours, type MailContent, renderMail } from "#server/mail/layout.ts";
import { renderTestMail, sender } from "#tests/support/mail-rendering.ts";

const tokens = readFileSync(new URL("../../../app/styles/tokens.css", import.meta.url), "utf8");
const [light = "", dark = ""] = tokens.split("@media (prefers-color-scheme: dark)");
const colourIn = (css: string, token: string) => new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(css)?.[1];

test.each(Object.entries(colours))("matches %s to the pages' colours, light and dark", (_name, colour) => {
  expect(colourIn(light, colour.token)).toBe(colour.light);
  expect(colourIn(dark, colour.token)).toBe(colour.dark);
});

const content: MailContent = {
  subject: "A <subject>",
  preheader: "Before & after",
  paragraphs: ["First.", "Second."],
  facts: [{ label: "Name", value: "Asha" }],
  button: { label: "Go on", link: "https://store.example/a?b=1&c=2" },
  afterwards: ["Later."],
  bill: [{ label: "Two", value: "₹2.00" }],
  amount: { label: "Paid", value: "₹2" },
  aside: { label: "Invoice", link: "https://store.example/i" },
  orderNumber: "HUB-26-000123",
};

describe("a mail", () => {
  it("contains the same parts in plain text and HTML, in the same order", () => {
    expect(renderTestMail(content).text).toBe(
      [
        "First.",
        "Second.",
        "Name: Asha",
        "Go on: https://store.example/a?b=1&c=2",
        "Later.",
        "Two: ₹2.00\nPaid: ₹2",
        "Invoice: https://store.example/i",
        "Order HUB-26-000123. Quote this number when you contact us.",
        `Questions? Email ${brand.supportEmail} or call +91 00000 00102. We never ask for your password.`,
        `${brand.name}\nHubs Private Limited, 15 Residency Road, Bengaluru 560025\nGSTIN 29AABCH9876K1ZR\n`,
      ].join("\n\n"),
    );
    const { html } = renderTestMail(content);
    const places = ["First.", "Asha", "Go on", "Later.", "₹2.00", "₹2<", "Invoice", "HUB-26", "GSTIN"].map(
      (words) => html.indexOf(words),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  it("hides the preheader in the body, for mailboxes to show it", () => {
    expect(renderTestMail(content).html).toContain(
      '<div style="display:none;max-height:0;overflow:hidden">Before &#38; after',
    );
  });

  it("omits missing phone numbers and GSTINs, and support in operator mail", () => {
    const abroad = renderMail(content, "en", { ...sender, gstin: null, phone: null });
    expect(abroad.text).toContain(`Email ${brand.supportEmail}. We never`);
    expect(abroad.text).not.toMatch(/GSTIN|call \+/);
    const inside = renderTestMail({ ...content, isToOperator: true });
    for (const part of [inside.text, inside.html]) expect(part).not.toContain(brand.supportEmail);
  });

  it("shows a mailto link as a plain email address", () => {
    const { text, html } = renderTestMail({
      ...content,
      button: { label: "Write", link: "mailto:help@store.example" },
    });
    expect(text).toContain("Write: help@store.example\n");
    expect(html).toContain('href="mailto:help@store.example"');
    expect(html).toContain("<br>help@store.example</p>");
  });
});
