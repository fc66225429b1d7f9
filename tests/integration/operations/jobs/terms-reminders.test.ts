/** Google's terms of service: reminds owners on days 1, 3 and 7, only while Google reports them as not accepted. */
import { afterEach, beforeAll, expect, test } from "vitest";
import { sendTermsReminders } from "#server/orders/subscriptions/terms-reminders.ts";
import { beginChange, outcomeOfChange, payChange } from "#tests/support/changes.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { googlePlan, placeOrder, providerOrderOf, toReview } from "#tests/support/journey.ts";
import { payFor } from "#tests/support/paid-order.ts";
import { sandboxControls } from "#tests/support/sandbox-controls.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });
beforeAll(() => provider.google({ termsPending: true }));
afterEach(() => controls.faults());

const day = 86_400_000;
const isConfirmation = (subject: string) => subject.startsWith("Your order is complete");
let made = 0;

const reminders = (recipient: string) =>
  context.db
    .selectFrom("mails")
    .select("id")
    .where("kind", "=", "terms-reminder")
    .where("recipient", "=", recipient)
    .execute();

async function bought() {
  made += 1;
  const domain = `transfer-${process.pid}-${made}.com`;
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser, {
    wanted: { ...googlePlan(domain), transferToken: "SANDBOX-TOKEN" },
  });
  await placeOrder(browser, order);
  const providerOrderId = await providerOrderOf(browser, order);
  await payFor({ browser, path: order.path, providerOrderId }, stack.sandboxUrl);
  const closure = `${order.path}/order-processed`;
  await until("the order is processed", async () => (await browser.get(order.path)).location === closure);
  const { id, start_date: start } = await context.db
    .selectFrom("subscriptions")
    .select(["id", "start_date"])
    .where("domain", "=", domain)
    .executeTakeFirstOrThrow();
  const runAt = (days: number) => sendTermsReminders(context, new Date(start.getTime() + days * day));
  return { id, domain, email: order.email, browser, runAt, page: await browser.get(closure) };
}

test("shows the remaining step on the last page of the order and in the mail", async () => {
  const { page, email } = await bought();
  expect(page.text).toContain("Before you start");
  expect(page.text).toContain("accept Google&#x27;s terms of service");
  const { inbox } = sandboxControls(stack.sandboxUrl);
  await until("the mail has arrived", async () =>
    (await inbox(email)).some(({ subject }) => isConfirmation(subject)),
  );
  const [mail] = (await inbox(email)).filter(({ subject }) => isConfirmation(subject));
  expect(mail?.text).toContain("accept Google's terms of service");
});

test("shows that it waits for the terms, not suspended, and sells more licences", async () => {
  const { id, domain, browser } = await bought();
  const waiting = "Waiting for your administrator to accept Google&#x27;s terms";
  const { text } = await browser.get("/subscriptions");
  expect(text).toContain(`<a href="https://admin.google.com/">${waiting}</a>`);
  expect(text).not.toContain("Suspended by Google");

  const more = await beginChange(browser, "more", id, 3);
  await payChange(browser, stack.sandboxUrl, more);
  expect(await outcomeOfChange(context, more)).toBe("done");
  const row = () =>
    context.db
      .selectFrom("subscriptions")
      .select(["quantity", "suspended", "waits_for_terms"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  expect(await row()).toEqual({ quantity: 5, suspended: false, waits_for_terms: true });

  // Google sends an event when the customer accepts.
  await provider.acceptTerms(domain);
  await until("the store knows that the terms are accepted", async () => !(await row()).waits_for_terms);
  expect((await browser.get("/subscriptions")).text).not.toContain(waiting);
});

test("reminds owners on three days, once each, until the terms are accepted", async () => {
  const { domain, email, runAt } = await bought();
  const counts: number[] = [];
  for (const days of [0.5, 1, 1.2, 2.1, 3.5, 3.9]) {
    await runAt(days);
    counts.push((await reminders(email)).length);
  }
  expect(counts).toEqual([0, 1, 1, 1, 2, 2]);
  const { inbox } = sandboxControls(stack.sandboxUrl);
  const arrived = async () =>
    (await inbox(email)).filter(({ subject }) => subject.startsWith("Accept the terms"));
  await until("the mails have arrived", async () => (await arrived()).length === 2);
  const [reminder] = await arrived();
  expect(reminder?.text).toContain(`for ${domain}`);
  expect(reminder?.text).toContain("https://admin.google.com/");

  await provider.acceptTerms(domain);
  await runAt(7.5);
  expect(await reminders(email)).toHaveLength(2);
});

test("retries in the next run when Google does not answer", async () => {
  const { email, runAt } = await bought();
  await controls.faults({ match: { path: "/entitlements/" }, kind: "500" });
  await runAt(7.1);
  expect(await reminders(email)).toHaveLength(0);
  await controls.faults();
  await runAt(7.3);
  expect(await reminders(email)).toHaveLength(1);
});
