/**
 * A way to pay that its provider refuses: the buyer is offered another at once, nothing is retried, and the operator is alerted
 * once.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OrderId } from "#db/ids.ts";
import { createPaymentLink } from "#server/billing/payments/payment-link/create-link.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { pastAccount, placeOrder, toReview } from "#tests/support/journey.ts";
import { mailsOfOrder } from "#tests/support/orders.ts";
import { askForLink, linkOf, linksOf } from "#tests/support/payment-link.ts";
import { deleteQueuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { accountsOf, proformaFor } from "#tests/support/transfer.ts";
import { contextForStack } from "#tests/support/world.ts";

const { stack, context, controls } = await startStore();
const { db } = context;
beforeEach(() => controls.webhooks("never"));
afterEach(async () => {
  await controls.faults();
  await deleteQueuedJobs(db);
});

const refusing = (path: string, status = 400) =>
  controls.faults({ match: { method: "POST", path }, kind: "refuse", status });
const rejectingOurKey = (status: number) =>
  controls.faults({
    match: { path: "^/razorpay/v1/" },
    kind: "refuse",
    status,
    description: "Authentication failed",
  });
const vendorAlerts = () =>
  db
    .selectFrom("mails")
    .select(["recipient", "data"])
    .where("kind", "=", "vendor-notice")
    .where("dedupe_key", "like", "payments-misconfigured:%")
    .execute();
const alertsOf = async (id: OrderId) =>
  (await mailsOfOrder(db, id)).filter(({ kind }) => kind === "operator-alert").length;
const intentsOf = (id: OrderId) =>
  db
    .selectFrom("payment_intents")
    .select(["id", "provider", "status", "refused_at"])
    .where("order_id", "=", id)
    .orderBy("created_at")
    .execute();

describe("a payment link", () => {
  test.each([400, 404, 422])("leads to the other ways when refused with %i", async (status) => {
    const browser = new HttpBrowser(stack.url);
    const order = await pastAccount(browser);
    await refusing("^/razorpay/v1/payment_links$", status);
    await askForLink(browser, order);
    const page = wordsOf((await browser.get(`/orders/${order.id}/pay`)).text);
    expect(page).toContain("We couldn't create a payment link for this order. You have not been charged.");
    expect(page).toContain("Get bank details");
    expect(page).not.toContain("Send me a payment link");
    expect(page).not.toContain("in a minute");
    const [intent] = await intentsOf(order.id);
    expect(intent).toMatchObject({ status: "superseded", refused_at: expect.any(Date) });
    // The job ends at its first attempt without a second alert.
    await createPaymentLink(context, intent?.id ?? "");
    expect(await alertsOf(order.id)).toBe(1);
    await controls.faults();
    expect(await proformaFor(browser, order)).toBeGreaterThan(0);
    expect(await accountsOf(controls, order)).toHaveLength(1);
  });

  test("appears later when the provider does not respond", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await pastAccount(browser);
    await controls.faults({ match: { method: "POST", path: "^/razorpay/v1/payment_links$" }, kind: "500" });
    await askForLink(browser, order);
    const page = wordsOf((await browser.get(`/orders/${order.id}/pay`)).text);
    expect(page).toContain("We're creating your payment link.");
    await controls.faults();
    await browser.get(`/orders/${order.id}/pay`);
    expect(await linksOf(controls, order)).toHaveLength(1);
    expect(await alertsOf(order.id)).toBe(0);
  });

  test.each([
    ["Æ", "-"],
    ["A".repeat(60), "Rao"],
    ["Priya,", "Rao"],
    ["प्रिया", "राव"],
    ["O", "K"],
  ])("includes the name %s %s", async (firstName, lastName) => {
    const browser = new HttpBrowser(stack.url);
    const order = await pastAccount(browser, { account: { firstName, lastName } });
    await askForLink(browser, order);
    expect(await linkOf(controls, order)).toMatch(/^plink_/);
  });
});

test("leads to the other ways when the bank account is refused", async () => {
  const browser = new HttpBrowser(stack.url);
  const order = await pastAccount(browser);
  await refusing("^/razorpay/v1/virtual_accounts$");
  await proformaFor(browser, order);
  const proforma = await browser.get(`/orders/${order.id}/proforma`);
  expect(proforma.location).toBe(`/orders/${order.id}/pay`);
  const page = wordsOf((await browser.get(`/orders/${order.id}/pay`)).text);
  expect(page).toContain("We couldn't open a bank account for this order.");
  expect(page).toContain("Send me a payment link");
  expect(await alertsOf(order.id)).toBe(1);
});

test("explains that the checkout is refused and accepts a later payment", async () => {
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser);
  await refusing("^/razorpay/v1/orders$");
  await expect(placeOrder(browser, order)).rejects.toThrow("open the checkout for this order.");
  await expect(placeOrder(browser, order)).rejects.toThrow("open the checkout for this order.");
  expect(await alertsOf(order.id)).toBe(1);
  await controls.faults();
  await placeOrder(browser, order);
});

describe("a provider that rejects our key", () => {
  const notWorking =
    "Payments don't work at the moment because of a fault on our side. You have not been charged.";
  beforeEach(() => db.deleteFrom("mails").where("kind", "=", "vendor-notice").execute());

  test.each([401, 403])("keeps every way of every order and alerts once for %i", async (status) => {
    const [link, transfer, checkout] = [
      new HttpBrowser(stack.url),
      new HttpBrowser(stack.url),
      new HttpBrowser(stack.url),
    ];
    const [byLink, byTransfer] = [await pastAccount(link), await pastAccount(transfer)];
    const inCheckout = await toReview(checkout);
    await rejectingOurKey(status);
    await askForLink(link, byLink);
    expect(wordsOf((await link.get(`/orders/${byLink.id}/pay`)).text)).toContain(notWorking);
    await proformaFor(transfer, byTransfer);
    expect(wordsOf((await transfer.get(`/orders/${byTransfer.id}/proforma`)).text)).toContain(notWorking);
    await expect(placeOrder(checkout, inCheckout)).rejects.toThrow("work at the moment");

    for (const { id } of [byLink, byTransfer, inCheckout]) {
      expect(await intentsOf(id)).toMatchObject([{ status: "open", refused_at: null }]);
      expect(await alertsOf(id)).toBe(0);
    }
    expect(await vendorAlerts()).toMatchObject([
      { recipient: "operator", data: { subject: "Payments don't work: razorpay:IN rejects our key" } },
    ]);

    await controls.faults();
    expect(wordsOf((await link.get(`/orders/${byLink.id}/pay`)).text)).toContain("Open the payment link");
    expect(wordsOf((await transfer.get(`/orders/${byTransfer.id}/proforma`)).text)).not.toContain(notWorking);
    expect(await accountsOf(controls, byTransfer)).toHaveLength(1);
    await placeOrder(checkout, inCheckout);
  });

  test("lets the job be retried until the key is corrected", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await pastAccount(browser);
    await controls.faults({ match: { path: "^/razorpay/v1/" }, kind: "500" });
    await askForLink(browser, order);
    await controls.faults();
    const [intent] = await intentsOf(order.id);
    const wrongKey = contextForStack({ ...stack.env, RAZORPAY_KEY_SECRET_IN: "wrong" });
    for (const _try of [1, 2])
      await expect(createPaymentLink(wrongKey, intent?.id ?? "")).rejects.toMatchObject({
        kind: "misconfigured",
        status: 401,
      });
    await wrongKey.db.destroy();
    expect(await vendorAlerts()).toHaveLength(1);
    await createPaymentLink(context, intent?.id ?? "");
    expect(await linksOf(controls, order)).toHaveLength(1);
  });
});
