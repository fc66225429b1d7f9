/**
 * Partner Center, as the store uses it: in the integration sandbox with credentials, else in ours. Creates a customer, buys one
 * licence for a month, cancels it, and deletes the customer; nothing is billed there.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { endsWithTerm } from "#server/integrations/partner-center/subscriptions.ts";
import type { NewCustomer, PartnerSubscription } from "#server/integrations/partner-center.ts";
import { documentedLines, fieldsRead, readLines } from "./bill-lines.ts";
import { partnerCenterOf } from "./clients.ts";
import { differencesFrom, recordExchanges } from "./exchanges.ts";
import { fixturesOf, missingIn } from "./fixtures.ts";
import { partnerCenterReads } from "./reads.ts";
import { runId, startSide } from "./test-target.ts";

const side = await startSide("partner-center");
const { partnerCenter, api } = await partnerCenterOf(side);
const exchanges = recordExchanges();

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const domain = `hubscontract${runId}.onmicrosoft.com`;
/** A domain in use: Microsoft's own, and in our sandbox any name with this prefix. */
const takenDomain = side.sandbox === null ? "microsoft.onmicrosoft.com" : "taken-one.onmicrosoft.com";
/** Sold by the month. */
const plan = { product: "Microsoft 365 Business Basic", country: "IN", term: "P1M" } as const;
/** Orders take a while; our sandbox's clock can be moved. */
const timeoutMs = 20 * 60_000;
const pollMs = side.sandbox === null ? 15_000 : 50;
const address = {
  addressLine1: "1 MG Road",
  city: "Bengaluru",
  state: "KA",
  postalCode: "560001",
  country: "IN",
};
const newCustomer: NewCustomer = {
  domain,
  organizationRegistrationNumber: "AABCB1234C",
  email: "contract@example.com",
  culture: "en-IN",
  language: "en",
  companyName: `Contract ${runId} Private Limited`,
  address: { ...address, firstName: "Asha", lastName: "Rao", phoneNumber: "9999999999" },
};
/** Set by the first tests of the suite. */
let tenantId = "";
let subscriptionId = "";

afterAll(async () => {
  if (tenantId === "") return;
  // A customer with an active subscription cannot be deleted.
  for (const held of await partnerCenter.listSubscriptions(tenantId))
    if (held.status === "active")
      await partnerCenter.updateSubscription(tenantId, held, { status: "deleted" }, randomUUID());
  const { status } = await api({ method: "DELETE", path: `/v1/customers/${tenantId}` });
  process.stdout.write(`contract of partner-center: deleting ${domain} was answered with ${status}\n`);
  expect(status).toBe(204);
});

async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(pollMs)) {
    const found = await ask();
    if (found !== null) return found;
  }
  throw new Error("It does not come");
}

const read = (): Promise<PartnerSubscription> => partnerCenter.getSubscription(tenantId, subscriptionId);

describe.sequential(`Partner Center, against ${side.against}`, { timeout: timeoutMs }, () => {
  test("reports whether a domain is free or taken", async () => {
    expect(await partnerCenter.isDomainAvailable(domain)).toBe(true);
    expect(await partnerCenter.isDomainAvailable(takenDomain)).toBe(false);
  });

  test("does not recognise an unknown customer", async () => {
    expect(await partnerCenter.getRelationship(randomUUID())).toBe("none");
    expect(exchanges.at(-1)).toMatchObject({ status: 404 });
  });

  test("requires a registration number in India but not in the USA, verifies an address", async () => {
    expect(await partnerCenter.countryRules("IN")).toMatchObject({ takesRegistrationNumber: true });
    expect(await partnerCenter.countryRules("US")).toMatchObject({ takesRegistrationNumber: false });
    expect(["verified", "unsure"]).toContain((await partnerCenter.checkAddress(address)).status);
  });

  test.each([
    ["600049", { organizationRegistrationNumber: undefined }],
    ["600050", { organizationRegistrationNumber: "12345" }],
    ["600051", { address: { ...newCustomer.address, phoneNumber: "" } }],
  ])("refuses a customer with %s for %j", async (code, wrong) => {
    await expect(
      partnerCenter.createCustomer({ ...newCustomer, ...wrong }, randomUUID()),
    ).rejects.toMatchObject({ kind: "refused", code });
  });

  test("creates a customer once per request id, and returns its administrator", async () => {
    const requestId = randomUUID();
    const made = await partnerCenter.createCustomer(newCustomer, requestId);
    tenantId = made.tenantId;
    expect(made).toMatchObject({ domain, tenantId: expect.stringMatching(guid) });
    expect([made.adminUserName, made.adminPassword]).not.toContain("");
    expect((await partnerCenter.createCustomer(newCustomer, requestId)).tenantId).toBe(tenantId);
    await until(async () => ((await partnerCenter.getRelationship(tenantId)) === "reseller" ? true : null));
    expect(await until(() => partnerCenter.findCustomerByDomain(domain))).toEqual({ tenantId });
  });

  test("repeats the version and ids of every call in its response", () => {
    const calls = exchanges.filter(({ path, method }) => path.includes("/v1/") && method !== "HEAD");
    expect(calls.length).toBeGreaterThan(8);
    for (const { sent, got } of calls) {
      expect(sent.get("ms-contract-version")).toBe("v1");
      expect(sent.get("ms-correlationid")).toMatch(guid);
      // Where one of Microsoft's proxies repeats the header, the value occurs twice.
      expect(got.get("ms-requestid")).toContain(sent.get("ms-requestid"));
    }
  });

  test("accepts the agreement in force, also repeatedly", async () => {
    const { version } = await partnerCenter.currentAgreement();
    expect(await partnerCenter.agreementDocument(version, "IN")).toMatch(/^https?:/);
    const accepted = {
      contact: { firstName: "Asha", lastName: "Rao", email: "a@example.com", phoneNumber: "9999999999" },
      templateId: version,
      dateAgreed: new Date(),
    };
    await partnerCenter.ensureAgreement(tenantId, accepted, randomUUID());
    await partnerCenter.ensureAgreement(tenantId, accepted, randomUUID());
  });

  test("creates a user who becomes the customer's administrator", async () => {
    const user = {
      usageLocation: "IN",
      userPrincipalName: `asha@${domain}`,
      firstName: "Asha",
      lastName: "Rao",
      displayName: "Asha Rao",
      password: `Chosen-${randomUUID()}`,
      forceChangePassword: false,
    };
    expect(await partnerCenter.createUser(tenantId, user, randomUUID())).toMatchObject({
      outcome: "created",
    });
    expect(await partnerCenter.createUser(tenantId, user, randomUUID())).toEqual({ outcome: "exists" });
    const { userId } = await until(() => partnerCenter.findUser(tenantId, user.userPrincipalName));
    await partnerCenter.setUserPassword(tenantId, userId, `Another-${randomUUID()}`, randomUUID());
    for (let times = 0; times < 2; times += 1)
      await partnerCenter.assignAdminRole(tenantId, { ...user, userId }, randomUUID());
  });

  test("refuses an unsold item with its code", async () => {
    await expect(partnerCenter.listSkus("CFQ7TTC0NONE", "IN")).rejects.toMatchObject({
      kind: "refused",
      code: "400013",
    });
  });

  test("orders a cart once, and names the subscription in the order", async () => {
    const products = await partnerCenter.listProducts(plan.country);
    const product = products.find(({ title }) => title === plan.product);
    const [sku] = await partnerCenter.listSkus(product?.id ?? "none", plan.country);
    const { catalogItemId } = await partnerCenter.findAvailability(
      product?.id ?? "none",
      sku?.id ?? "none",
      plan.country,
      plan.term,
    );
    const line = { catalogItemId, quantity: 1, billingCycle: "monthly", termDuration: plan.term } as const;
    const cart = await partnerCenter.createCart(tenantId, [line], randomUUID());
    const days = (cart.expiresAt.getTime() - cart.createdAt.getTime()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    const bought = await partnerCenter.checkoutCart(tenantId, cart.cartId, randomUUID());
    if (bought.outcome !== "ordered") throw new Error("It was bought before");
    const orderId = bought.order.id;
    if (side.sandbox !== null) side.sandbox.sandbox.clockOffset = 60_000;
    subscriptionId = await until(async () => {
      const order = await partnerCenter.getOrder(tenantId, orderId).catch((error: { kind?: unknown }) => {
        if (error.kind === "transient") return null;
        throw error;
      });
      return order?.lineItems[0]?.subscriptionId ?? null;
    });
    // A repeat returns the first order or a refusal without one: never a second order.
    await partnerCenter.checkoutCart(tenantId, cart.cartId, randomUUID()).then(
      (again) => {
        if (again.outcome === "ordered") expect(again.order.id).toBe(orderId);
      },
      (error: unknown) => expect(error).toMatchObject({ kind: "transient", code: "800064" }),
    );
    expect(await partnerCenter.listOrders(tenantId)).toHaveLength(1);
  });

  test("returns a subscription's term and dates, and requires its newest etag", async () => {
    const first = await until(() => read().catch(() => null));
    expect(first).toMatchObject({ status: "active", quantity: 1, termDuration: plan.term });
    for (const date of [first.commitmentEndDate, first.effectiveStartDate])
      expect(Date.parse(date ?? "")).not.toBeNaN();
    expect(first.attributes?.etag).toEqual(expect.any(String));
    const changed = await partnerCenter.updateSubscription(tenantId, first, { quantity: 2 }, randomUUID());
    expect(["updated", "pending"]).toContain(changed.outcome);
    const second = await until(async () => {
      const now = await read();
      return now.quantity === 2 ? now : null;
    });
    await expect(
      partnerCenter.updateSubscription(tenantId, first, { quantity: 3 }, randomUUID()),
    ).rejects.toMatchObject({ kind: "transient", code: "2055" });
    await partnerCenter.updateSubscription(
      tenantId,
      second,
      { endOfTerm: { is: "cancelled" } },
      randomUUID(),
    );
    await until(async () => (endsWithTerm(await read()) ? true : null));
  });

  test("cancels a subscription within days of its purchase", async () => {
    const held = await read();
    expect(Date.parse(held.cancellationAllowedUntilDate ?? "")).toBeGreaterThan(Date.now());
    await partnerCenter.updateSubscription(tenantId, held, { status: "deleted" }, randomUUID());
    await until(async () => ((await read()).status === "deleted" ? true : null));
  });

  test("lists the events of changes and tests", async () => {
    const events = await partnerCenter.listNoticeEvents();
    expect(events).toEqual(expect.arrayContaining(["subscription-updated", "test-created"]));
    const registration = await partnerCenter.findNoticeRegistration();
    if (registration !== null) expect(registration.url).toMatch(/^http/);
  });

  // The integration sandbox creates no bills.
  test.skipIf(side.sandbox === null)(
    "publishes a bill after its month, with the documented lines",
    async () => {
      if (side.sandbox === null) return;
      const { sandbox } = side.sandbox;
      sandbox.clockOffset = 40 * 86_400_000;
      sandbox.delayScale = 0.01;
      const bills = await partnerCenter.listInvoices();
      expect(bills).toContainEqual({ id: expect.any(String), month: new Date().toISOString().slice(0, 7) });
      const operation = await partnerCenter.beginExport(bills[0]?.id ?? "");
      expect(exchanges.at(-1)).toMatchObject({ status: 202 });
      expect(exchanges.at(-1)?.got.get("location")).toMatch(
        /\/reports\/partners\/billing\/operations\/[^/]+$/,
      );
      let running = 0;
      const file = await until(async () => {
        const ready = await partnerCenter.readExport(operation);
        if (ready === null) running += 1;
        return ready;
      });
      expect(running).toBeGreaterThan(0);
      let text = "";
      for await (const piece of file) text += piece;
      const lines = text
        .split("\n")
        .filter((line) => line !== "")
        .map((line): unknown => JSON.parse(line));
      // Bought and increased, followed by what every bill has: a converted trial and a trace of usage.
      const read = await readLines(lines);
      expect(read.slice(0, 2).map(({ kind }) => kind)).toEqual(["term", "seats"]);
      expect(read).toHaveLength(4);
      for (const documented of documentedLines)
        for (const line of lines)
          expect(missingIn(line, documented, new Set(await fieldsRead(documented)))).toEqual([]);
    },
  );

  test.skipIf(side.sandbox === null)("explains a failed export", async () => {
    side.sandbox?.setFaults([{ match: { path: "/billing/operations/" }, kind: "operationError" }]);
    const [bill] = await partnerCenter.listInvoices();
    const operation = await partnerCenter.beginExport(bill?.id ?? "");
    await expect(partnerCenter.readExport(operation)).rejects.toMatchObject({
      kind: "refused",
      code: "5000",
    });
    side.sandbox?.setFaults([]);
  });

  const ofBills = /^(list-invoices|export-|bill-files)/;
  const seen = fixturesOf("partner-center")
    // Our sandbox's bills have the newer format, which includes their period.
    .filter(({ name }) => name !== "bill-files-earlier" && name !== "list-invoices-without-period")
    .filter(({ name }) => side.sandbox !== null || !ofBills.test(name));
  test.each(seen)("$name has the documented shape", async (fixture) => {
    const call = async () => partnerCenterReads[fixture.name]?.(partnerCenter);
    expect(await differencesFrom(exchanges, fixture, call)).toEqual([]);
  });
});
