/** The clients parse the vendors' documented responses, and read the expected fields. */
import { describe, expect, test } from "vitest";
import { ProviderError } from "#server/integrations/errors.ts";
import { endsWithTerm } from "#server/integrations/partner-center/subscriptions.ts";
import { eInvoicesOf, googleOf, gstOf, partnerCenterOf, razorpayOf } from "#tests/contract/clients.ts";
import { fixturesOf, missingIn, readFixture, type Vendor } from "#tests/contract/fixtures.ts";
import { googleReads, gspReads, gstReads, partnerCenterReads, razorpayReads } from "#tests/contract/reads.ts";
import { readSettings } from "#tests/contract/test-target.ts";
import { privateKey } from "./google-support.ts";

const settings = {
  PARTNER_CENTER_URL: "https://partner.test",
  PARTNER_PRICES_URL: "https://prices.test",
  MICROSOFT_LOGIN_URL: "https://login.test",
  GRAPH_URL: "https://graph.test/v1.0",
  PARTNER_TENANT_IN: "hubs.example",
  PARTNER_CLIENT_ID_IN: "client",
  PARTNER_CLIENT_SECRET_IN: "secret",
  PARTNER_REFRESH_TOKEN_IN: "R1",
  GOOGLE_ACCOUNT_ID: "C012345",
  GOOGLE_SERVICE_ACCOUNT_EMAIL: "store@hubs.iam.gserviceaccount.com",
  GOOGLE_PRIVATE_KEY: privateKey,
  GOOGLE_RESELLER_ADMIN: "admin@reseller.example",
  RAZORPAY_KEY_ID_IN: "rzp_test_1",
  RAZORPAY_KEY_SECRET_IN: "secret",
  RAZORPAY_API_URL: "https://razorpay.test/v1",
  GST_API_URL: "https://gst.test",
  GST_CLIENT_ID: "client",
  GST_CLIENT_SECRET: "secret",
  EINVOICE_URL_IN: "https://gsp.test",
  EINVOICE_USER_IN: "user",
  EINVOICE_PASSWORD_IN: "password",
  EINVOICE_KEY_IN: "key",
};
const side = { against: "the test environment", settings, sandbox: null } as const;
const { partnerCenter } = await partnerCenterOf(side);

/** Pairs each fixture with the call whose response it is. */
function prepared<Client>(
  vendor: Vendor,
  client: Client,
  reads: Readonly<Record<string, (client: Client) => Promise<unknown>>>,
) {
  const fixtures = fixturesOf(vendor);
  expect(fixtures.map(({ name }) => name).sort()).toEqual(Object.keys(reads).sort());
  return new Map(
    fixtures.map((fixture) => {
      const read = () =>
        reads[fixture.name]?.(client) ?? Promise.reject(new Error("Expected a call for the fixture"));
      return [fixture.name, { fixture, read }] as const;
    }),
  );
}

const all = {
  "partner-center": prepared("partner-center", partnerCenter, partnerCenterReads),
  google: prepared("google", googleOf(side), googleReads),
  razorpay: prepared("razorpay", razorpayOf(side), razorpayReads),
  gst: prepared("gst", gstOf(side), gstReads),
  gsp: prepared("gsp", eInvoicesOf(side), gspReads),
};
const each = Object.entries(all).flatMap(([vendor, fixtures]) =>
  [...fixtures.values()].map(({ fixture, read }) => ({ vendor, name: fixture.name, fixture, read })),
);

const irn = "5d1f7a0c4be98c2a6e3f90d7b81c24a5936e07f8d2bc41a09e57c63d18fa2b40";
/** 10:15 in India. */
const acknowledgedAt = new Date("2026-11-24T04:45:00Z");

/** Returns what the client parsed from a fixture. */
const readOf = (vendor: Vendor, name: string) => {
  const found = all[vendor].get(name);
  if (found === undefined) throw new Error(`Fixture ${vendor}/${name} not found`);
  return readFixture(found.fixture, found.read);
};

/** Fixtures that report a refusal with status 200. */
const refusedIn200 = new Set(["partner-center/export-failed", "gsp/buyer-not-registered"]);

test.each(each)("reads $vendor/$name", async ({ fixture, read, vendor, name }) => {
  const { error, keys } = await readFixture(fixture, read);
  if (fixture.status < 400 && !refusedIn200.has(`${vendor}/${name}`)) expect(error).toBeNull();
  // A call that only checks existence reads no field.
  if (name !== "unknown-customer" || vendor === "google") expect([...keys]).not.toEqual([]);
});

test.each([
  ["partner-center", "missing-registration-number", { kind: "refused", code: "600049" }],
  ["partner-center", "stale-etag", { kind: "transient", code: "2055" }],
  ["partner-center", "product-gone", { kind: "refused", code: "400013" }],
  ["google", "unknown-customer", { kind: "refused", code: "NOT_FOUND" }],
  ["google", "transfer-token-refused", { kind: "refused", code: "PERMISSION_DENIED" }],
  ["partner-center", "export-failed", { kind: "refused", code: "5000", description: "No data available" }],
  ["gsp", "buyer-not-registered", { kind: "refused", code: "3028" }],
  ["razorpay", "amount-too-small", { kind: "refused", code: "BAD_REQUEST_ERROR" }],
  ["razorpay", "refund-too-large", { kind: "refused", code: "BAD_REQUEST_ERROR" }],
] as const)("parses %s/%s as the refusal %j", async (vendor, name, refusal) => {
  expect((await readOf(vendor, name)).error).toMatchObject(refusal);
});

test.each([
  ["partner-center", "create-customer", { domain: "xyz.ccsctp.net", adminUserName: "admin" }],
  ["partner-center", "list-availabilities", [{ catalogItemId: "CFQ7TTC0LH18:0001:CFQ7TTC0K971" }]],
  ["partner-center", "create-cart", { expiresAt: new Date("2021-08-25T17:30:11.240Z") }],
  ["partner-center", "get-subscription", { quantity: 15, termDuration: "P1Y", productType: {} }],
  ["partner-center", "validate-address", { status: "verified" }],
  ["google", "domain-check", { status: 1, customerCloudIdentityId: "C0abc" }],
  ["google", "get-entitlement", { numUnits: 5, state: "ACTIVE" }],
  ["google", "ended-operation", { state: "done", response: { numUnits: 5 } }],
  ["google", "list-offers", [{ price: { currency: "INR", list: 1632, ours: 1305.6 } }]],
  ["razorpay", "create-order", { amountMinor: 5000, status: "created", receipt: "receipt#1" }],
  ["razorpay", "list-order-payments", [{ status: "failed" }, { status: "captured" }]],
  ["razorpay", "refund-payment", { amountMinor: 500100, status: "processed" }],
  ["razorpay", "list-refunds", [{ receipt: "contract-0001", bankReference: "74000000000000000000001" }]],
  ["razorpay", "create-payment-link", { status: "created", payments: [], referenceId: "contract-0001" }],
  ["razorpay", "get-payment-link", { status: "paid", payments: [{ amountMinor: 50_000, method: "card" }] }],
  ["razorpay", "get-virtual-account", { bank: { number: "2223330000000001", ifsc: "RATN0VAAPIS" } }],
  ["razorpay", "get-bank-transfer", { virtualAccountId: "va_Contract000001", reference: "500000000001" }],
  [
    "razorpay",
    "settled-lines",
    [
      { feeMinor: 1180, taxMinor: 180 },
      { type: "refund", debitMinor: 100 },
    ],
  ],
  ["partner-center", "list-invoices", [{ id: "G000024135", month: "2026-11" }]],
  [
    "partner-center",
    "list-invoices-without-period",
    [
      { id: "D02005YFHI", month: "2026-11" },
      { id: "G000024130", month: "2026-11" },
    ],
  ],
  [
    "google",
    "report-rows",
    [
      { quantity: "5", unit_price: "1305.6", cost: "6528", currency: "INR", charge_start_date: "2026-11-03" },
      { quantity: "2", cost: "-500.25", charge_start_date: "2026-11-20", charge_end_date: "2027-11-03" },
    ],
  ],
  ["google", "report-rows-timed", [{ charge_start_date: "2026-11-20", charge_end_date: "2027-11-03" }]],
  ["gsp", "register", { irn, ackNumber: "112610000000042", acknowledgedAt }],
  ["gsp", "find", { irn, acknowledgedAt }],
  ["gsp", "duplicate", { duplicateOf: irn }],
  ["gst", "active", { found: true, status: "Active", pincode: "781007" }],
  ["gst", "unknown", { found: false }],
] as const)("parses %s/%s as %j", async (vendor, name, value) => {
  expect((await readOf(vendor, name)).value).toMatchObject(value);
});

test.each([
  ["gsp", "no-longer-shown", "hidden"],
  ["gsp", "cancelled-already", undefined],
  ["partner-center", "export-running", null],
  ["google", "run-report", "operations/report-123"],
] as const)("parses %s/%s as %s", async (vendor, name, value) => {
  const { value: read, error } = await readOf(vendor, name);
  expect({ read, error }).toEqual({ read: value, error: null });
});

/** Fixtures, each with a required key that the test removes. */
const broken: readonly (readonly [Vendor, string, string])[] = [
  ["gsp", "register", "success"],
  ["gsp", "register", "result.Irn"],
  ["gsp", "register", "result.AckNo"],
  ["gsp", "register", "result.AckDt"],
  ["gsp", "register", "result.SignedQRCode"],
  ["gsp", "register", "result.SignedInvoice"],
  ["gsp", "find", "result.SignedQRCode"],
  ["gsp", "duplicate", "result.0.Desc.Irn"],
  ["gsp", "cancel", "success"],
  ["partner-center", "list-invoices", "items.0.id"],
  ["partner-center", "list-invoices", "items.0.invoiceDate"],
  ["partner-center", "export-running", "status"],
  ["partner-center", "bill-files", "rootDirectory"],
  ["partner-center", "bill-files", "sasToken"],
  ["partner-center", "bill-files", "dataFormat"],
  ["partner-center", "bill-files", "blobs.0.name"],
  ["google", "list-reports", "reports.0.name"],
  ["google", "list-reports", "reports.0.displayName"],
  ["google", "run-report", "name"],
  ["google", "ended-report", "response.reportJob.name"],
  ["google", "report-rows", "reportMetadata.report.columns.0.columnId"],
  ["google", "report-rows", "rows.0.values.4.moneyValue.currencyCode"],
];
test.each(broken)("refuses %s/%s without %s", async (vendor, name, key) => {
  const found = all[vendor].get(name);
  if (found === undefined) throw new Error(`Fixture ${vendor}/${name} not found`);
  const body: unknown = structuredClone(found.fixture.body);
  const steps = key.split(".");
  const last = steps.pop() ?? "";
  const holder = steps.reduce<unknown>(
    (held, step) => (typeof held === "object" && held !== null ? Reflect.get(held, step) : undefined),
    body,
  );
  if (typeof holder !== "object" || holder === null || !Reflect.deleteProperty(holder, last))
    throw new Error(`Key ${key} not found`);
  const { value, error } = await readFixture({ ...found.fixture, body }, found.read);
  expect(value).toBeNull();
  expect(error).toBeInstanceOf(ProviderError);
});

test("records the fields that a client reads, and no field that it only copies", async () => {
  const { keys } = await readOf("partner-center", "get-subscription");
  expect([...keys]).toEqual(expect.arrayContaining(["id", "attributes.etag", "commitmentEndDate"]));
  expect(keys).not.toContain("productType");
  expect(endsWithTerm({ autoRenewEnabled: false })).toBe(false);
});

test("reports missing fields and other types among the fields that a client reads", () => {
  const documented = { items: [{ id: "a", count: 1, note: null }], more: { on: true } };
  const keys = new Set(["items", "items[].id", "items[].count", "items[].note", "more.on"]);
  expect(missingIn({ items: [{ id: "b", count: 2 }], more: { on: false } }, documented, keys)).toEqual([]);
  expect(missingIn({ items: [{ count: "2" }] }, documented, keys)).toEqual([
    "items[].id is missing, and documented as string",
    "items[].count is string, and documented as number",
    "more.on is missing, and documented as boolean",
  ]);
});

describe("readSettings", () => {
  const razorpay = { CONTRACT_RAZORPAY_KEY_ID_IN: "rzp_test_1", CONTRACT_RAZORPAY_KEY_SECRET_IN: "s" };
  const partner = {
    CONTRACT_PARTNER_CENTER: "integration-sandbox",
    CONTRACT_PARTNER_TENANT_IN: "t",
    CONTRACT_PARTNER_CLIENT_ID_IN: "c",
    CONTRACT_PARTNER_CLIENT_SECRET_IN: "s",
    CONTRACT_PARTNER_REFRESH_TOKEN_IN: "r",
  };

  test("reads the store's setting names with a prefix, and never those without", () => {
    expect(readSettings("razorpay", { RAZORPAY_KEY_ID_IN: "rzp_live_1" })).toBeNull();
    expect(readSettings("razorpay", razorpay)).toMatchObject({ RAZORPAY_KEY_ID_IN: "rzp_test_1" });
    expect(readSettings("partner-center", partner)).toMatchObject({ PARTNER_TENANT_IN: "t" });
  });

  test.each([
    ["razorpay", { ...razorpay, CONTRACT_RAZORPAY_KEY_ID_IN: "rzp_live_1" }, "begin with rzp_test_"],
    ["razorpay", { CONTRACT_RAZORPAY_KEY_ID_IN: "rzp_test_1" }, "CONTRACT_RAZORPAY_KEY_SECRET_IN missing"],
    ["razorpay", { ...razorpay, RAZORPAY_KEY_SECRET_IN: "s" }, "is the store's own"],
    ["partner-center", { ...partner, CONTRACT_PARTNER_CENTER: "yes" }, "integration-sandbox"],
    [
      "gst",
      {
        CONTRACT_GST_CLIENT_ID: "c",
        CONTRACT_GST_CLIENT_SECRET: "s",
        CONTRACT_GST_API_URL: "https://api.cashfree.com",
      },
      "sandbox.",
    ],
    ["google", { CONTRACT_GOOGLE_ACCOUNT_ID: "C0" }, "CONTRACT_GOOGLE, "],
  ] as const)("refuses settings of %s: %j", (vendor, environment, why) => {
    expect(() => readSettings(vendor, environment)).toThrow(why);
  });
});
