/** The language of mails: the buyer's own, through HTTP and the worker. */
import { expect, test } from "vitest";
import { languages } from "#server/languages/language.ts";
import { textIn } from "#server/languages/text.ts";
import { queueOperatorAlert } from "#server/outbox/mail.ts";
import * as paths from "#server/paths.ts";
import { Browserless } from "#tests/support/browserless.ts";
import {
  beginOrder,
  freshEmail,
  placeOrder,
  providerOrderOf,
  returnForm,
  toReview,
} from "#tests/support/journey.ts";
import type { Mail } from "#tests/support/levers.ts";
import { makePerson, readOrder, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/waiting.ts";

const { stack, context, levers } = await startStore({ worker: true });
const { db } = context;
const inHindi = textIn("hi");
const access = { wanted: { family: "brio", item: "brio-desk" } };

async function mailTo(email: string, subject: RegExp): Promise<Mail> {
  let mail: Mail | undefined;
  await until(`a mail to ${email}: ${subject}`, async () => {
    mail = (await levers.inbox(email)).find((each) => subject.test(each.subject));
    return mail !== undefined;
  });
  if (mail === undefined) throw new Error("no mail");
  return mail;
}

async function choosesHindi(): Promise<Browserless> {
  const buyer = new Browserless(stack.url);
  await buyer.post(paths.language(), { language: "hi", next: "/" });
  return buyer;
}

const languageOf = async (email: string) =>
  (await db.selectFrom("users").select("language").where("email", "=", email).executeTakeFirst())?.language;

test("who buys in Hindi is written to in Hindi, from the account to what was bought", async () => {
  const buyer = await choosesHindi();
  const order = await toReview(buyer, access);
  expect(await languageOf(order.email)).toBe("hi");
  expect((await readOrder(db, order.id)).language).toBe("hi");
  const made = await mailTo(order.email, /पासवर्ड/);
  expect(made.text).toContain(inHindi("mail.accountMade"));
  expect(made.text).toContain(`${inHindi("mail.setPassword")}: ${stack.url}/set-password/`);

  await placeOrder(buyer, order);
  const providerOrderId = await providerOrderOf(buyer, order);
  const paid = await levers.pay({ orderId: providerOrderId, webhook: false });
  await buyer.post("/payments/return", returnForm(providerOrderId, paid));
  const done = await mailTo(order.email, /brio Desk/);
  expect(done.html).toContain(`<html lang="${languages.hi.locale}">`);
  expect(done.text).toContain(inHindi("mail.accessFirst"));
  expect(done.text).toContain("2 लाइसेंस");
  expect(done.text).toMatch(/^भुगतान किया: ₹/m);
});

test("who asks for a new password later is written to in the language of the account", async () => {
  const buyer = await choosesHindi();
  const { email } = await toReview(buyer);
  await new Browserless(stack.url).post("/forgot-password", { email });
  expect((await mailTo(email, /बदलें/)).text).toContain(inHindi("mail.resetNotYou"));
});

test("a choice made on the way counts for the account and for what is not done yet", async () => {
  const person = await makePerson(db);
  expect(await languageOf(person.email)).toBeNull();
  const browser = await signedIn(context, stack.url, person);
  const { id } = await beginOrder(browser);
  expect((await readOrder(db, id)).language).toBe("en");
  await db.updateTable("orders").set({ fulfilment_status: "running" }).where("id", "=", id).execute();
  const done = await beginOrder(browser, access);
  await db.updateTable("orders").set({ fulfilment_status: "done" }).where("id", "=", done.id).execute();
  await browser.post(paths.language(), { language: "hi", next: "/" });
  expect(await languageOf(person.email)).toBe("hi");
  expect((await readOrder(db, id)).language).toBe("hi");
  expect((await readOrder(db, done.id)).language).toBe("en");
});

test("a visitor's choice counts for what this browser has begun, and for nobody else's", async () => {
  const visitor = new Browserless(stack.url);
  const begun = await beginOrder(visitor);
  const other = await beginOrder(new Browserless(stack.url));
  await visitor.post(paths.language(), { language: "hi", next: "/" });
  expect((await readOrder(db, begun.id)).language).toBe("hi");
  expect((await readOrder(db, other.id)).language).toBe("en");
});

test("a sign-up keeps the language of its page", async () => {
  const email = freshEmail();
  const form = {
    firstName: "Asha",
    lastName: "Rao",
    email,
    password: "a-good-Pass-1",
    phoneNumber: "9876543210",
  };
  await (await choosesHindi()).post("/signup", form);
  expect(await languageOf(email)).toBe("hi");
});

test("the operator reads English, whatever the buyer reads", async () => {
  const order = await beginOrder(await choosesHindi());
  await db
    .transaction()
    .execute((trx) =>
      queueOperatorAlert(trx, { dedupeKey: `look:${order.id}`, orderId: order.id, what: "Look at this." }),
    );
  const alert = await mailTo(context.env.OPERATOR_EMAIL, /needs attention/);
  expect(alert.html).toContain(`<html lang="${languages.en.locale}">`);
  expect(alert.text).toContain("Look at this.");
  expect(alert.text).not.toMatch(/[\u0900-\u097f]/);
});
