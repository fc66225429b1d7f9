/** People with one name, one-line addresses, and US addresses: stored, printed, mailed and sent to vendors. */
import { describe, expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { ApiClient, accountPayload } from "#tests/support/api-client.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { accountForm, beginOrder, freshEmail, plan, toCheckout } from "#tests/support/journey.ts";
import { readOrder } from "#tests/support/orders.ts";
import { answerSignInNewTenant, freshPrefix, payFor } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });
const { db } = context;

/**
 * Buys and fulfils a Microsoft plan with the given account. @returns the order, its invoice facts, and the bodies sent to Partner
 * Center
 */
async function bought(account: Record<string, string>, country: "IN" | "US" = "IN") {
  const calls = () =>
    provider.calls(({ method, path }) => method === "POST" && /customers$|agreements$|users$/.test(path));
  const before = (await calls()).length;
  const order = await toCheckout(stack.url, { account, country });
  await payFor(order, stack.sandboxUrl);
  await answerSignInNewTenant(order, { prefix: freshPrefix() });
  await until(
    "the order is processed",
    async () => (await order.browser.get(order.path)).location?.endsWith("/order-processed") === true,
  );
  const { facts } = await db
    .selectFrom("invoices")
    .select("facts")
    .where("order_id", "=", order.id)
    .executeTakeFirstOrThrow();
  const sent = (await calls()).slice(before).map(({ body }) => JSON.stringify(body));
  return { order, facts: JSON.stringify(facts), sent };
}

describe("a buyer with one name and a one-line address", () => {
  test.each(["-", "N/A"])(
    "sees %j on no invoice or mail; the vendor does not get it either",
    async (nothing) => {
      const { order, facts, sent } = await bought({
        firstName: "Suresh",
        lastName: nothing,
        addressLine2: nothing,
      });
      expect((await readOrder(db, order.id)).account).toMatchObject({
        lastName: "",
        addressLine2: "",
      });
      const quoted = JSON.stringify(nothing);
      expect(facts).not.toContain(quoted);
      expect(facts).toContain("221 100 Feet Road");
      expect(sent.length).toBeGreaterThan(1);
      for (const body of sent) expect(body).not.toContain(quoted);
      expect(sent.join()).toContain('"lastName":"Suresh"');
      const invoice = mainContentOf((await order.browser.get(paths.invoice(order.id))).text);
      expect(invoice).not.toMatch(new RegExp(`>\\s*${nothing}\\s*<`));
      for (const mail of await controls.inbox(order.email))
        expect(JSON.stringify(mail)).not.toContain(`Suresh ${nothing}`);
    },
  );

  test("ticks that name, line and number do not exist; none is printed or sent", async () => {
    const { order, facts, sent } = await bought(
      {
        firstName: "Martha",
        lastName: "",
        noLastName: "on",
        addressLine2: "",
        noAddressLine2: "on",
        organisationRegistrationNumber: "",
        noRegistration: "on",
      },
      "US",
    );
    expect((await readOrder(db, order.id)).account).toMatchObject({
      lastName: "",
      addressLine2: "",
      organisationRegistrationNumber: "",
    });
    expect(facts).not.toMatch(/EIN|, ,|""/);
    expect(sent.join()).toContain('"lastName":"Martha"');
    expect(sent.join()).not.toMatch(/"address_?line2":""|"lastName":""/i);
    const invoice = mainContentOf((await order.browser.get(paths.invoice(order.id))).text);
    expect(invoice).not.toMatch(/, ,|>\s*,|EIN/);
    for (const mail of await controls.inbox(order.email)) expect(mail.text).not.toMatch(/, ,|Martha ,/);
  });

  test("gets an error at each empty field without a tick", async () => {
    const browser = new HttpBrowser(stack.url);
    const { path } = await beginOrder(browser, { country: "US" });
    const answer = await browser.post(`${path}/create-account`, {
      ...accountForm(freshEmail(), "US"),
      lastName: "",
      addressLine2: "",
      organisationRegistrationNumber: "",
      noLastName: "on",
    });
    expect(answer.status).toBe(400);
    const shown = mainContentOf(answer.text);
    expect(shown).toContain("Address Line 2 field is required.");
    expect(shown).toContain("Employer Identification Number (EIN) field is required.");
    expect(shown).not.toContain("Last Name field is required.");
    expect(shown).toMatch(/name="noLastName"[^>]*checked|checked[^>]*name="noLastName"/);
  });

  test.each([
    ["O", "K."],
    ["D'Souza", "Şahin-Østby"],
    ["Na", "Ng"],
  ])("buys with short or dotted names %s %s", async (firstName, lastName) => {
    const { facts, sent, order } = await bought({ firstName, lastName });
    expect((await readOrder(db, order.id)).account).toMatchObject({ firstName, lastName });
    expect(sent.join()).toContain(JSON.stringify(lastName));
    expect(facts).toContain("Bengaluru");
  });
});

describe("a ZIP code that begins with 0", () => {
  test("keeps its five digits on the invoice and at the vendor", async () => {
    const { facts, sent, order } = await bought(
      { state: "Massachusetts", city: "Boston", pincode: "02134" },
      "US",
    );
    expect(facts).toContain("Boston, Massachusetts 02134");
    expect(sent.join()).toContain('"postalCode":"02134"');
    const file = await order.browser.get(paths.documents());
    expect(file.status).toBe(200);
    const invoice = mainContentOf((await order.browser.get(paths.invoice(order.id))).text);
    expect(invoice).toContain("02134");
  });
});

describe("a US mail address where we do not sell", () => {
  const places = [
    [{ state: "PR", pincode: "00901", city: "San Juan" }, "Puerto Rico", "state"],
    [{ state: "Puerto Rico", pincode: "00901", city: "San Juan" }, "Puerto Rico", "state"],
    [{ state: "AE", pincode: "09012", city: "APO" }, "Armed Forces Europe", "state"],
    [{ state: "Guam", pincode: "96910", city: "Hagåtña" }, "Guam", "state"],
    [{ state: "NY", pincode: "09012", city: "APO" }, "Armed Forces Europe", "pincode"],
  ] as const;

  test.each(places)("shows an error in the form: %j", async (given, place) => {
    const browser = new HttpBrowser(stack.url);
    const { id, path } = await beginOrder(browser, { country: "US" });
    const answer = await browser.post(`${path}/create-account`, {
      ...accountForm(freshEmail(), "US"),
      ...given,
    });
    expect(answer.status).toBe(400);
    expect(mainContentOf(answer.text)).toContain(`We don&#x27;t sell to ${place} yet.`);
    expect((await readOrder(db, id)).account).toBeNull();
  });

  test.each(places)("returns an error at the field from the API: %j", async (given, place, field) => {
    const { status, body } = await new ApiClient(stack.url).post("/create/order", {
      sku_id: plan.item,
      console: "UP",
      count: 2,
      ...accountPayload(freshEmail(), "US"),
      ...given,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ fields: { [field]: `We don't sell to ${place} yet.` } });
  });
});
