/** The last page of an order: the buyer's next steps in order, and the timeline. */
import { expect, test } from "vitest";
import { readCredentials } from "#server/accounts/credentials/credentials.ts";
import { languages } from "#server/foundation/languages/language.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import { mainContentOf } from "#tests/support/http-browser.ts";
import { googlePlan, type OpenPayment } from "#tests/support/journey.ts";
import {
  answerSignInAndConfirm,
  answerSignInGoogle,
  answerSignInNewTenant,
  freshPrefix,
  paidOrder,
} from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });

async function done(order: OpenPayment): Promise<string> {
  await until(
    `${order.id} fulfilled`,
    async () => (await findOrder(context.db, order.id))?.stage === "stage4",
  );
  return `${order.path}/order-processed`;
}

const titlesIn = (main: string) =>
  [...main.matchAll(/<h3>(.*?)<\/h3>/gs)].map(([, inner = ""]) =>
    inner
      .replace(/<[^>]*>/g, "")
      .replace(/\s+/g, " ")
      .trim(),
  );

test("lists the steps for a new tenant, from saving the sign-in to a password here", async () => {
  const order = await paidOrder(stack);
  const prefix = freshPrefix();
  await answerSignInNewTenant(order, { prefix });
  const closure = await done(order);
  const main = mainContentOf((await order.browser.get(closure)).text);
  expect(titlesIn(main).slice(0, 5)).toEqual([
    "Save your sign-in details",
    "Sign in to the admin centre",
    "Add users",
    "Connect your domain",
    "Set a password for this store",
  ]);
  expect(main).toContain(`owner@${prefix}.onmicrosoft.com`);
  expect(main).toContain(`${prefix}.onmicrosoft.com. Enter the domain you own`);
  expect(main).toContain('href="https://admin.microsoft.com/"');
  expect(main).toContain("<li>Active users</li>");
  expect(main).toContain('href="/account/password"');
  // Only the next step has a filled button.
  expect(main.match(/<a class="button"[^>]*>[^<]*/g)).toEqual([
    expect.stringMatching(/href="https:\/\/admin\.microsoft\.com\/".*>Open admin\.microsoft\.com$/),
  ]);

  // The buyer confirms that they are saved, which completes the first step.
  await order.browser.post(closure, {});
  const after = mainContentOf((await order.browser.get(closure)).text);
  expect(titlesIn(after)[0]).toBe("Save your sign-in details (done)");
  expect(after).toContain("Your sign-in details are no longer shown here.");
  expect(after).not.toContain("<dt>Username</dt>");
});

test("shows when each event happened and which are still to come", async () => {
  const order = await paidOrder(stack);
  await answerSignInNewTenant(order, { prefix: freshPrefix() });
  const closure = await done(order);
  const timeline = async () => titlesIn(mainContentOf((await order.browser.get(closure)).text)).slice(-4);
  await until("the mail is sent", async () => (await timeline()).at(-1) === "Emailed to you (done)");
  expect(await timeline()).toEqual([
    "Paid (done)",
    "Account created (done)",
    "Licenses ready (done)",
    "Emailed to you (done)",
  ]);
  await context.db
    .deleteFrom("provider_requests")
    .where("order_id", "=", order.id)
    .where("step", "=", "customer")
    .execute();
  expect(await timeline(), "fulfilled by hand").not.toContain("Creating your account… (in progress)");
});

test("lists every step of an order in progress, in the present tense until it is done", async () => {
  const order = await paidOrder(stack);
  await controls.faults({ match: { method: "POST", path: "/customers$" }, kind: "500" });
  await answerSignInNewTenant(order, { prefix: freshPrefix() });
  const page = (await order.browser.get(`${order.path}/sign-in`)).text;
  await controls.faults();
  expect(page).toContain("We are setting it up</span></h1>");
  expect(titlesIn(mainContentOf(page))).toEqual([
    "Paid (done)",
    "Creating your account… (in progress)",
    "Your licenses",
    "An email to you",
  ]);
  await done(order);
});

test("mails the new account's name and the next steps, without the password", async () => {
  const order = await paidOrder(stack);
  const prefix = freshPrefix();
  await answerSignInNewTenant(order, { prefix });
  await done(order);
  const confirmation = async () =>
    (await controls.inbox(order.email)).find(({ subject }) => subject.startsWith("Your order is complete"));
  await until("the mail is sent", async () => (await confirmation()) !== undefined);
  const text = (await confirmation())?.text ?? "";
  expect(text).toContain(`Username: owner@${prefix}.onmicrosoft.com\n`);
  expect(text).toContain(
    "1. Save your sign-in details\n2. Sign in to the admin centre\n3. Add users\n4. Connect your domain\n5. Set a password for this store\n",
  );
  const kept = await readCredentials(context, context.db, order.id, "sign-in");
  expect(kept?.password).toBeTruthy();
  expect(text).not.toContain(kept?.password);
});

test("explains the total in the invoice's words", async () => {
  const order = await paidOrder(stack);
  await answerSignInNewTenant(order, { prefix: freshPrefix() });
  const computedIn = (html: string) => /How this was calculated<\/summary>(.*?)<\/details>/s.exec(html)?.[1];
  const closure = computedIn((await order.browser.get(await done(order))).text);
  expect(closure).toContain("(our first price list)");
  expect(closure).toMatch(/The total is ₹[\d,]+/);
  expect(closure).toBe(computedIn((await order.browser.get(paths.invoice(order.id))).text));
});

test("shows no list and nothing to save for the buyer's existing tenant", async () => {
  const order = await paidOrder(stack);
  const domain = `${freshPrefix()}.onmicrosoft.com`;
  await provider.approve(domain);
  await answerSignInAndConfirm(order, `boss@${domain}`);
  const main = mainContentOf((await order.browser.get(await done(order))).text);
  expect(main).toContain("Get started with your Microsoft 365 subscription");
  expect(main).not.toContain("Next steps");
});

test("puts Google's terms before adding users for a new domain", async () => {
  const domain = `${freshPrefix("closure")}.com`;
  const order = await paidOrder(stack, googlePlan(domain));
  await answerSignInGoogle(order, "admin");
  const main = mainContentOf((await order.browser.get(await done(order))).text);
  expect(titlesIn(main).slice(0, 6)).toEqual([
    "Save your sign-in details",
    "Sign in to the admin console",
    "Before you start",
    "Add users",
    "Connect your domain",
    "Set a password for this store",
  ]);
  expect(main).toContain(`where you bought ${domain}`);
});

test("shows the same in Hindi", async () => {
  const order = await paidOrder(stack);
  await answerSignInNewTenant(order, { prefix: freshPrefix() });
  const closure = await done(order);
  await order.browser.post("/language", { language: "hi" });
  const main = mainContentOf((await order.browser.get(closure)).text);
  const { closure: words, firstSteps, timeline } = languages.hi.messages;
  const titles = titlesIn(main);
  expect(titles[0]).toBe(words.save);
  expect(titles).toContain(firstSteps.microsoftPeople);
  expect(main).toContain(words.menus);
  expect(main).toContain(timeline.label);
  for (const sentence of Object.values(languages.en.messages.closure).filter((text) => !/[{<]/.test(text)))
    expect(main).not.toContain(`>${sentence}<`);
});
