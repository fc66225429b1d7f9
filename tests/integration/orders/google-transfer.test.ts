/** Google transfers: what a token would move is shown before payment, and nothing else moves afterwards. */
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { orderedSku } from "#tests/support/google-outcome.ts";
import { HttpBrowser, hiddenFieldValue } from "#tests/support/http-browser.ts";
import { googlePlan, placeOrder, providerOrderOf, toReview } from "#tests/support/journey.ts";
import { readOrder } from "#tests/support/orders.ts";
import { answerSignInTransfer, payFor } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });
afterEach(() => controls.faults());

let made = 0;
function domainOf(beginning: string): string {
  made += 1;
  return `${beginning}-${process.pid}-${made}.com`;
}
const token = "SANDBOX-TOKEN";
const transfer = (domain: string) => ({ ...googlePlan(domain), transferToken: token });

async function postDetails(form: Record<string, string>, browser = new HttpBrowser(stack.url)) {
  const { family, item } = googlePlan("");
  const answer = await browser.post(`/order/${family}/${item}/IN`, { term: "P1Y", quantity: "2", ...form });
  return { ...answer, browser };
}

async function pay(browser: HttpBrowser, order: { path: string; totalMinor: number }) {
  await placeOrder(browser, order);
  const paying = { browser, path: order.path, providerOrderId: await providerOrderOf(browser, order) };
  await payFor(paying, stack.sandboxUrl);
}

const isProcessed = (browser: HttpBrowser, path: string) =>
  until(
    "the order is processed",
    async () => (await browser.get(path)).location?.endsWith("/order-processed") === true,
  );

async function moved(domain: string) {
  const { google } = await provider.state();
  const names = google.customers.filter((each) => each.domain === domain).map(({ name }) => name);
  return google.entitlements
    .filter(({ customerName }) => names.includes(customerName))
    .map(({ sku, numUnits }) => ({ sku: sku.split("/").at(-1), numUnits }));
}

describe("at the first step", () => {
  test.each([
    [
      "one of two subscriptions cannot move",
      "transfer-mixed",
      {},
      "transferToken",
      "Google can&#x27;t transfer Google Vault: this plan can&#x27;t change resellers. Leave it out when you generate the token, then enter the new token.",
    ],
    [
      "terms are not accepted",
      "transfer-terms",
      {},
      "transferToken",
      "Google can&#x27;t transfer Google Workspace Business Starter because its terms of service haven&#x27;t been accepted. Ask a super administrator to accept them at admin.google.com, then enter a new token.",
    ],
    [
      "the subscription is suspended",
      "transfer-suspended",
      {},
      "transferToken",
      "Google can&#x27;t transfer Google Workspace Business Starter because the subscription is suspended. Ask your current reseller to reactivate it, then enter a new token.",
    ],
    [
      "two subscriptions would move",
      "transfer-both",
      {},
      "transferToken",
      "This token transfers Google Workspace Business Starter and Google Workspace Business Plus together, but each order here is for one plan.",
    ],
    [
      "another plan would move",
      "transfer-plus",
      {},
      "transferToken",
      "This token moves Google Workspace Business Plus, but this order is for Google Workspace Business Starter.",
    ],
    [
      "more licenses would move",
      "transfer-large",
      { quantity: "11" },
      "quantity",
      "Google transfers Google Workspace Business Starter with at least 12 licenses.",
    ],
    [
      "the token is wrong",
      "transfer",
      { transferToken: "NONSENSE" },
      "transferToken",
      "Google didn&#x27;t accept",
    ],
    [
      "the token is too old",
      "transfer",
      { transferToken: "EXPIRED-TOKEN" },
      "transferToken",
      "Google didn&#x27;t accept the transfer token. It may be mistyped, already used or more than 14 days old.",
    ],
    [
      "there is no token",
      "transfer",
      { transferToken: "" },
      "transferToken",
      "Please enter its transfer token",
    ],
  ])("shows an error at the field when %s", async (_what, beginning, form, field, said) => {
    const domain = domainOf(beginning);
    const refused = await postDetails({ domain, transferToken: token, ...form });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(said);
    expect(refused.text).toMatch(new RegExp(`<p class="error" id="details-${field}-error">`));
    expect(refused.text).toMatch(/<details open=""><summary>Is the domain with/);
    expect(refused.text).toContain(
      "The Google account must be active: Google doesn&#x27;t transfer a suspended",
    );
    expect(refused.text).not.toContain(token);
    const { rows } = await context.pool.query(
      "select 1 from orders where details -> 'google' ->> 'domain' = $1",
      [domain],
    );
    expect(rows).toEqual([]);
  });

  test.each(["hang-before", "500"] as const)(
    "stops an order after 5 seconds while Google does not answer: %s",
    async (kind) => {
      await controls.faults({ match: { path: "checkCloudIdentityAccountsExist" }, kind });
      const refused = await postDetails({ domain: domainOf("shop") });
      expect(refused).toMatchObject({ status: 503 });
      expect(refused.text).toContain("an error occurred while validating the domain");
    },
  );

  test("encrypts the token, and deletes it when the domain changes", async () => {
    const domain = domainOf("transfer-large");
    const posted = await postDetails({ domain, transferToken: token, quantity: "12" });
    const path = posted.location?.replace("/create-account", "") ?? "";
    const id = path.split("/")[2];
    const kept = async () =>
      (await context.pool.query("select secret_ciphertext from credentials where order_id = $1", [id])).rows;
    expect(JSON.stringify(await kept())).toMatch(/secret_ciphertext/);
    expect(JSON.stringify(await kept())).not.toContain(token);
    const again = (form: Record<string, string>) =>
      posted.browser.post(`${path}/subscription-details`, { term: "P1Y", domain, ...form });
    expect(await again({ quantity: "5" })).toMatchObject({ status: 400 });
    expect(await again({ quantity: "15" })).toMatchObject({ status: 303 });
    expect(await kept()).toHaveLength(1);
    expect(await again({ quantity: "15", domain: domainOf("shop") })).toMatchObject({ status: 303 });
    expect(await kept()).toEqual([]);
  });
});

test("moves what the review shows, without asking again", async () => {
  const domain = domainOf("transfer-large");
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser, { quantity: 14, wanted: transfer(domain) });
  const review = await browser.get(`${order.path}/place-order`);
  expect(review.text).toContain(
    "Google Workspace Business Starter, which Google moves with at least 12 licenses. Nothing else moves",
  );
  await pay(browser, order);
  await isProcessed(browser, order.path);
  expect(await moved(domain)).toEqual([{ sku: orderedSku, numUnits: 14 }]);
});

describe("right before the payment", () => {
  const place = (browser: HttpBrowser, { path, totalMinor }: { path: string; totalMinor: number }) =>
    browser.post(`${path}/place-order`, { intent: "place-order", terms: "on", total: String(totalMinor) });
  const holds = async (domain: string, skus: object[]) => {
    await controls.reset();
    await controls.plant({ google: { identities: [{ domain, skus }] } });
  };
  const starter = (units: number) => ({ sku: `products/Google-Apps/skus/${orderedSku}`, units });

  test("refuses a changed transfer until the step is posted again", async () => {
    const domain = domainOf("moving");
    await holds(domain, [starter(2)]);
    const browser = new HttpBrowser(stack.url);
    const order = await toReview(browser, { quantity: 2, wanted: transfer(domain) });
    await holds(domain, [starter(3)]);
    const refused = await place(browser, order);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("with at least 3 licenses");
    expect(refused.text).toContain("You have not been charged");
    const details = { term: "P1Y", quantity: "3", domain };
    expect(await browser.post(`${order.path}/subscription-details`, details)).toMatchObject({ status: 303 });
    const review = await browser.get(`${order.path}/place-order`);
    const totalMinor = Number(hiddenFieldValue(review.text, "total"));
    expect(await place(browser, { ...order, totalMinor })).toMatchObject({ status: 303 });
  });

  test("refuses a domain that someone else has registered in the meantime", async () => {
    const domain = domainOf("shop");
    const browser = new HttpBrowser(stack.url);
    const order = await toReview(browser, { wanted: googlePlan(domain) });
    await holds(domain, [starter(1)]);
    const refused = await place(browser, order);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("have changed, and so has the price");
  });

  test.each(["checkCloudIdentityAccountsExist", "listTransferableSkus"])(
    "stops the order while Google does not answer: %s",
    async (path) => {
      const domain = domainOf("transfer");
      const browser = new HttpBrowser(stack.url);
      const order = await toReview(browser, { wanted: transfer(domain) });
      await controls.faults({ match: { path }, kind: "hang-before" });
      const refused = await place(browser, order);
      expect(refused.status).toBe(503);
      expect(refused.text).toContain("You haven&#x27;t been charged");
    },
  );
});

test("moves nothing with a token given after payment that covers other plans", async () => {
  const domain = domainOf("transfer-both");
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser, { wanted: googlePlan(domain) });
  await pay(browser, order);
  await answerSignInTransfer({ ...order, browser }, token);
  await until("the step asks for the token again", async () =>
    (await browser.get(`${order.path}/sign-in`)).text.includes(
      "together, but each order here is for one plan",
    ),
  );
  const { google } = await provider.state();
  expect(google.customers.filter((each) => each.domain === domain)).toEqual([]);
  const { signin, details } = await readOrder(context.db, order.id);
  expect(z.object({ signInProblem: z.string() }).parse(details).signInProblem).toContain("Generate a token");
  expect(signin).toBeNull();
});
