/**
 * Cloud Channel and the Directory API, as the store uses them: in Google's test account with credentials, else in our sandbox.
 * Creates a customer with a domain that begins `goog-test.`, which Google does not bill, with one entitlement. Both stay: Google
 * does not let resellers cancel a Workspace plan.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { customerResult, entitlementResult, isTransferTokenRefused } from "#server/integrations/google.ts";
import { googleOf } from "./clients.ts";
import { differencesFrom, recordExchanges } from "./exchanges.ts";
import { fixturesOf } from "./fixtures.ts";
import { googleReads } from "./reads.ts";
import { runId, setting, startSide } from "./test-target.ts";

const side = await startSide("google");
const google = googleOf(side);
const exchanges = recordExchanges();

const account = setting(side, "GOOGLE_ACCOUNT_ID");
const [, resellerDomain = ""] = setting(side, "GOOGLE_RESELLER_ADMIN").split("@");
/** Google's rule for a test account's customers: this prefix, and the reseller's domain as suffix. */
const domain = `goog-test.c${runId}.${resellerDomain}`;
const starter = { product: "Google-Apps", sku: "1010020027" };
const email = `admin@${domain}`;
const timeoutMs = 10 * 60_000;
const pollMs = side.sandbox === null ? 5_000 : 50;

let customer = "";
let entitlement = "";

async function ended<T>(name: string, result: z.ZodType<T>): Promise<T> {
  for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(pollMs)) {
    const operation = await google.getOperation(name, result);
    if (operation.state === "done") return operation.response;
    if (operation.state === "failed") throw operation.error;
  }
  throw new Error(`${name} does not end`);
}

describe.sequential(`Google, against ${side.against}`, { timeout: timeoutMs }, () => {
  test("reports a domain without an account as free", async () => {
    expect(await google.checkDomain(domain)).toMatchObject({ status: 0 });
  });

  test("answers NOT_FOUND for missing resources, and refuses a wrong transfer token", async () => {
    await expect(google.getCustomer(`accounts/${account}/customers/S0none`)).rejects.toMatchObject({
      kind: "refused",
    });
    const moved = { domain: `transfer-${domain}`, authToken: "wrong-token", overwriteIfExists: false };
    const error: unknown = await google.importCustomer(moved).catch((refused: unknown) => refused);
    expect(isTransferTokenRefused(error)).toBe(true);
  });

  test("creates and finds a customer with a Cloud Identity and an administrator", async () => {
    const made = await google.createCustomer({
      domain,
      orgDisplayName: `Contract ${runId}`,
      address: {
        regionCode: "IN",
        postalCode: "560001",
        administrativeArea: "Karnataka",
        locality: "Bengaluru",
        addressLines: ["1 MG Road"],
      },
      contact: { firstName: "Asha", lastName: "Rao", email, phone: "+919999999999" },
      alternateEmail: "contract@example.com",
      languageCode: "en-IN",
    });
    expect(made).toMatchObject({ outcome: "created", domain });
    customer = made.name;
    const operation = await google.provisionCloudIdentity(customer, {
      alternateEmail: "contract@example.com",
      phoneNumber: "+919999999999",
      languageCode: "en-IN",
      user: { email, givenName: "Asha", familyName: "Rao" },
    });
    expect((await ended(operation, customerResult)).cloudIdentityId).toEqual(expect.any(String));
    expect(await google.getCustomer(customer)).toMatchObject({ name: customer, domain });
    expect(await google.findCustomerByDomain(domain)).toMatchObject({ name: customer });
    expect(await google.checkDomain(domain)).toMatchObject({ status: 1, customerName: customer });
  });

  test("gives the administrator a password and the role", async () => {
    const user = { email, givenName: "Asha", familyName: "Rao", password: `Chosen-${randomUUID()}` };
    for (let times = 0; times < 2; times += 1) {
      const { userId } = await google.ensureUser(user);
      await google.makeAdmin(userId);
    }
  });

  test("offers the plan with a yearly commitment and a price", async () => {
    const products = await google.listProducts();
    expect(products.map(({ name }) => name)).toContain(`products/${starter.product}`);
    const skus = await google.listSkus(`products/${starter.product}`);
    expect(skus.map(({ name }) => name)).toContain(`products/${starter.product}/skus/${starter.sku}`);
    const offers = await google.listOffers(starter);
    expect(offers.find(({ paymentPlan }) => paymentPlan === "COMMITMENT")?.price).toBeDefined();
  });

  test("creates an entitlement once per request id, with its seats, term and state", async () => {
    const offer = await google.findOffer(customer, starter, "IN");
    const requestId = randomUUID();
    const wanted = { offer: offer.name, numUnits: 2, purchaseOrderId: `contract-${runId}` };
    const operation = await google.createEntitlement(customer, wanted, requestId);
    const made = await ended(operation, entitlementResult);
    entitlement = made.name;
    expect(made).toMatchObject({ numUnits: 2, purchaseOrderId: wanted.purchaseOrderId });
    const again = await google.createEntitlement(customer, wanted, requestId);
    expect((await ended(again, entitlementResult)).name).toBe(entitlement);
    expect(await google.listEntitlements(customer)).toHaveLength(1);
    const read = await google.getEntitlement(entitlement);
    expect(["ACTIVE", "SUSPENDED"]).toContain(read.state);
    expect(Date.parse(read.commitmentEnd ?? "")).toBeGreaterThan(Date.now());
    expect(read.renewal).toMatchObject({ enableRenewal: false });
  });

  test("adds seats, and does not remove them within the term", async () => {
    const more = await google.changeParameters(entitlement, 3, randomUUID());
    expect((await ended(more, entitlementResult)).numUnits).toBe(3);
    const less = google.changeParameters(entitlement, 1, randomUUID());
    await expect(less.then((name) => ended(name, entitlementResult))).rejects.toMatchObject({
      kind: "refused",
      code: "INVALID_ARGUMENT",
    });
  });

  // A test account is not billed.
  test.skipIf(side.sandbox === null)(
    "runs the report of a month's bills, with a row for each charge",
    async () => {
      if (side.sandbox !== null) side.sandbox.sandbox.clockOffset = 40 * 86_400_000;
      const operation = await google.beginBillReport(new Date().toISOString().slice(0, 7));
      let rows = await google.readBillReport(operation);
      for (let count = 0; rows === null && count < 100; count += 1) {
        await sleep(pollMs);
        rows = await google.readBillReport(operation);
      }
      const row = { entitlement, currency: "INR", unit_price: expect.stringMatching(/^\d+(\.\d+)?$/) };
      expect(rows).toMatchObject([
        { ...row, charge_type: "COMMITMENT_STARTED", quantity: "2" },
        { ...row, charge_type: "SEATS_ADDED", quantity: "1" },
      ]);
    },
  );

  const ofReports = new Set(["list-reports", "run-report", "ended-report", "report-rows"]);
  const seen = fixturesOf("google")
    // Our sandbox's columns are days.
    .filter(({ name }) => name !== "report-rows-timed")
    .filter(({ name }) => side.sandbox !== null || !ofReports.has(name));
  test.each(seen)("$name has the documented shape", async (fixture) => {
    const call = async () => googleReads[fixture.name]?.(google);
    expect(await differencesFrom(exchanges, fixture, call)).toEqual([]);
  });
});
