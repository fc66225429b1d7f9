/**
 * Purchases of existing customers over HTTP: only into their own tenants and bases, with no more add-on seats than base seats.
 */
import { describe, expect, test } from "vitest";
import { newId, type SubscriptionId, type TenantId } from "#db/ids.ts";
import { createSubscriptionFor, makeCustomer } from "#tests/support/customer.ts";
import { expectNoWrites } from "#tests/support/digest.ts";
import { type HttpBrowser, hiddenFieldValue } from "#tests/support/http-browser.ts";
import { placeOrder, returnForm } from "#tests/support/journey.ts";
import { join, makeCompany, makePerson, signedIn } from "#tests/support/orders.ts";
import { freshPrefix } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();

const standard = "/contract/microsoft/microsoft-365-business-standard/IN?TUP=true";
const addOn = "/subscription/addon";
const baseNeeded = "You must have base product for purchasing copilot for Microsoft 365";

/** Creates a company in Karnataka with one Microsoft tenant and a base plan of `seats` seats. */
async function customerWith(seats: number) {
  const customer = await makeCustomer(context.db);
  const held = await createSubscriptionFor(context.db, customer, { quantity: seats, endsInDays: 365 });
  const browser = await signedIn(context, stack.url, customer.owner);
  const { owner, customerId } = customer;
  const { id: baseId, domain, tenantId } = held;
  return { customer, held, owner, customerId, tenantId: tenantId ?? "", domain, baseId, browser };
}

const details = (destination: string, quantity: number) => ({
  term: "P1Y",
  quantity: String(quantity),
  destination,
});

/** @returns the order's address, without the step */
async function begin(browser: HttpBrowser, path: string, form: Record<string, string>): Promise<string> {
  const answer = await browser.post(path, form);
  expect(answer.status, answer.text).toBe(303);
  return (answer.location ?? "").replace(/\/place-order$/, "");
}

async function reviewed(browser: HttpBrowser, path: string) {
  const page = await browser.get(`${path}/place-order`);
  return { path, totalMinor: Number(hiddenFieldValue(page.text, "total")) };
}

async function payFor(browser: HttpBrowser, path: string): Promise<string | null> {
  await placeOrder(browser, await reviewed(browser, path));
  const providerOrderId = hiddenFieldValue((await browser.get(`${path}/place-order`)).text, "order_id");
  const paid = await controls.pay({ orderId: providerOrderId, webhook: false });
  return (await browser.post("/payments/return", returnForm(providerOrderId, paid))).location;
}

describe("a further subscription", () => {
  test("uses the company's address, and waits at Place Order until it is fulfilled", async () => {
    const { browser, tenantId, domain } = await customerWith(3);
    const path = await begin(browser, standard, details(tenantId, 2));
    expect(path).toMatch(/^\/contract\/[0-9a-f-]{36}\/microsoft$/);
    const page = await browser.get(`${path}/place-order`);
    expect(page.text).toContain("1 Saved Street");
    expect(page.text).toContain(domain);
    expect(await payFor(browser, path)).toBe(`${path}/place-order`);
    const waiting = await browser.get(`${path}/place-order`);
    expect(waiting.text).toContain("We are adding product to your account. This may take a minute.");
    // After payment, earlier steps and steps of other journeys redirect.
    for (const step of ["subscription-details", "sign-in", "order-processed"]) {
      expect((await browser.get(`${path}/${step}`)).location).toBe(`${path}/place-order`);
    }
  });

  test("refuses a new tenant with an address unknown to Microsoft, before payment", async () => {
    const { browser, customerId, tenantId } = await customerWith(3);
    await context.db
      .updateTable("addresses")
      .set({ add1: "Nowhere 1" })
      .where("customer_id", "=", customerId)
      .execute();
    const inNewTenant = { ...details("new", 2), username: "admin", prefix: freshPrefix() };
    await expectNoWrites(context.db, async () => {
      const answer = await browser.post(standard, inNewTenant);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("Microsoft can&#x27;t find this address. Check the building and street.");
    });
    // An existing tenant has its own address at Microsoft.
    await begin(browser, standard, details(tenantId, 2));
  });

  test("refuses another company's tenant", async () => {
    const { browser } = await customerWith(3);
    const other = await customerWith(3);
    await expectNoWrites(context.db, async () => {
      for (const destination of [other.tenantId, newId<TenantId>(), other.baseId]) {
        const answer = await browser.post(standard, details(destination, 2));
        expect(answer.status).toBe(400);
        expect(answer.text).toContain("Please choose where to add the subscription.");
      }
    });
  });

  test("refuses another company's address", async () => {
    const { browser, tenantId } = await customerWith(3);
    const other = await customerWith(3);
    const { id: address } = await context.db
      .selectFrom("addresses")
      .select("id")
      .where("customer_id", "=", other.customerId)
      .executeTakeFirstOrThrow();
    await expectNoWrites(context.db, async () => {
      const answer = await browser.post(standard, { ...details(tenantId, 2), address });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("Please choose one of your company&#x27;s addresses.");
    });
  });

  test("refuses viewers, and responds 404 to another company", async () => {
    const company = await customerWith(3);
    const viewer = await makePerson(context.db);
    await join(context.db, company.customerId, viewer, "viewer");
    const looking = await signedIn(context, stack.url, viewer);
    await expectNoWrites(context.db, async () => {
      expect((await looking.post(standard, details(company.tenantId, 2))).status).toBe(403);
      expect((await looking.post(addOn, details(company.baseId, 2))).status).toBe(403);
    });
    const path = await begin(company.browser, standard, details(company.tenantId, 2));
    const { browser: stranger } = await customerWith(1);
    for (const address of [path, `${path}/place-order`, path.replace(/\/microsoft$/, "")]) {
      expect((await stranger.get(address)).status).toBe(404);
    }
    expect((await stranger.post(`${path}/subscription-details`, details(company.tenantId, 9))).status).toBe(
      404,
    );
  });

  test("redirects addresses of other order kinds to its own", async () => {
    const { browser, tenantId, baseId } = await customerWith(3);
    const path = await begin(browser, standard, details(tenantId, 2));
    const id = path.split("/")[2] ?? "";
    for (const wrong of [
      `/contract/${id}/google/place-order`,
      `/subscription/addon/${id}/place-order`,
      `/order/${id}/microsoft/microsoft-365-business-standard/IN/create-account`,
    ]) {
      expect((await browser.get(wrong)).location).toBe(`${path}/place-order`);
    }
    const added = await begin(browser, addOn, details(baseId, 1));
    expect((await browser.get(`/contract/${added.split("/").at(-1)}/microsoft/place-order`)).location).toBe(
      `${added}/place-order`,
    );
  });
});

describe("an add-on", () => {
  test("requires a base, regardless of the address", async () => {
    const { db } = context;
    const owner = await makePerson(db);
    await makeCompany(db, owner);
    const browser = await signedIn(context, stack.url, owner);
    await expectNoWrites(context.db, async () => {
      for (const path of [addOn, `${addOn}?sku_id=MS-COPILOT:0002`]) {
        expect((await browser.get(path)).location).toBe("/home");
        expect((await browser.post(path, details(newId<SubscriptionId>(), 1))).location).toBe("/home");
      }
      expect((await browser.get("/order/microsoft/copilot-for-microsoft-365/IN")).location).toMatch(
        /^\/subscription\/addon/,
      );
    });
    await browser.get(addOn);
    expect((await browser.get("/home")).text).toContain(baseNeeded);
  });

  test("refuses another company's base, an expired one, or a tenant", async () => {
    const { browser, tenantId, customer, held } = await customerWith(3);
    const other = await customerWith(3);
    const { id: expired } = await createSubscriptionFor(context.db, customer, {
      quantity: 3,
      endsInDays: -1,
      parent: held,
    });
    await expectNoWrites(context.db, async () => {
      for (const destination of [other.baseId, expired, tenantId]) {
        const answer = await browser.post(addOn, details(destination, 1));
        expect(answer.status).toBe(400);
        expect(answer.text).toContain("Please choose the subscription to add it to.");
      }
    });
  });

  test("limits two orders that exceed the base only together: one can be paid", async () => {
    const { browser, baseId, owner } = await customerWith(5);
    const colleague = await signedIn(context, stack.url, owner);
    const first = await begin(browser, addOn, details(baseId, 3));
    // A draft of the last hour would be reused.
    await context.db
      .updateTable("orders")
      .set({ created_at: new Date(Date.now() - 2 * 3_600_000) })
      .where("parent_subscription_id", "=", baseId)
      .execute();
    const second = await begin(colleague, addOn, details(baseId, 3));
    expect(second).not.toBe(first);
    expect(await payFor(browser, first)).toBe(`${first}/place-order`);

    const { totalMinor } = await reviewed(colleague, second);
    const refused = await colleague.post(`${second}/place-order`, {
      intent: "place-order",
      terms: "on",
      total: String(totalMinor),
    });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(
      "<li>Microsoft 365 Business Basic has 5 licenses, 3 of them with Copilot for Microsoft 365 already: you can add up to 2.</li>",
    );
  });

  test("refuses seats that another order is about to pay for, for 30 minutes", async () => {
    const { browser, baseId, owner } = await customerWith(5);
    const colleague = await signedIn(context, stack.url, owner);
    const changeOrdersOfBase = (changes: { created_at: Date } | { terms_accepted_at: Date }) =>
      context.db.updateTable("orders").set(changes).where("parent_subscription_id", "=", baseId).execute();
    const first = await begin(browser, addOn, details(baseId, 3));
    // A draft of the last hour would be reused.
    await changeOrdersOfBase({ created_at: new Date(Date.now() - 2 * 3_600_000) });
    const second = await begin(colleague, addOn, details(baseId, 3));
    await placeOrder(browser, await reviewed(browser, first));

    const { totalMinor } = await reviewed(colleague, second);
    const place = () =>
      colleague.post(`${second}/place-order`, {
        intent: "place-order",
        terms: "on",
        total: String(totalMinor),
      });
    const refused = await place();
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(
      "<li>Microsoft 365 Business Basic has 5 licenses. 3 more are at the checkout in another order: until it is paid, or for 30 minutes, you can add up to 2.</li>",
    );
    await changeOrdersOfBase({ terms_accepted_at: new Date(Date.now() - 31 * 60_000) });
    expect((await place()).status).toBe(303);
  });

  test("refuses payment once its base has expired", async () => {
    const { browser, baseId } = await customerWith(5);
    const path = await begin(browser, addOn, details(baseId, 3));
    await context.db
      .updateTable("subscriptions")
      .set({ status: "expired" })
      .where("id", "=", baseId)
      .execute();
    const { totalMinor } = await reviewed(browser, path);
    const refused = await browser.post(`${path}/place-order`, {
      intent: "place-order",
      terms: "on",
      total: String(totalMinor),
    });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(`<li>${baseNeeded}</li>`);
  });
});
