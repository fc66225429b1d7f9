/** The store's identity is defined in server/foundation/brand.ts only, so that a reseller changes one file. */
import { expect, test } from "vitest";
import { brand } from "#server/foundation/brand.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

/** Example seller for the invoices of `npm start`. In production these are settings (SELLER_NAME, MAIL_FROM). */
const settingsOfTheSandbox = "server/foundation/example-values.ts";

const { name, tagline, supportEmail, supportUrl, contactUrl, whatsApp, phones, offices, social } = brand;
const own = [
  name,
  tagline,
  supportEmail,
  supportUrl,
  contactUrl,
  whatsApp,
  ...phones.flatMap(({ sales, support, billing }) => [sales, support, billing]),
  ...offices.map(({ place }) => place),
  ...social.map(({ url }) => url),
];

test("repeats no name, contact, address or link of the brand in another file", () => {
  const others = [
    ...["app", "server", "db", "sandbox"].flatMap((folder) => filesUnder(folder, /\.(tsx?|mjs|js|css)$/)),
    ...filesUnder("public", /\.(html|js|svg)$/),
  ].filter((file) => file !== "server/foundation/brand.ts" && file !== settingsOfTheSandbox);
  const again = others.flatMap((file) => {
    const text = textOf(file);
    return own.filter((words) => text.includes(words)).map((words) => `${file}: ${words}`);
  });
  expect(others.length).toBeGreaterThan(300);
  expect(again).toEqual([]);
});
