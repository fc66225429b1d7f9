/** The payment methods of an order are a setting of its country (docs/decisions/payments.md#payment-methods): on the pages, in the checkout, and refused. */
import { describe, expect, test } from "vitest";
import { HttpBrowser, hiddenFieldValue } from "#tests/support/http-browser.ts";
import { type FirstStepOptions, pastAccount, placeOrder, toCheckout } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore({
  env: { PAYMENT_METHODS_IN: "card,upi,wallet", PAYMENT_CEILINGS_IN: "card:200000,upi:150000" },
});

/** Lists the values of the buttons in the checkout's form. */
const methodButtons = (page: string) =>
  [...page.matchAll(/<button[^>]*name="method" value="([^"]*)"/g)].map(([, methods]) => methods);

async function review(options: FirstStepOptions) {
  const browser = new HttpBrowser(stack.url);
  const order = await pastAccount(browser, options);
  return { browser, order, page: (await browser.get(`${order.path}/place-order`)).text };
}

describe("the checkout", () => {
  test("offers the methods whose limit the total does not exceed", async () => {
    const small = await toCheckout(stack.url, { quantity: 2 });
    const page = (await small.browser.get(`${small.path}/place-order`)).text;
    expect(methodButtons(page)).toEqual(["card", "upi,wallet"]);
    expect(page).toContain("By card, on Razorpay");
    expect(page).toContain("Pay by UPI or wallet");
    // Above the limit of ₹10,000 for wallets.
    const larger = await toCheckout(stack.url, { quantity: 20 });
    const other = (await larger.browser.get(`${larger.path}/place-order`)).text;
    expect(methodButtons(other)).toEqual(["card", "upi"]);
  });

  test("shows only these methods in the frame", async () => {
    const { browser, path } = await toCheckout(stack.url, { quantity: 2 });
    const page = (await browser.get(`${path}/place-order`)).text;
    expect(page).toContain("Pay by card");
    expect(page).toContain("show_default_blocks");
  });

  test("opens without cards through a second button of the review", async () => {
    const { browser, order, page } = await review({ quantity: 20 });
    expect(page).toMatch(/value="pay-otherwise"[^>]*>Pay by UPI</);
    expect(page).toContain("Over the limit for one payment: wallet (up to ₹10,000).");
    const answer = await browser.post(`${order.path}/place-order`, {
      intent: "pay-otherwise",
      terms: "on",
      total: hiddenFieldValue(page, "total"),
    });
    expect(answer.location).toBe(`${order.path}/place-order?pay=otherwise#pay`);
    expect(methodButtons((await browser.get(`${order.path}/place-order`)).text)).toEqual(["card", "upi"]);
  });
});

describe("without transfers", () => {
  test("shows an email address for an order above every limit", async () => {
    const { browser, order, page } = await review({ quantity: 300 });
    expect(page).toContain("is over the limit of ₹2,00,000 for a payment by card, UPI or wallet. Email us");
    expect(page).not.toContain('value="place-order"');
    expect(page).toContain("mailto:");
    const { total_minor: totalMinor } = await context.db
      .selectFrom("orders")
      .select("total_minor")
      .where("id", "=", order.id)
      .executeTakeFirstOrThrow();
    await expect(placeOrder(browser, { ...order, totalMinor })).rejects.toThrow("409");
    const intents = await context.db
      .selectFrom("payment_intents")
      .select("id")
      .where("order_id", "=", order.id)
      .execute();
    expect(intents).toEqual([]);
  });

  test("offers no other way and returns 404 for its page", async () => {
    const { browser, order, page } = await review({ quantity: 2 });
    expect(page).not.toContain("Pay another way");
    expect((await browser.get(`/orders/${order.id}/pay`)).status).toBe(404);
    const answer = await browser.post(`/orders/${order.id}/pay`, {
      intent: "place-order",
      terms: "on",
      total: hiddenFieldValue(page, "total"),
    });
    expect(answer.status).toBe(409);
  });

  test("mentions payment links in the home page's answer on how to pay", async () => {
    const home = (await new HttpBrowser(stack.url).get("/?country=IN")).text;
    expect(home).toContain("Pay for orders here by card, UPI or wallet");
    expect(home).toContain("To pay by net banking, ask us for a payment link.");
    expect(home).not.toContain("You can pay for orders of any size by bank transfer");
  });
});
