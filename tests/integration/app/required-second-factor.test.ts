/** A company that requires two-step sign-in: which pages are closed to a member without it, and open after setup. */
import { expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { codeAt, makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { beginOrder, toReview } from "#tests/support/journey.ts";
import { join, makeCompany, signedIn } from "#tests/support/orders.ts";
import { buyerPassword, connectApp, makeBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const { db } = context;
const must = "/account/second-factor?next=";

const require = (browser: HttpBrowser) => browser.post(paths.members(), { intent: "require-second-factor" });

/** Creates a company whose owner has two-step sign-in, and a member without it. */
async function company(name = "Acme Tools") {
  const [owner, member] = [await makeBuyer(context), await makeBuyer(context)];
  const customerId = await makeCompany(db, owner, name);
  await join(db, customerId, member, "buyer");
  await connectApp(context, owner);
  const owners = await signedIn(context, stack.url, owner);
  return { customerId, owner, owners, member, members: await signedIn(context, stack.url, member) };
}

async function setUp(browser: HttpBrowser, at: string): Promise<string> {
  await browser.post(at, { intent: "begin" });
  const page = mainContentOf((await browser.get(at)).text);
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1] ?? "").replaceAll(" ", "");
  const shown = { intent: "confirm", code: codeAt(secret), currentPassword: buyerPassword };
  return mainContentOf((await browser.post(at, shown)).text);
}

test("lets only an owner require it, after setting it up", async () => {
  const owner = await makeBuyer(context);
  const member = await makeBuyer(context);
  const customerId = await makeCompany(db, owner);
  await join(db, customerId, member, "buyer");
  const owners = await signedIn(context, stack.url, owner);
  expect(mainContentOf((await owners.get(paths.members())).text)).toContain(
    "set it up for yourself</a> first",
  );
  const tooEarly = await require(owners);
  expect(tooEarly.status).toBe(409);
  expect(mainContentOf(tooEarly.text)).toContain("Set up two-step sign-in for yourself first");
  const members = await signedIn(context, stack.url, member);
  expect((await require(members)).status).toBe(403);
  expect(mainContentOf((await members.get(paths.members())).text)).not.toContain("Two-step sign-in");
});

test("redirects a member to the setup and then to the destination", async () => {
  const { owners, owner, member, members } = await company();
  expect((await members.get(paths.subscriptions())).status).toBe(200);
  expect((await require(owners)).status).toBe(303);
  expect((await owners.get(paths.subscriptions())).status).toBe(200);

  const next = paths.subscriptions({ service: "google" });
  const shut = await members.get(next);
  expect(shut.location).toBe(`${must}${encodeURIComponent(next)}`);
  const page = mainContentOf((await members.get(shut.location ?? "")).text);
  expect(page).toContain("Acme Tools requires two-step sign-in for all members");
  const codes = await setUp(members, shut.location ?? "");
  expect(codes).toContain(`href="${next}"`);
  expect((await members.get(next)).status).toBe(200);

  for (const { email } of [owner, member])
    await until(`a mail to ${email}`, async () =>
      (await controls.inbox(email)).some(
        ({ subject }) => subject === "Your company requires two-step sign-in",
      ),
    );
});

test("closes the company's pages, documents and calls, but not the catalogue", async () => {
  const { owners, members } = await company();
  const { path } = await beginOrder(members);
  await require(owners);
  const shut = [
    paths.customerHome(),
    paths.members(),
    paths.myOrders(),
    paths.cart(),
    paths.sync(),
    paths.microsoftSignup(),
    `${path}/create-account`,
    paths.newOrder({ family: "microsoft", item: "microsoft-365-business-basic", country: "IN" }),
    paths.invoice("7c9e6679-7425-40de-944b-e07fc1f90ae7"),
    paths.invoicePdf("7c9e6679-7425-40de-944b-e07fc1f90ae7"),
    paths.cancelSubscription("7c9e6679-7425-40de-944b-e07fc1f90ae7"),
  ];
  for (const each of shut) {
    const { location } = await members.get(each);
    expect(`${each} leads to ${location}`).toBe(`${each} leads to ${must}${encodeURIComponent(each)}`);
  }
  const posted = await members.post(paths.members(), { intent: "leave-second-factor" });
  expect(`${posted.status} ${posted.location}`).toBe(`303 ${must}%2Fmembers`);
  const order = await members.post(
    paths.newOrder({ family: "microsoft", item: "microsoft-365-business-basic", country: "IN" }),
    {
      term: "P1Y",
      quantity: "2",
    },
  );
  expect(order.location).toMatch(/^\/account\/second-factor/);

  const token = JSON.parse(
    Buffer.from(decodeURIComponent(members.cookie("session") ?? ""), "base64").toString(),
  );
  for (const call of ["/api/get/cust", "/dashboard"]) {
    const answer = await new HttpBrowser(stack.url).get(call, { Authorization: `Bearer ${token}` });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text).error).toContain("requires two-step sign-in");
  }
  for (const open of [
    paths.home(),
    paths.search(),
    paths.account(),
    paths.changePassword(),
    paths.secondFactor(),
  ])
    expect(`${open} ${(await members.get(open)).status}`).toBe(`${open} 200`);
});

test("does not apply to staff who impersonate such a member", async () => {
  const { customerId, owners, member } = await company();
  await require(owners);
  const desk = await staffBrowser(context, stack.url, await makeStaff(context, "support"));
  await desk.post(paths.deskActionForm("customer.view", customerId), {
    person: member.userId,
    reason: "test",
  });
  expect((await desk.get(paths.subscriptions())).status).toBe(200);
});

test("redirects a member who switches it off until it is optional again", async () => {
  const { owners, owner, members, member } = await company("Teal Looms");
  await require(owners);
  const { secret } = await connectApp(context, member);
  const again = await signedIn(context, stack.url, member);
  expect((await members.get(paths.cart())).location).toMatch(/^\/login/);
  expect((await again.get(paths.cart())).status).toBe(200);
  expect(mainContentOf((await again.get(paths.secondFactor())).text)).toContain(
    "Teal Looms requires two-step sign-in",
  );
  await again.post(paths.secondFactor(), {
    intent: "off",
    code: codeAt(secret),
    currentPassword: buyerPassword,
  });
  expect((await again.get(paths.cart())).location).toBe(`${must}%2Fcart`);

  expect((await owners.post(paths.members(), { intent: "leave-second-factor" })).status).toBe(303);
  expect((await again.get(paths.cart())).status).toBe(200);
  await until("a mail", async () =>
    (await controls.inbox(owner.email)).some(({ subject }) =>
      subject.includes("no longer requires two-step"),
    ),
  );
});

test("does not apply to users of other companies", async () => {
  const { owners } = await company();
  await require(owners);
  const visitor = new HttpBrowser(stack.url);
  await toReview(visitor);
  expect((await visitor.get(paths.cart())).status).toBe(200);
});
