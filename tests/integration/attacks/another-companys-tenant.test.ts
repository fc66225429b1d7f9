/**
 * An attacker names another company's tenant. Its name is public, the partner link is the same for everyone, and the tenant may
 * already have us as its partner. Only an administrator's own sign-in to the tenant may admit an order, and only for the
 * company of that order.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { tenantIdOf } from "#sandbox/vendors/partner-center/login.ts";
import { syncAccount } from "#server/orders/subscriptions/sync.ts";
import {
  approvalPage,
  goToMicrosoft,
  signInAsAdministrator,
  signInAtMicrosoft,
  type TenantPersonId,
} from "#tests/support/administrator.ts";
import { ApiClient, accountPayload, requireSuccess } from "#tests/support/api-client.ts";
import { paymentSchema } from "#tests/support/change-by-api.ts";
import { createSubscriptionFor, makeCustomer } from "#tests/support/customer.ts";
import { expectNoWrites } from "#tests/support/digest.ts";
import { HttpBrowser, hiddenFieldValue, mainContentOf } from "#tests/support/http-browser.ts";
import { throughSignIn } from "#tests/support/identity-providers.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import type { OpenPayment } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import {
  answerSignInExistingTenant,
  answerSignInNewTenant,
  freshPrefix,
  paidOrder,
} from "#tests/support/paid-order.ts";
import { confirmEmail } from "#tests/support/people.ts";
import { startStore } from "#tests/support/store.ts";
import { insertTestTenant } from "#tests/support/subscriptions.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });
afterAll(() => {
  expect(stack.unexpectedErrors()).toEqual([]);
});

const status = async ({ id }: { id: string }) =>
  (
    await context.db
      .selectFrom("orders")
      .select("fulfilment_status")
      .where("id", "=", id as OpenPayment["id"])
      .executeTakeFirstOrThrow()
  ).fulfilment_status;

/** Waits long enough for the worker to act, then expects the order to wait still. */
async function staysWaiting(order: { id: string }): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await status(order)).toBe("waiting_for_signin");
}

const holdersOf = (domain: string) =>
  context.db.selectFrom("tenants").select("customer_id").where("domain", "=", domain).execute();

/** Creates a tenant for another company through this store and returns its domain. */
async function victim(): Promise<string> {
  const order = await paidOrder(stack);
  const prefix = freshPrefix("victim");
  await answerSignInNewTenant(order, { prefix });
  await until("the victim's order", async () => (await status(order)) === "done");
  return `${prefix}.onmicrosoft.com`;
}

/** Creates a tenant that is unknown to the store, has the operator as its partner and holds 57 seats. Returns its domain. */
async function offlineCustomer(): Promise<string> {
  const domain = `${freshPrefix("offline")}.onmicrosoft.com`;
  const now = Date.now();
  await controls.plant({
    customers: [{ domain }],
    subscriptions: [
      {
        customerId: tenantIdOf(domain),
        id: crypto.randomUUID(),
        productId: "CFQ7TTC0LCHC",
        skuId: "0001",
        quantity: 57,
        termDuration: "P1Y",
        billingCycle: "annual",
        effectiveStartDate: new Date(now - 30 * 86_400_000).toISOString(),
        commitmentEndDate: new Date(now + 335 * 86_400_000).toISOString(),
      },
    ],
  });
  return domain;
}

const signedUp = z.object({ status: z.string(), other: z.string() });
const begun = z.object({ id: z.string(), token: z.string(), totalCost: z.number() });

/** Creates a paid order through API calls. */
async function paidByCall(): Promise<{ client: ApiClient; id: string }> {
  const client = new ApiClient(stack.url);
  const plan = { sku_id: "microsoft-365-business-basic", item_family: "microsoft", console: "IP", count: 2 };
  const order = requireSuccess(begun, await client.post("/create/order", { ...plan, ...accountPayload() }));
  client.token = order.token;
  const data = { id: order.id, terms: true, totalAmount: order.totalCost };
  const open = requireSuccess(paymentSchema, await client.post("/api/capturepayment", { data }));
  const paid = await controls.pay({ orderId: open.razorpay_order_id, webhook: false });
  const payment_data = {
    razorpay_payment_id: paid.paymentId,
    razorpay_order_id: open.razorpay_order_id,
    razorpay_signature: paid.signature,
  };
  requireSuccess(
    paymentSchema,
    await client.post("/api/capturepayment", { data: { ...data, payment_data } }),
  );
  return { client, id: order.id };
}

describe.each([
  ["made for another company minutes before", victim],
  ["known to the provider only, with 57 seats", offlineCustomer],
])("a tenant %s", (_what, tenant) => {
  let domain: string;
  beforeAll(async () => {
    domain = await tenant();
  });

  test("does not open by its name on the page", async () => {
    const before = await holdersOf(domain);
    const order = await paidOrder(stack);
    await answerSignInExistingTenant(order, `x@${domain}`);
    await order.browser.post(`${order.path}/sign-in`, { mode: "check-again" });
    await staysWaiting(order);
    expect((await order.browser.get(`${order.path}/sign-in`)).text).toContain("Open the approval page");
    expect(await holdersOf(domain)).toEqual(before);
  });

  test("does not open by its name in a call, which responds with Pending", async () => {
    const before = await holdersOf(domain);
    const { client, id } = await paidByCall();
    const sent = { order_id: id, is_existing_customer: true, username: `x@${domain}` };
    const answer = requireSuccess(signedUp, await client.post("/mssignup", sent));
    expect(answer).toEqual(
      expect.objectContaining({ status: "Pending", other: `${stack.url}${approvalPage({ id })}` }),
    );
    expect(requireSuccess(signedUp, await client.post("/mssignup", sent)).status).toBe("Pending");
    const invitation = await client.get(`/reseller/invitation/status?id=${id}`);
    expect(invitation.body).toMatchObject({
      state: "pending",
      cached_data: { invitation_accepted: false },
      o365_uid: null,
    });
    await staysWaiting({ id });
    expect(await holdersOf(domain)).toEqual(before);
  });
});

test("imports a tenant's subscriptions only after proof of control", async () => {
  const domain = await offlineCustomer();
  const order = await paidOrder(stack);
  // A row as stored before proofs were required.
  const { customer_id } = await context.db
    .selectFrom("orders")
    .select("customer_id")
    .where("id", "=", order.id)
    .executeTakeFirstOrThrow();
  if (customer_id === null) throw new Error("Expected the paid order to have a company");
  const account = { family: "microsoft", externalId: tenantIdOf(domain) } as const;
  await insertTestTenant(context.db, customer_id, {
    family: "microsoft",
    external_id: account.externalId,
    domain,
    proven: false,
  });
  const result = await syncAccount(context, account);
  expect(result).toMatchObject({ takenIn: [], passedOver: "nobody's by proof" });
});

describe("a sign-in for a tenant", () => {
  const refused: [TenantPersonId, string, RegExp][] = [
    ["user", "not-administrator", /not an administrator of .* ask your administrator/],
    ["silent-user", "not-administrator", /not an administrator of/],
    ["guest", "guest", /You&#x27;re a guest in/],
    ["personal", "personal", /personal Microsoft account/],
    ["forger", "other-tenant", /You signed in to a different organisation/],
    ["stale", "stale", /more than 15 minutes ago/],
  ];

  test.each(refused)("%s: fails as %s with a reason and writes nothing", async (person, why, words) => {
    const domain = await offlineCustomer();
    const order = await paidOrder(stack);
    await answerSignInExistingTenant(order, `x@${domain}`);
    const page = approvalPage(order);
    const answer = await signInAsAdministrator(order.browser, page, person);
    expect(answer.location).toBe(`${page}?refused=${why}`);
    expect((await order.browser.get(answer.location ?? "")).text).toMatch(words);
    await staysWaiting(order);
    expect(
      await context.db.selectFrom("control_proofs").select("id").where("order_id", "=", order.id).execute(),
    ).toEqual([]);
  });

  test.each(["administrator", "billing", "silent"] as const)(
    "%s: admits the order, which then continues automatically",
    async (person) => {
      const domain = await offlineCustomer();
      const order = await paidOrder(stack);
      await answerSignInExistingTenant(order, `x@${domain}`);
      const answer = await signInAsAdministrator(order.browser, approvalPage(order), person);
      expect(answer.location).toBe(approvalPage(order));
      await until("the order is done", async () => (await status(order)) === "done");
      expect(await holdersOf(domain)).toHaveLength(1);
    },
  );

  test("proves nothing when it was redirected to another tenant", async () => {
    const domain = await offlineCustomer();
    const own = `${freshPrefix("own")}.onmicrosoft.com`;
    const order = await paidOrder(stack);
    await answerSignInExistingTenant(order, `x@${domain}`);
    const page = approvalPage(order);
    const authorize = await goToMicrosoft(order.browser, page);
    authorize.pathname = authorize.pathname.replace(tenantIdOf(domain), tenantIdOf(own));
    const person = { person: "administrator", action: "sign-in" };
    const callback = await throughSignIn(authorize, "Sign in to Microsoft", person);
    callback.searchParams.set("tenant", tenantIdOf(domain));
    callback.searchParams.set("admin_consent", "True");
    const answer = await order.browser.get(`${callback.pathname}${callback.search}`);
    expect(answer.location).toBe(`${page}?refused=failed`);
    await staysWaiting(order);
  });
});

describe("a foreign sign-in", () => {
  test("works once: a repeated response with its initial cookie is refused", async () => {
    const domain = await offlineCustomer();
    const order = await paidOrder(stack);
    await answerSignInExistingTenant(order, `x@${domain}`);
    const callback = await signInAtMicrosoft(order.browser, approvalPage(order), "user");
    const kept = order.browser.cookie("administrator") ?? "";
    expect(kept).not.toBe("");
    const address = `${callback.pathname}${callback.search}`;
    expect((await order.browser.get(address)).location).toContain("refused=not-administrator");
    order.browser.setCookie("administrator", kept);
    expect((await order.browser.get(address)).location).toContain("refused=failed");
  });

  test("fails in another browser or with another user's flow", async () => {
    const domain = await offlineCustomer();
    const order = await paidOrder(stack);
    await answerSignInExistingTenant(order, `x@${domain}`);
    const callback = await signInAtMicrosoft(order.browser, approvalPage(order));
    const address = `${callback.pathname}${callback.search}`;
    expect((await new HttpBrowser(stack.url).get(address)).location).toBe("/");
    // The attacker's own flow with the administrator's response.
    const attacker = await paidOrder(stack);
    await answerSignInExistingTenant(attacker, `x@${domain}`);
    await goToMicrosoft(attacker.browser, approvalPage(attacker));
    expect((await attacker.browser.get(address)).location).toContain("refused=failed");
    await staysWaiting(attacker);
  });

  test("does not start from another site", async () => {
    const domain = await offlineCustomer();
    const order = await paidOrder(stack);
    await answerSignInExistingTenant(order, `x@${domain}`);
    const elsewhere: Record<string, string>[] = [
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "none" },
      { Referer: "https://evil.example/" },
      {},
    ];
    for (const headers of elsewhere) {
      const answer = await order.browser.get(`${approvalPage(order)}?sign=in`, headers);
      expect([answer.status, answer.location]).toEqual([403, null]);
    }
  });

  test("proves nothing for another company with the same tenant", async () => {
    const domain = await offlineCustomer();
    const order = await paidOrder(stack);
    await answerSignInExistingTenant(order, `x@${domain}`);
    await signInAsAdministrator(order.browser, approvalPage(order));
    await until("the order is done", async () => (await status(order)) === "done");
    const stranger = await paidOrder(stack);
    await answerSignInExistingTenant(stranger, `x@${domain}`);
    await staysWaiting(stranger);
  });
});

test("refuses a tenant of another company despite proof and alerts the operator once", async () => {
  const domain = await victim();
  const order = await paidOrder(stack);
  const isSaid = async () =>
    (await order.browser.get(`${order.path}/sign-in`)).text.includes("Our team has been notified");
  await answerSignInExistingTenant(order, `x@${domain}`);
  await signInAsAdministrator(order.browser, approvalPage(order));
  await until("the refusal appears", isSaid);
  // Named again, it is refused automatically, because the proof exists.
  await answerSignInExistingTenant(order, `x@${domain}`);
  await until("the refusal appears again", isSaid);
  expect(await status(order)).toBe("waiting_for_signin");
  const stage = await order.browser.get(`/get/stage?id=${order.id}`);
  expect(stage.text).toContain("We can't add this order to that account");
  expect(await holdersOf(domain)).toHaveLength(1);
  await until("the operator is alerted", async () => {
    const mails = await controls.inbox("operator@example.com");
    return mails.filter(({ text }) => text.includes(tenantIdOf(domain))).length === 1;
  });
});

test("requires a new proof after 13 months but not after 11", async () => {
  const domain = await offlineCustomer();
  const order = await paidOrder(stack);
  await answerSignInExistingTenant(order, `x@${domain}`);
  await signInAsAdministrator(order.browser, approvalPage(order));
  await until("the order is done", async () => (await status(order)) === "done");
  const agedBy = (months: number) =>
    context.pool.query(
      `update control_proofs set authenticated_at = now() - make_interval(months => $1),
        expires_at = now() - make_interval(months => $1) + interval '12 months' where order_id = $2`,
      [months, order.id],
    );
  const { subscription_id } = await context.db
    .selectFrom("orders")
    .select("subscription_id")
    .where("id", "=", order.id)
    .executeTakeFirstOrThrow();
  const begin = await order.browser.post(`/buy/more/${subscription_id}`, { quantity: "1" });
  const review = await order.browser.get(begin.location ?? "");
  const total = hiddenFieldValue(review.text, "total");
  const place = () => order.browser.post(begin.location ?? "", { intent: "place-order", terms: "on", total });
  await agedBy(13);
  const refused = await place();
  expect(refused.status).toBe(409);
  expect(refused.text).toContain(`an administrator of ${domain} must confirm this order`);
  const id = (begin.location ?? "").split("/")[4] ?? "";
  expect((await order.browser.get(`/get/stage?id=${id}`)).text).toContain(approvalPage({ id }));
  await agedBy(11);
  expect((await place()).status).toBe(303);
  await agedBy(13);
  const email = `admin-${domain}@example.com`;
  await confirmEmail(context.db, order.email);
  expect((await order.browser.post(approvalPage({ id }), { intent: "ask", email })).status).toBe(303);
  expect(wordsOf((await order.browser.get(begin.location ?? "")).text)).toContain(
    `We've emailed a link to ${email}. We'll email you when they confirm.`,
  );
  await signInAsAdministrator(order.browser, approvalPage({ id }));
  expect((await place()).status).toBe(303);
});

describe("the link mailed to an administrator", () => {
  async function orderAwaitingAdministrator(): Promise<{
    order: OpenPayment;
    domain: string;
    token: string;
    mail: string;
  }> {
    const domain = await offlineCustomer();
    const order = await paidOrder(stack);
    await answerSignInExistingTenant(order, `x@${domain}`);
    const email = `admin-${domain}@example.com`;
    await confirmEmail(context.db, order.email);
    const sent = await order.browser.post(approvalPage(order), { intent: "ask", email });
    expect(sent.status).toBe(303);
    const [mail] = await vi.waitUntil(async () => {
      const mails = await controls.inbox(email);
      return mails.length > 0 ? mails : null;
    });
    const token = /\/approve\/([A-Za-z0-9_-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    return { order, domain, token, mail: `${mail?.subject} ${mail?.text}` };
  }

  test("reveals the domain, but not the order, its price or the account", async () => {
    const { order, domain, token, mail } = await orderAwaitingAdministrator();
    const administrator = new HttpBrowser(stack.url);
    const page = await administrator.get(`/approve/${token}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(domain);
    // The header and footer name countries with their currencies.
    for (const text of [mainContentOf(page.text), mail]) {
      expect(text).not.toContain(order.id);
      expect(text).not.toMatch(/Business Basic|₹|licen[cs]e/i);
    }
    // The mail names the requester by their proven address; the link's page does not.
    expect(mail).toContain(order.email);
    expect(page.text).not.toContain(order.email);
    expect(administrator.hasCookie("session")).toBe(false);
    for (const path of [`${order.path}/sign-in`, approvalPage(order), `/orders/${order.id}/invoice`]) {
      const answer = await administrator.get(path);
      expect(answer.location ?? String(answer.status)).toMatch(/^\/login|^404$/);
    }
    // The recipient cannot ask further people in the buyer's name.
    await expectNoWrites(context.db, () =>
      administrator.post(`/approve/${token}`, { intent: "ask", email: "other@example.com" }),
    );
  });

  test("lets the order continue and mails the buyer", async () => {
    const { order, domain, token } = await orderAwaitingAdministrator();
    const administrator = new HttpBrowser(stack.url);
    const answer = await signInAsAdministrator(administrator, `/approve/${token}`);
    expect(answer.location).toBe(`/approve/${token}`);
    await until("the order is done", async () => (await status(order)) === "done");
    expect((await administrator.get(`/approve/${token}`)).text).toContain("Confirmed");
    await until("the buyer gets a mail", async () =>
      (await controls.inbox(order.email)).some(
        ({ subject }) => subject === `Confirmed: your order for ${domain}`,
      ),
    );
  });

  test("refuses a made-up or expired token, and its use for other purposes", async () => {
    const { token } = await orderAwaitingAdministrator();
    const browser = new HttpBrowser(stack.url);
    const over = "Nothing to confirm here";
    expect((await browser.get(`/approve/${"x".repeat(43)}`)).text).toContain(over);
    for (const path of [`/resume/${token}`, `/set-password/${token}`, `/reset-password/${token}`]) {
      expect((await browser.get(path)).text).not.toContain("Continue your order");
    }
    await context.pool.query(
      "update one_time_tokens set expires_at = now() where purpose = 'ask-administrator'",
    );
    expect((await browser.get(`/approve/${token}`)).text).toContain(over);
  });

  test("limits its mails", async () => {
    const domain = await offlineCustomer();
    const order = await paidOrder(stack);
    await answerSignInExistingTenant(order, `x@${domain}`);
    await confirmEmail(context.db, order.email);
    const send = () =>
      order.browser.post(approvalPage(order), { intent: "ask", email: `many-${domain}@example.com` });
    const statuses: number[] = [];
    for (let each = 0; each < 12; each += 1) statuses.push((await send()).status);
    expect(statuses.filter((each) => each === 303)).toHaveLength(10);
    expect(statuses.at(-1)).toBe(429);
  });

  test("keeps the order waiting longer than a sign-in on screen would", async () => {
    const { order } = await orderAwaitingAdministrator();
    const { rows } = await context.pool.query(
      "select expires_at > now() + interval '6 days' as long from invitations where order_id = $1",
      [order.id],
    );
    expect(rows).toEqual([{ long: true }]);
  });

  test("replaces the hint about ten minutes with a promise to email the buyer", async () => {
    const { order, domain } = await orderAwaitingAdministrator();
    const waiting = wordsOf((await order.browser.get(`${order.path}/sign-in`)).text);
    expect(waiting).toContain(`We've emailed a link to admin-${domain}@example.com.`);
    expect(waiting).toContain("You don't need to wait here: we will email you when it is done.");
    expect(waiting).not.toMatch(/ten minutes|take a minute/);

    // Nobody was asked about this other account.
    await answerSignInExistingTenant(order, `x@${await offlineCustomer()}`);
    const begun = wordsOf((await order.browser.get(`${order.path}/sign-in`)).text);
    expect(begun).toContain("If nothing happens after ten minutes");
    expect(begun).not.toContain("mailed a link");
  });
});

test("admits nobody by the partner link only, even if the tenant accepts us", async () => {
  const domain = `${freshPrefix("accepting")}.onmicrosoft.com`;
  const order = await paidOrder(stack);
  await answerSignInExistingTenant(order, `x@${domain}`);
  await provider.approve(domain);
  await order.browser.post(`${order.path}/sign-in`, { mode: "check-again" });
  await staysWaiting(order);
});

test("accepts a DNS record as proof of control over a Google domain", async () => {
  const customer = await makeCustomer(context.db);
  const held = await createSubscriptionFor(context.db, customer, { family: "google" });
  await context.pool.query("delete from control_proofs where tenant_external_id = $1", [
    held.tenantExternalId,
  ]);
  const owner = await signedIn(context, stack.url, customer.owner);
  const begin = await owner.post(`/buy/more/${held.id}`, { quantity: "1" });
  const id = (begin.location ?? "").split("/")[4] ?? "";
  const total = hiddenFieldValue((await owner.get(begin.location ?? "")).text, "total");
  const place = () => owner.post(begin.location ?? "", { intent: "place-order", terms: "on", total });
  expect((await place()).status).toBe(409);

  const page = approvalPage({ id });
  const name = `_store-verify.${held.domain}`;
  const shown = async () => {
    const { text } = await owner.get(page);
    expect(text).toContain(name);
    return /<code>([A-Za-z0-9_-]{43})<\/code>/.exec(text)?.[1] ?? "";
  };
  const value = await shown();
  expect(value).toHaveLength(43);
  expect(await shown()).toBe(value);
  const lookUp = () => owner.post(page, { intent: "look-up" });
  expect((await lookUp()).status).toBe(400);
  await controls.dns(name, ["v=spf1 -all", "another-value"]);
  expect((await lookUp()).status).toBe(400);
  await controls.dns(name, ["v=spf1 -all", value]);
  expect((await lookUp()).location).toBe(page);
  expect((await owner.get(page)).text).toContain("The order can now be paid for");
  expect((await place()).status).toBe(303);
});
