/**
 * docs/decisions/tenants.md#customer-agreement: a buyer sees a vendor's agreement, accepts the version in force before paying, and what was
 * accepted, by whom and when, is sent to the vendor.
 */
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { HttpBrowser, hiddenFieldValue } from "#tests/support/http-browser.ts";
import {
  googlePlan,
  type OrderPlace,
  placeOrder,
  providerOrderOf,
  toReview,
} from "#tests/support/journey.ts";
import { answerSignInNewTenant, freshPrefix, payFor } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });
const { db } = context;
const words = "Your company accepts the Microsoft Customer Agreement.";
const addressOf = ({ path }: OrderPlace) => `${path}/place-order?agreement=read`;

afterEach(async () => {
  await controls.faults();
  await controls.publishAgreements(1);
  await db.deleteFrom("agreement_versions").execute();
});

const acceptancesOf = ({ id }: OrderPlace) =>
  db.selectFrom("agreement_acceptances").selectAll().where("order_id", "=", id).execute();
const reviewed = async () => {
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser);
  const page = await browser.get(`${order.path}/place-order`);
  return { browser, order, page, shown: hiddenFieldValue(page.text, "agreement") };
};
const place = (browser: HttpBrowser, order: OrderPlace & { totalMinor: number }, agreement: string) =>
  browser.post(`${order.path}/place-order`, {
    intent: "place-order",
    terms: "on",
    total: String(order.totalMinor),
    agreement,
  });
const acceptanceSchema = z.object({
  templateId: z.string(),
  dateAgreed: z.string(),
  type: z.string(),
  primaryContact: z.record(z.string(), z.string()),
});

/** Waits until the order is paid and fulfilled. @returns the acceptance sent to Partner Center */
async function acceptedAgreementOf(browser: HttpBrowser, order: OrderPlace) {
  const before = (await agreementCalls()).length;
  const paying = { browser, path: order.path, providerOrderId: await providerOrderOf(browser, order) };
  await payFor(paying, stack.sandboxUrl);
  await answerSignInNewTenant(paying, { prefix: freshPrefix() });
  await until(
    "the order is processed",
    async () => (await browser.get(order.path)).location?.endsWith("/order-processed") === true,
  );
  const [call] = (await agreementCalls()).slice(before);
  return acceptanceSchema.parse(call?.body);
}
const agreementCalls = () =>
  provider.calls(({ method, path }) => method === "POST" && path.endsWith("/agreements"));

test("shows the agreement on the review, with a link to the country's version", async () => {
  const { browser, order, page, shown } = await reviewed();
  expect(page.text).toContain(`<a href="${addressOf(order)}">${words}</a>`);
  const led = await browser.get(addressOf(order));
  expect(led.status).toBe(302);
  const document = await (await fetch(led.location ?? "")).text();
  expect(document).toContain("<h1>Microsoft Customer Agreement</h1>");
  expect(document).toContain(`Version ${shown}, for IN.`);
  const requests = await provider.calls(({ path }) => path.includes(`/agreementtemplates/${shown}/document`));
  expect(requests.at(-1)?.path).toMatch(/\?language=en-US&country=IN$/);
});

test("stores version, time and person of the acceptance, and sends them to Microsoft", async () => {
  const { browser, order, shown } = await reviewed();
  expect((await place(browser, order, shown)).status).toBe(303);
  const [accepted, ...others] = await acceptancesOf(order);
  expect(others).toEqual([]);
  const person = { first_name: "Asha", last_name: "Rao", email: order.email, phone_number: "9876543210" };
  expect(accepted).toMatchObject({
    agreement: "Microsoft Customer Agreement",
    version: shown,
    user_id: expect.any(String),
    ...person,
  });
  expect(Date.now() - (accepted?.accepted_at.getTime() ?? 0)).toBeLessThan(60_000);
  // The buyer has not accepted a version that was published after the payment began.
  await controls.publishAgreements(2);
  expect(await acceptedAgreementOf(browser, order)).toEqual({
    templateId: shown,
    dateAgreed: accepted?.accepted_at.toISOString(),
    type: "MicrosoftCustomerAgreement",
    primaryContact: { firstName: "Asha", lastName: "Rao", email: order.email, phoneNumber: "9876543210" },
  });
});

test("requires acceptance of a new version before the payment begins", async () => {
  const { browser, order, shown } = await reviewed();
  await controls.publishAgreements(2);
  const refused = await place(browser, order, shown);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain(
    "There is a new version of the Microsoft Customer Agreement. Please read it, and accept the terms again.",
  );
  expect(await acceptancesOf(order)).toEqual([]);
  const intents = db.selectFrom("payment_intents").select("id").where("order_id", "=", order.id);
  expect(await intents.execute()).toEqual([]);

  const newer = hiddenFieldValue(refused.text, "agreement");
  expect(newer).not.toBe(shown);
  expect((await place(browser, order, newer)).status).toBe(303);
  expect(await acceptancesOf(order)).toMatchObject([{ version: newer }]);
});

test("stores no acceptance without the accepted terms", async () => {
  const { browser, order, shown } = await reviewed();
  const post = { intent: "place-order", total: String(order.totalMinor), agreement: shown };
  const refused = await browser.post(`${order.path}/place-order`, post);
  expect(refused.status).toBe(400);
  expect(await acceptancesOf(order)).toEqual([]);
});

test("uses the last known version while Microsoft does not answer, and takes the order", async () => {
  const { browser, order, shown } = await reviewed();
  await controls.faults({
    match: { path: "/v1/(agreements|agreementtemplates)" },
    kind: "503",
    times: 1_000,
  });
  expect((await place(browser, order, shown)).status).toBe(303);
  expect(await acceptancesOf(order)).toMatchObject([{ version: shown }]);
  const led = await browser.get(addressOf(order));
  expect(led.location).toBe("https://aka.ms/customeragreement");
});

test("sends the version in force at that time if none was known at Place Order", async () => {
  await controls.faults({ match: { path: "/v1/agreements" }, kind: "503", times: 1_000 });
  const { browser, order, page, shown } = await reviewed();
  expect(page.text).toContain(words);
  expect(shown).toBe("");
  const unread = await browser.get(addressOf(order));
  expect(unread.status).toBe(503);
  expect(unread.text).toContain("Microsoft isn&#x27;t responding. Please try again in a minute.");
  expect((await place(browser, order, shown)).status).toBe(303);
  expect(await acceptancesOf(order)).toMatchObject([{ version: null }]);
  await controls.faults();
  const { templateId } = await acceptedAgreementOf(browser, order);
  expect(templateId).toMatch(/^[0-9a-f-]{36}$/);
});

test("compares a posted version, but never stores it", async () => {
  await controls.faults({ match: { path: "/v1/agreements" }, kind: "503", times: 1_000 });
  const { browser, order } = await reviewed();
  expect((await place(browser, order, "of my own")).status).toBe(303);
  expect(await acceptancesOf(order)).toMatchObject([{ version: null }]);
});

test.each([
  ["google", googlePlan("agreement.example")],
  ["brio", { family: "brio", item: "brio-desk" }],
])("%s: requires no agreement", async (_family, wanted) => {
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser, { wanted });
  const page = await browser.get(`${order.path}/place-order`);
  expect(page.text).not.toContain("Customer Agreement");
  await placeOrder(browser, order);
  expect(await acceptancesOf(order)).toEqual([]);
  expect((await browser.get(addressOf(order))).status).toBe(404);
});
