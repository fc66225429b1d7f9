/** Drafts over HTTP: the price is held for a week, and any change of the price withdraws the accepted terms. */
import { beforeEach, describe, expect, test } from "vitest";
import { sandboxSellers } from "#sandbox/local/environment.ts";
import { getItem } from "#server/catalogue/items.ts";
import { hashToken } from "#server/foundation/security/token.ts";
import { changeSelection, claimDraft, savePartialAnswers } from "#server/orders/draft.ts";
import { HttpBrowser, hiddenFieldValue, mainContentOf } from "#tests/support/http-browser.ts";
import {
  accountForm,
  beginOrder,
  freshEmail,
  type OrderPlace,
  placeOrder,
  plan,
  toCheckout,
  toReview,
} from "#tests/support/journey.ts";
import {
  anonymousRequester,
  makeCompany,
  makeOrder,
  makePerson,
  readOrder,
  signedIn,
} from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();

const day = 86_400_000;
const usualPrice = 164_400;
const newPrice = 200_000;
const setPrice = (minor: number) =>
  context.db
    .updateTable("dated_prices")
    .set({ amount_minor: minor })
    .where("item_id", "in", (eb) =>
      eb.selectFrom("catalogue_items").select("id").where("sku", "=", "MS-BUSINESS-BASIC"),
    )
    .where("currency", "=", "INR")
    .where("kind", "=", "regular")
    .where("term", "=", "P1Y")
    .execute();
beforeEach(() => setPrice(usualPrice));

const pricedAgo = (order: OrderPlace, ms: number) =>
  context.db
    .updateTable("orders")
    .set({ priced_at: new Date(Date.now() - ms) })
    .where("id", "=", order.id)
    .execute();
const place = (browser: HttpBrowser, order: OrderPlace, totalMinor: number) =>
  browser.post(`${order.path}/place-order`, {
    intent: "place-order",
    terms: "on",
    total: String(totalMinor),
  });
const intentsOf = (order: OrderPlace) =>
  context.db
    .selectFrom("payment_intents")
    .selectAll()
    .where("order_id", "=", order.id)
    .orderBy("created_at")
    .execute();

/** Total of two seats with 18% tax, rounded to whole rupees. */
const totalAt = (price: number) => Math.round((price * 2 * 1.18) / 100) * 100;

describe("the price of a draft", () => {
  test("stays for seven days, even if the catalogue changes", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    expect(order.totalMinor).toBe(totalAt(usualPrice));
    await setPrice(newPrice);
    await pricedAgo(order, 7 * day - 60_000);
    const page = await buyer.get(`${order.path}/place-order`);
    expect(hiddenFieldValue(page.text, "total")).toBe(String(order.totalMinor));
    expect(mainContentOf(page.text)).not.toContain("Prices have changed");
    expect((await place(buyer, order, order.totalMinor)).status).toBe(303);
    expect(await intentsOf(order)).toMatchObject([{ amount_minor: order.totalMinor, status: "open" }]);
  });

  test("becomes today's afterwards: shown before payment, with the old total refused", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    await setPrice(newPrice);
    await pricedAgo(order, 7 * day + 60_000);

    const page = await buyer.get(`${order.path}/place-order`);
    expect(page.text).toContain("Prices have changed since you started.");
    expect(hiddenFieldValue(page.text, "total")).toBe(String(totalAt(newPrice)));
    // Viewing the page writes nothing.
    expect(await readOrder(context.db, order.id)).toMatchObject({ total_minor: order.totalMinor });

    const refused = await place(buyer, order, order.totalMinor);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Price has changed");
    expect(hiddenFieldValue(refused.text, "total")).toBe(String(totalAt(newPrice)));
    expect(await intentsOf(order)).toEqual([]);
    const repriced = await readOrder(context.db, order.id);
    expect(repriced).toMatchObject({
      total_minor: totalAt(newPrice),
      payment_status: "none",
      stage: "stage2",
    });
    expect(repriced.terms_accepted_at).toBeNull();
    expect(Date.now() - repriced.priced_at.getTime()).toBeLessThan(60_000);

    expect((await place(buyer, order, totalAt(newPrice))).status).toBe(303);
    const [intent] = await intentsOf(order);
    expect(intent).toMatchObject({ amount_minor: totalAt(newPrice) });
    const { razorpay } = await controls.state();
    expect(razorpay.orders.find(({ id }) => id === intent?.provider_order_id)?.amount).toBe(
      totalAt(newPrice),
    );
  });

  test("needs no second press if the new price was shown on the page", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    await setPrice(newPrice);
    await pricedAgo(order, 8 * day);
    const page = await buyer.get(`${order.path}/place-order`);
    expect((await place(buyer, order, Number(hiddenFieldValue(page.text, "total")))).status).toBe(303);
  });

  test("does not interrupt the buyer if it is old but unchanged", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    await pricedAgo(order, 30 * day);
    expect(mainContentOf((await buyer.get(`${order.path}/place-order`)).text)).not.toContain(
      "Prices have changed",
    );
    expect((await place(buyer, order, order.totalMinor)).status).toBe(303);
  });

  test("closes a checkout that was opened for an old price", async () => {
    const order = await toCheckout(stack.url);
    await setPrice(newPrice);
    await pricedAgo(order, 8 * day);
    const page = await order.browser.get(`${order.path}/place-order`);
    expect(page.text).not.toContain(order.providerOrderId);
    expect(hiddenFieldValue(page.text, "total")).toBe(String(totalAt(newPrice)));
    expect((await place(order.browser, order, totalAt(newPrice))).status).toBe(303);
    expect(await intentsOf(order)).toMatchObject([
      { status: "superseded", amount_minor: order.totalMinor },
      { status: "open", amount_minor: totalAt(newPrice) },
    ]);
  });

  test("becomes today's at once when the details are posted again", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    await setPrice(newPrice);
    await buyer.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "2" });
    expect(await readOrder(context.db, order.id)).toMatchObject({ total_minor: totalAt(newPrice) });
  });
});

describe("posting an earlier step again", () => {
  test.each(["subscription-details", "create-account"] as const)(
    "(%s) withdraws the terms, closes the payment request, and keeps the stage",
    async (step) => {
      const order = await toCheckout(stack.url);
      const before = await readOrder(context.db, order.id);
      expect(before).toMatchObject({
        stage: "stage2",
        payment_status: "pending",
        terms_accepted_at: expect.any(Date),
      });
      const form = step === "create-account" ? accountForm(order.email) : { term: "P1M", quantity: "3" };
      const answer = await order.browser.post(`${order.path}/${step}`, form);
      expect([answer.status, answer.location]).toEqual([303, `${order.path}/place-order`]);
      expect(await readOrder(context.db, order.id)).toMatchObject({
        stage: "stage2",
        payment_status: "none",
        terms_accepted_at: null,
      });
      expect(await intentsOf(order)).toMatchObject([
        { status: "superseded", provider_order_id: order.providerOrderId },
      ]);

      const page = await order.browser.get(`${order.path}/place-order`);
      expect(page.text).not.toContain(order.providerOrderId);
      await placeOrder(order.browser, { ...order, totalMinor: Number(hiddenFieldValue(page.text, "total")) });
      const intents = await intentsOf(order);
      expect(intents).toMatchObject([{ status: "superseded" }, { status: "open" }]);
      expect(intents[1]?.provider_order_id).not.toBe(order.providerOrderId);
    },
  );

  test("replaces the only line of the order", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    await buyer.post(`${order.path}/subscription-details`, { term: "P1M", quantity: "11" });
    const lines = await context.db
      .selectFrom("order_lines")
      .selectAll()
      .where("order_id", "=", order.id)
      .execute();
    expect(lines).toMatchObject([{ term: "P1M", billing_cycle: "monthly", quantity: 11 }]);
    expect((await buyer.get(`${order.path}/subscription-details`)).text).toContain('value="11"');
  });

  test.each(["0", "301", "-1", "1.5", "", "ten"])(
    "refuses %j seats, and does not change the order",
    async (quantity) => {
      const buyer = new HttpBrowser(stack.url);
      const order = await toReview(buyer);
      const before = await readOrder(context.db, order.id);
      const answer = await buyer.post(`${order.path}/subscription-details`, { term: "P1Y", quantity });
      expect(answer.status).toBe(400);
      expect(await readOrder(context.db, order.id)).toEqual(before);
    },
  );

  test("does not change a paid order", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId, signature } = await controls.pay({
      orderId: order.providerOrderId,
      webhook: false,
    });
    await order.browser.post(`${order.path}/place-order`, {
      intent: "paid",
      razorpay_payment_id: paymentId,
      razorpay_order_id: order.providerOrderId,
      razorpay_signature: signature,
    });
    const before = await readOrder(context.db, order.id);
    expect(before.payment_status).toBe("completed");
    for (const [step, form] of [
      ["subscription-details", { term: "P1Y", quantity: "9" }],
      ["create-account", accountForm(order.email)],
      ["place-order", { intent: "place-order", terms: "on", total: String(order.totalMinor) }],
    ] as const) {
      const answer = await order.browser.post(`${order.path}/${step}`, form);
      expect([answer.status, answer.location]).toEqual([302, `${order.path}/sign-in`]);
    }
    expect(await readOrder(context.db, order.id)).toEqual(before);

    // The domain code refuses it even without the page's check.
    const customer = before.customer_id === null ? null : { id: before.customer_id, role: "owner" as const };
    const requester = { ...anonymousRequester, userId: before.user_id, customer };
    const item = await getItem(context.db, before.item_id);
    const selection = { term: "P1Y", billingCycle: "annual", quantity: 9 } as const;
    const late = [
      (trx: Parameters<typeof claimDraft>[0]) =>
        changeSelection(trx, {
          orderId: order.id,
          item,
          selection,
          placement: null,
          requester,
          sellers: sandboxSellers.sellers,
          now: new Date(),
        }),
      (trx: Parameters<typeof claimDraft>[0]) =>
        savePartialAnswers(trx, { orderId: order.id, details: {}, requester }),
    ];
    for (const change of late) {
      await expect(context.db.transaction().execute(change)).rejects.toMatchObject({ code: "conflict" });
    }
    expect(await readOrder(context.db, order.id)).toEqual(before);
  });
});

describe("claiming a draft", () => {
  const claim = (orderId: OrderPlace["id"], requester: Parameters<typeof claimDraft>[1]["requester"]) =>
    context.db.transaction().execute((trx) => claimDraft(trx, { orderId, requester }));

  test("assigns it to the account that signs in with the same browser, and its company", async () => {
    const person = await makePerson(context.db);
    const customerId = await makeCompany(context.db, person);
    const draftKey = hashToken("mine");
    const id = await makeOrder(context.db, { requester: { ...anonymousRequester, draftKey } });
    await claim(id, { userId: person.userId, customer: { id: customerId, role: "owner" }, draftKey });
    const claimed = await readOrder(context.db, id);
    expect(claimed).toMatchObject({ user_id: person.userId, customer_id: customerId, draft_key: null });
    // Claiming it again changes nothing.
    await claim(id, { userId: person.userId, customer: null, draftKey });
    expect(await readOrder(context.db, id)).toEqual(claimed);
  });

  test.each([
    ["another browser", hashToken("not mine")],
    ["a browser without drafts", null],
  ])("refuses %s", async (_who, draftKey) => {
    const person = await makePerson(context.db);
    const id = await makeOrder(context.db, {
      requester: { ...anonymousRequester, draftKey: hashToken("mine") },
    });
    const before = await readOrder(context.db, id);
    await expect(claim(id, { userId: person.userId, customer: null, draftKey })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await readOrder(context.db, id)).toEqual(before);
  });

  test("refuses a visitor, and anyone once it has an owner", async () => {
    const [owner, other] = [await makePerson(context.db), await makePerson(context.db)];
    const draftKey = hashToken("shared computer");
    const id = await makeOrder(context.db, { requester: { ...anonymousRequester, draftKey } });
    await expect(claim(id, { ...anonymousRequester, draftKey })).rejects.toMatchObject({ code: "not_found" });
    await claim(id, { userId: owner.userId, customer: null, draftKey });
    await expect(claim(id, { userId: other.userId, customer: null, draftKey })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await readOrder(context.db, id)).toMatchObject({ user_id: owner.userId });
  });

  test("happens at the login inside the order, and keeps all typed values", async () => {
    const known = new HttpBrowser(stack.url);
    const { email } = await toReview(known);
    const visitor = new HttpBrowser(stack.url);
    const draft = await beginOrder(visitor);
    const form = { ...accountForm(email), city: "Mysuru" };
    const answer = await visitor.post(`${draft.path}/create-account`, form);
    expect(answer.location).toBe(`${draft.path}/create-account?account=exists`);
    const dialog = await visitor.get(`${draft.path}/create-account?account=exists`);
    expect(dialog.text).toContain("Account already exists, please Login instead");
    expect(await readOrder(context.db, draft.id)).toMatchObject({
      stage: "stage1",
      user_id: null,
      details: { typed: { city: "Mysuru", email } },
    });
    // A session in another browser does not open this browser's draft.
    const owner = await context.db
      .selectFrom("users")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    const elsewhere = await signedIn(context, stack.url, { userId: owner.id, email });
    expect((await elsewhere.get(`${draft.path}/create-account`)).status).toBe(404);
  });

  test("does not open a draft without a key to anyone", async () => {
    const id = await makeOrder(context.db, {}, { draft_key: null });
    const path = `/order/${id}/${plan.family}/${plan.item}/IN`;
    expect((await new HttpBrowser(stack.url).get(`${path}/create-account`)).status).toBe(302);
    const person = await makePerson(context.db);
    await expect(claim(id, { userId: person.userId, customer: null, draftKey: null })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

test("keeps typed values in a refused form", async () => {
  const visitor = new HttpBrowser(stack.url);
  const draft = await beginOrder(visitor);
  await visitor.post(`${draft.path}/create-account`, { intent: "choose-address", choice: "manual" });
  const form = { ...accountForm(freshEmail()), city: "Mysuru", phoneNumber: "12" };
  const answer = await visitor.post(`${draft.path}/create-account`, form);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("Please enter valid phone number");
  expect(hiddenFieldValue(answer.text, "city")).toBe("Mysuru");
  expect(await readOrder(context.db, draft.id)).toMatchObject({ stage: "stage1", account: null });
});
