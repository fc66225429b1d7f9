/** Companies with an account at a vendor: Buy Now and the sign-in step offer that account, to avoid a second one. */
import { expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import { createSubscriptionFor, makeCustomer } from "#tests/support/customer.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { type OpenPayment, plan, toCheckout } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { answerSignInNewTenant, freshPrefix, paidOrder, payFor } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context } = await startStore({ worker: true });
const { db } = context;

async function done(order: Pick<OpenPayment, "id" | "path">): Promise<string> {
  await until(`${order.id} fulfilled`, async () => (await findOrder(db, order.id))?.stage === "stage4");
  return `${order.path}/order-processed`;
}

/** Creates a buyer with a plan in a tenant that was created for it. */
async function customer() {
  const first = await paidOrder(stack);
  const prefix = freshPrefix();
  await answerSignInNewTenant(first, { prefix });
  await done(first);
  const tenantId = (await findOrder(db, first.id))?.tenantId ?? null;
  if (tenantId === null) throw new Error("Expected the order to have a tenant");
  return { ...first, tenantId, domain: `${prefix}.onmicrosoft.com` };
}

/** Creates another paid order of the same person through the journey of new buyers. */
async function anotherPaid({ browser, email }: OpenPayment): Promise<OpenPayment> {
  const order = await toCheckout(stack.url, { browser, account: { email } });
  await payFor(order, stack.sandboxUrl);
  return order;
}

const google = { family: "google", item: "google-workspace-business-starter", country: "IN" };

test("redirects a company from Buy Now to its account, and keeps the answers", async () => {
  const company = await makeCustomer(db);
  await createSubscriptionFor(db, company);
  const browser = await signedIn(context, stack.url, company.owner);
  const answered = { quantity: "7", term: "P1M" };
  expect((await browser.get(paths.newOrder(plan, answered))).location).toBe(
    paths.newContract(plan, answered),
  );
  expect((await browser.get(paths.newContract(plan))).status).toBe(200);
  // It has no account with another vendor, and none in another country.
  expect((await browser.get(paths.newOrder(google))).status).toBe(200);
  expect((await browser.get(paths.newOrder({ ...plan, country: "US" }))).status).toBe(200);
  expect((await new HttpBrowser(stack.url).get(paths.newOrder(plan))).status).toBe(200);
});

test("keeps the link for a purchase into another account", async () => {
  const company = await makeCustomer(db);
  await createSubscriptionFor(db, company, { family: "google" });
  const browser = await signedIn(context, stack.url, company.owner);
  expect((await browser.get(paths.newOrder(google))).location).toBe(paths.newContract(google));
  const [, link = ""] =
    /href="(\/order\/google[^"]*)"/.exec((await browser.get(paths.newContract(google))).text) ?? [];
  expect(link).toBe(paths.newOrder(google, { another: "true" }));
  expect((await browser.get(link)).status).toBe(200);
});

test("redirects TUP on the plan's address to the shorter journey", async () => {
  const company = await makeCustomer(db);
  const browser = await signedIn(context, stack.url, company.owner);
  const { location } = await browser.get(`${paths.newOrder(plan)}?TUP=true`);
  expect(location).toBe(paths.newContract(plan));
  expect((await browser.get(location ?? "")).status).toBe(200);
});

test("selects the company's account in the sign-in step, and puts the order into it", async () => {
  const { tenantId, domain, ...first } = await customer();
  const order = await anotherPaid(first);
  const step = mainContentOf((await order.browser.get(`${order.path}/sign-in`)).text);
  expect(/<input[^>]*type="radio"[^>]*>/.exec(step)?.[0]).toContain(`value="${tenantId}"`);
  expect(step.match(/<input[^>]*type="radio"[^>]*checked=""[^>]*>/g)).toEqual([
    expect.stringContaining(`value="${tenantId}"`),
  ]);
  expect(step).toContain("Already linked to us, so nobody has to approve it.");

  expect((await order.browser.post(`${order.path}/sign-in`, { mode: tenantId })).status).toBe(303);
  const closure = mainContentOf((await order.browser.get(await done(order))).text);
  expect(closure).toContain("Get started with your Microsoft 365 subscription");
  expect(closure.replace(/<wbr\/?>|<\/?strong>/g, "")).toContain(`Added to ${domain}`);
  const places = await db
    .selectFrom("subscriptions")
    .select(["tenant_id", "domain"])
    .where("order_id", "in", [first.id, order.id])
    .execute();
  expect(places).toEqual([
    { tenant_id: tenantId, domain },
    { tenant_id: tenantId, domain },
  ]);
});

test("refuses another company's account, and one without a proof", async () => {
  const first = await customer();
  const stranger = await customer();
  const order = await anotherPaid(first);
  const refusedFor = async (mode: string) => {
    const answer = await order.browser.post(`${order.path}/sign-in`, { mode });
    expect(answer.text).toContain("Please choose where to add the subscription.");
    return answer.status;
  };
  expect(await refusedFor(stranger.tenantId)).toBe(400);
  const { external_id: tenant } = await db
    .selectFrom("tenants")
    .select("external_id")
    .where("id", "=", first.tenantId)
    .executeTakeFirstOrThrow();
  await db.deleteFrom("control_proofs").where("tenant_external_id", "=", tenant).execute();
  expect(await refusedFor(first.tenantId)).toBe(400);
  expect((await order.browser.get(`${order.path}/sign-in`)).text).not.toContain(first.tenantId);
  expect((await findOrder(db, order.id))?.fulfilmentStatus).toBe("waiting_for_signin");
});
