/**
 * Settings of each country's partner account, payment account and seller: complete or absent, with advice for settings of old
 * versions.
 */
import { expect, test } from "vitest";
import { createSecrets, sandboxEnvironment } from "#sandbox/local/environment.ts";
import { countryCodes } from "#server/foundation/countries/registry.ts";
import { readEnv } from "#server/platform/env.ts";
import {
  eInvoiceSettingsOf,
  partnerSettingsOf,
  razorpaySettings,
  razorpaySettingsOf,
} from "#server/platform/settings/accounts.ts";

const whole: Record<string, string | undefined> = sandboxEnvironment({
  port: 3000,
  sandboxPort: 3100,
  smtpPort: 3101,
  databaseUrl: "postgres://postgres@127.0.0.1:5432/postgres",
  dataDir: ".data",
  secrets: createSecrets(),
});
const [first, ...others] = countryCodes;

function without(...names: string[]) {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));
}
const allNames = countryCodes.flatMap((country) => Object.values(partnerSettingsOf(country)));

test("reads a separate partner account for each country", () => {
  const { partnerAccounts } = readEnv(whole);
  expect([...partnerAccounts.keys()]).toEqual(countryCodes);
  const all = [...partnerAccounts.values()];
  for (const part of ["tenant", "clientId", "clientSecret"] as const)
    expect(new Set(all.map((account) => account[part])).size).toBe(all.length);
});

test("accepts a country without its account settings, but not with some of them", () => {
  const names = Object.values(partnerSettingsOf(first ?? "IN"));
  expect([...readEnv(without(...names)).partnerAccounts.keys()]).toEqual(others);
  const empty = { ...whole, ...Object.fromEntries(names.map((name) => [name, ""])) };
  expect([...readEnv(empty).partnerAccounts.keys()]).toEqual(others);
  for (const name of names) expect(() => readEnv(without(name))).toThrow(`${name}: is missing`);
});

test("refuses old names without the new ones, and ignores them next to the new ones", () => {
  const old = { PARTNER_TENANT: "t", PARTNER_CLIENT_ID: "c", PARTNER_CLIENT_SECRET: "s" };
  const { tenant } = partnerSettingsOf(first ?? "IN");
  expect(() => readEnv({ ...without(...allNames), ...old })).toThrow(
    `PARTNER_TENANT: is given for each country now, as ${tenant}`,
  );
  expect(readEnv({ ...whole, ...old }).partnerAccounts.size).toBe(countryCodes.length);
  expect(readEnv(without(...allNames)).partnerAccounts.size).toBe(0);
});

test("refuses a published example as a country's secret in production", () => {
  const { clientSecret } = partnerSettingsOf(first ?? "IN");
  const live = { ...whole, PUBLIC_URL: "https://store.example", OUTLOOK_ISSUER: "https://login.example" };
  expect(() => readEnv({ ...live, [clientSecret]: "change-me" })).toThrow(`${clientSecret}: is a published`);
});

const paymentNames = countryCodes.flatMap((country) => Object.values(razorpaySettingsOf(country)));
const old = { RAZORPAY_KEY_ID: "id", RAZORPAY_KEY_SECRET: "key", RAZORPAY_WEBHOOK_SECRET: "hook" };

test("reads a separate payment account for each country", () => {
  const { razorpayAccounts } = readEnv(whole);
  expect([...razorpayAccounts.keys()]).toEqual(countryCodes);
  const all = [...razorpayAccounts.values()];
  for (const part of ["keyId", "keySecret", "webhookSecret"] as const)
    expect(new Set(all.map((account) => account[part])).size).toBe(all.length);
});

test("accepts countries without a payment account, but needs one complete account", () => {
  const names = Object.values(razorpaySettingsOf(first ?? "IN"));
  expect([...readEnv(without(...names)).razorpayAccounts.keys()]).toEqual(others);
  for (const name of names) expect(() => readEnv(without(name))).toThrow(`${name}: is missing`);
  expect(() => readEnv(without(...paymentNames))).toThrow("at least one country needs an account");
});

test("accepts old payment settings only next to new ones, for earlier payments", () => {
  const { keyId } = razorpaySettingsOf(first ?? "IN");
  expect(() => readEnv({ ...without(...paymentNames), ...old })).toThrow(
    `RAZORPAY_KEY_ID: is given for each country now, as ${keyId}`,
  );
  expect(readEnv({ ...whole, ...old }).razorpayAccounts.get(null)).toEqual({
    keyId: "id",
    keySecret: "key",
    webhookSecret: "hook",
  });
  for (const name of Object.values(razorpaySettings))
    expect(() => readEnv({ ...whole, ...old, [name]: "" })).toThrow(`${name}: is missing`);
});

const sellers = Object.keys(whole).filter((name) => name.startsWith("SELLER_") && name !== "SELLER_SAC");
const company = {
  SELLER_NAME: "Acme Resale",
  SELLER_ADDRESS: "1 High Street, Pune 411001",
  SELLER_GSTIN: "29AABCH9876K1ZR",
  SELLER_PHONE: "+91 80 4718 2200",
  SELLER_GRIEVANCE_OFFICER: "Asha Menon",
  SELLER_GRIEVANCE_EMAIL: "asha@acme.test",
};

test("reads a country's own seller, or else the shared one", () => {
  const own = { SELLER_NAME_US: "Acme Incorporated", SELLER_ADDRESS_US: "548 Market Street" };
  const read = readEnv({ ...without(...sellers), ...company, ...own }).sellers;
  expect(read.get("IN")).toEqual({
    name: "Acme Resale",
    address: "1 High Street, Pune 411001",
    gstin: "29AABCH9876K1ZR",
    ein: null,
    letters: [],
    signatory: "Authorised signatory",
    phone: "+91 80 4718 2200",
    supportHours: "24/7",
    grievanceOfficer: "Asha Menon",
    grievanceEmail: "asha@acme.test",
  });
  expect(read.get("US")).toMatchObject({ name: "Acme Incorporated", gstin: null });
  expect(readEnv({ ...without(...sellers), ...company }).sellers.get("US")).toMatchObject({
    name: "Acme Resale",
  });
});

test("refuses a country without a complete seller, or with GST and no GSTIN", () => {
  const from = (settings: Record<string, string>) => () => readEnv({ ...without(...sellers), ...settings });
  expect(from({})).toThrow(/SELLER_NAME: missing\n.*SELLER_ADDRESS: missing\n.*SELLER_GSTIN: missing/);
  expect(from({ ...company, SELLER_NAME_US: "Acme Incorporated" })).toThrow("SELLER_ADDRESS_US: missing");
  expect(from({ ...company, SELLER_NAME_IN: "Acme India", SELLER_ADDRESS_IN: "Pune 411001" })).toThrow(
    "SELLER_GSTIN_IN: missing",
  );
  expect(from({ ...company, SELLER_GSTIN: "29AABCH9876K1Z" })).toThrow("SELLER_GSTIN: must be a GSTIN");
  expect(from({ ...company, SELLER_GRIEVANCE_EMAIL: "asha" })).toThrow(
    "SELLER_GRIEVANCE_EMAIL: must be an email address",
  );
  for (const name of ["SELLER_PHONE", "SELLER_GRIEVANCE_OFFICER", "SELLER_GRIEVANCE_EMAIL"])
    expect(from({ ...company, [name]: "" })).toThrow(`${name}: missing`);
});

test("uses the shared contact details unless a country has its own", () => {
  const own = { SELLER_PHONE_US: "+1 415 700 2200", SELLER_SUPPORT_HOURS_US: "9 to 5", SELLER_EIN: "12-3" };
  const { sellers: read } = readEnv({ ...without(...sellers), ...company, ...own });
  expect(read.get("IN")).toMatchObject({ phone: "+91 80 4718 2200", supportHours: "24/7", ein: "12-3" });
  expect(read.get("US")).toMatchObject({
    phone: "+1 415 700 2200",
    supportHours: "9 to 5",
    grievanceOfficer: "Asha Menon",
  });
});

test("reads letters of undertaking by year, and refuses anything else", () => {
  const read = (letters: string) => readEnv({ ...whole, SELLER_LUT: letters }).sellers.get("IN")?.letters;
  expect(read("2026-27 AD290326000103V; 2027-28 AD290327000104U;")).toEqual([
    { year: "2026-27", number: "AD290326000103V" },
    { year: "2027-28", number: "AD290327000104U" },
  ]);
  expect(read("")).toEqual([]);
  for (const wrong of ["AD290326000103V", "2026-28 AD290326000103V", "2026-27", "2026-27 AD2903 26"])
    expect(() => read(wrong)).toThrow("SELLER_LUT: must be like");
});

test("demands an export rate for a country to which a seller with a GSTIN exports", () => {
  const shared = { ...without(...sellers), ...company };
  expect(() => readEnv({ ...shared, EXPORT_RATES: "" })).toThrow("EXPORT_RATES: USD is missing");
  expect(readEnv({ ...shared, EXPORT_RATES: "USD 84.5" }).EXPORT_RATES).toEqual(new Map([["USD", 845_000]]));
  for (const wrong of ["84.5", "USD 0", "EUR 90", "USD -1"])
    expect(() => readEnv({ ...shared, EXPORT_RATES: wrong })).toThrow("EXPORT_RATES: must be a currency");
  // A country with its own seller needs no rate, nor does a country that is not open.
  expect(readEnv({ ...whole, EXPORT_RATES: "" }).EXPORT_RATES.size).toBe(0);
  const closed = Object.values(razorpaySettingsOf("US"));
  const notOpen = { ...without(...sellers, ...closed), ...company, EXPORT_RATES: "" };
  expect(readEnv(notOpen).EXPORT_RATES.size).toBe(0);
});

test("demands all four settings, https and a pincode to register documents", () => {
  const settings = Object.values(eInvoiceSettingsOf("IN"));
  expect([...readEnv(whole).eInvoiceAccounts.keys()]).toEqual(["IN"]);
  expect(readEnv(without(...settings)).eInvoiceAccounts.size).toBe(0);
  for (const name of settings) expect(() => readEnv({ ...whole, [name]: "" })).toThrow(`${name}: is missing`);
  expect(() => readEnv({ ...whole, EINVOICE_URL_IN: "http://gsp.example" })).toThrow(
    "EINVOICE_URL_IN: must be an https address",
  );
  expect(() => readEnv({ ...whole, SELLER_ADDRESS: "1 High Street; Pune" })).toThrow("has no pincode");
});
