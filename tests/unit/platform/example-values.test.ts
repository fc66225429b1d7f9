/** A live store refuses example values: it reports all that remain in its settings and its brand together. */
import { expect, test } from "vitest";
import { createSecrets, sandboxEnvironment } from "#sandbox/local/environment.ts";
import { brand } from "#server/foundation/brand.ts";
import { exampleSeller, examplesIn, isExample } from "#server/foundation/example-values.ts";
import { findExampleValuesInUse, readEnv } from "#server/platform/env.ts";

const sandbox: Record<string, string | undefined> = sandboxEnvironment({
  port: 3000,
  sandboxPort: 3100,
  smtpPort: 3101,
  databaseUrl: "postgres://postgres@127.0.0.1:5432/postgres",
  dataDir: ".data",
  secrets: createSecrets(),
});

/** Settings of a live store. */
const live: Record<string, string | undefined> = {
  ...Object.fromEntries(Object.entries(sandbox).filter(([name]) => !name.startsWith("SELLER_"))),
  SELLER_NAME: "Acme Resale Private Limited",
  SELLER_ADDRESS: "1 High Street; Pune 411001",
  SELLER_GSTIN: "27AAPFU0939F1ZV",
  SELLER_PHONE: "+91 80 4718 2200",
  SELLER_GRIEVANCE_OFFICER: "Asha Menon",
  SELLER_GRIEVANCE_EMAIL: "asha@acme.test",
  MAIL_FROM: "Acme <store@acme.test>",
  OPERATOR_EMAIL: "desk@acme.test",
  BRIO_URL: "https://brio.acme.test/start",
};
const liveBrand = { name: "Acme", phones: [{ sales: "+91 80 4718 2201" }], supportEmail: "help@acme.test" };
const left = (settings: typeof live, identity: unknown = liveBrand) =>
  findExampleValuesInUse(settings, readEnv(settings), identity);

test.each([
  "support@hubs.example",
  "https://www.hubs.example/contact",
  "Hubs <store@example.com>",
  "https://brio.example/start",
  "+91 00000 00101",
  "+1 212 555 0101",
  "00-0000000",
  exampleSeller.SELLER_NAME,
  exampleSeller.SELLER_GRIEVANCE_OFFICER,
])("finds that %s is an example", (text) => expect(isExample(text)).toBe(true));

test.each([
  "help@examples.in",
  "For example, Ltd.",
  "+91 80 4718 2200",
  "+1 415 700 0199",
  "Road 100000, Pune",
  "27AAPFU0939F1ZV",
  "997331",
])("accepts %s", (text) => expect(isExample(text)).toBe(false));

test("accepts a store without examples", () => {
  expect(left(live)).toEqual([]);
});

test("reports each remaining example, in a fixed order", () => {
  const settings = {
    SELLER_PHONE_US: "+1 212 555 0102",
    ...live,
    SELLER_GRIEVANCE_EMAIL: "a@b.example",
    SELLER_PHONE: "+91 00000 00101",
    BRIO_URL: undefined,
  };
  const said = "is an example value; replace it before going live";
  expect(left(settings)).toEqual([
    `SELLER_PHONE: ${said}`,
    `SELLER_PHONE_US: ${said}`,
    `SELLER_GRIEVANCE_EMAIL: ${said}`,
    `BRIO_URL: ${said}`,
  ]);
});

test("demands a tax number for a country's own seller", () => {
  const own = { SELLER_NAME_US: "Acme Incorporated", SELLER_ADDRESS_US: "548 Market Street" };
  expect(left({ ...live, ...own })).toEqual(["SELLER_EIN_US: missing"]);
  expect(left({ ...live, ...own, SELLER_EIN_US: "12-3456789" })).toEqual([]);
});

test("finds the examples in this repository's brand", () => {
  const named = examplesIn(brand, "");
  expect(named).toEqual(
    expect.arrayContaining([
      "supportEmail",
      "whatsApp",
      "phones.0.sales",
      "phones.1.billing",
      "social.0.url",
    ]),
  );
  expect(left(live, brand)).toEqual(named.map((path) => `server/foundation/brand.ts: ${path} is an example`));
});

test("refuses examples on a public address, and accepts them on this machine", () => {
  const address = { PUBLIC_URL: "https://store.acme.test", OUTLOOK_ISSUER: "https://login.acme.test" };
  expect(() => readEnv({ ...sandbox, ...address })).toThrow(
    /SELLER_NAME: is an example[\s\S]*SELLER_PHONE: is an example[\s\S]*SELLER_GRIEVANCE_OFFICER: is an example[\s\S]*MAIL_FROM: is an example[\s\S]*server\/foundation\/brand\.ts: supportEmail is an example/,
  );
  expect(() => readEnv(sandbox)).not.toThrow();
});
