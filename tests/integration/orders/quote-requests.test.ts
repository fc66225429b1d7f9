/**
 * Approve by link, pay by link (docs/decisions/quotes.md): a link asks one person about what was quoted, opening it changes nothing, each
 * act counts once, and a link by which nothing can be done says why.
 */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { listPayments } from "#db/payments.ts";
import { sendMail } from "#server/mail/send.ts";
import { findOrder } from "#server/orders/find.ts";
import * as paths from "#server/paths.ts";
import { settlePayment } from "#server/payments/settle.ts";
import { formatExact, formatMoney } from "#server/pricing/format.ts";
import { hashOfQuoted } from "#server/quotes/hash.ts";
import { findLatestVersion, renewQuote } from "#server/quotes/quote.ts";
import { listRequests } from "#server/quotes/requests.ts";
import { Browserless, fieldIn, mainOf } from "#tests/support/browserless.ts";
import { freshEmail, placeOrder, providerOrderOf, returnForm, toReview } from "#tests/support/journey.ts";
import { mailsOfOrder } from "#tests/support/orders.ts";
import { queuedJobs } from "#tests/support/queue.ts";
import { makeQuoteOf, sendQuote } from "#tests/support/quotes.ts";
import { startStore } from "#tests/support/store.ts";
import { accountOf } from "#tests/support/transfer.ts";

const { stack, context, levers } = await startStore();
const { db } = context;

async function sent(kind: "approve" | "pay", { why = "", wanted = {} } = {}) {
  const browser = new Browserless(stack.url);
  const order = await toReview(browser, { quantity: 4, ...wanted });
  const quoteId = await makeQuoteOf(browser, order);
  const email = freshEmail();
  const link = await sendQuote(db, browser, quoteId, { kind, email, why });
  return { browser, ...order, steps: order.path, quoteId, reader: email, link };
}

const visit = () => new Browserless(stack.url);

/** Does an act as whoever has the link, with the hash that its page showed. */
async function act(link: string, intent: string, more: Record<string, string> = {}) {
  const reader = visit();
  const hash = fieldIn((await reader.get(link)).text, "hash");
  return reader.post(link, { intent, hash, ...more });
}

const answersOf = async ({ quoteId }: Awaited<ReturnType<typeof sent>>) =>
  (await listRequests(db, quoteId)).map(({ answer }) => answer && { what: answer.what, words: answer.words });

async function facts(id: OrderId) {
  const order = await findOrder(db, id);
  if (order === null) throw new Error(`No order ${id}`);
  const mails = await mailsOfOrder(db, id);
  const intents = await db.selectFrom("payment_intents").selectAll().where("order_id", "=", id).execute();
  return { order, mails, intents };
}

/** Money reaches the account of an order. @returns what the store makes of it */
async function transferIn(order: Awaited<ReturnType<typeof sent>>, amount: number) {
  const accountId = await accountOf(levers, { id: order.id, path: order.steps });
  const providerPaymentId = await levers.credit({ accountId, amount });
  const provider = "bank-transfer";
  return (
    await settlePayment(context, { provider, account: "IN", providerOrderId: accountId, providerPaymentId })
  ).state;
}

const changeSeats = ({ browser, steps }: { browser: Browserless; steps: string }, quantity: number) =>
  browser.post(`${steps}/subscription-details`, { term: "P1Y", quantity: String(quantity) });

describe("an approver", () => {
  test("sees who asks, why and every line, on a page of a few kB without a script, and opening it changes nothing", async () => {
    const order = await sent("approve", { why: "Seats for the new branch in Pune" });
    const before = await facts(order.id);
    const page = await visit().get(order.link);
    expect(page.status).toBe(200);
    const { line, total } = before.order;
    for (const said of [
      "Asha Rao",
      "Acme Tools",
      "Seats for the new branch in Pune",
      line.name,
      "CGST 9%",
      "This link works until",
    ])
      expect(page.text).toContain(said);
    expect(page.text).toContain((total.minor / 100).toLocaleString("en-IN"));
    // The mailbox of who asks is not proven: its address is not shown to strangers.
    expect(page.text).not.toContain(order.email);
    expect(page.text).not.toContain("<script");
    expect(gzipSync(page.text).length).toBeLessThan(6 * 1024);
    expect(await facts(order.id)).toEqual(before);
    expect(await answersOf(order)).toEqual([null]);
  });

  test("says yes once; buyer and approver are told, and the link says what was done", async () => {
    const order = await sent("approve");
    const answer = await act(order.link, "approved", { words: "Fine by me" });
    expect(answer.location).toBe(order.link);
    expect(await answersOf(order)).toEqual([{ what: "approved", words: "Fine by me" }]);
    const told = (await facts(order.id)).mails.filter(({ kind }) => kind === "quote-answer");
    expect(told.map(({ recipient }) => recipient).sort()).toEqual([order.email, order.reader].sort());
    const again = await visit().get(order.link);
    for (const said of [
      "<h1>Approved</h1>",
      "<title>Approved",
      "Thank you. This order was approved by this link on",
      "In your words: “Fine by me”",
    ])
      expect(again.text).toContain(said);
    expect(again.text).not.toContain("Nothing to do here");
    expect(again.text).not.toContain("Refuse</button>");
    const buyers = await order.browser.get(paths.quote(order.quoteId));
    expect(buyers.text).toContain("Fine by me");
  });

  test("says no with a word, and not without one", async () => {
    const order = await sent("approve");
    const wordless = await act(order.link, "refused");
    expect(wordless.status).toBe(400);
    expect(wordless.text).toContain("Say in a word why not");
    expect(await answersOf(order)).toEqual([null]);
    await act(order.link, "refused", { words: "Too many seats" });
    expect(await answersOf(order)).toEqual([{ what: "refused", words: "Too many seats" }]);
    const again = await visit().get(order.link);
    for (const said of ["<h1>Refused</h1>", "<title>Refused", "In your words: “Too many seats”"])
      expect(again.text).toContain(said);
  });

  test("who refuses is named to the buyer, on the quote and by mail, with a way to change the order, until another says yes", async () => {
    const order = await sent("approve");
    const quotePage = async () => mainOf((await order.browser.get(paths.quote(order.quoteId))).text);
    const accepting = ["Accept it by placing the order", "Accept and place the order"];
    for (const said of accepting) expect(await quotePage()).toContain(said);
    await act(order.link, "refused", { words: "Too many seats" });
    const refused = await quotePage();
    const details = `${order.steps}/subscription-details`;
    expect(refused).toMatch(new RegExp(`${order.reader} refused this quote on [^<]*: “Too many seats”`));
    expect(refused).toMatch(new RegExp(`<a [^>]*href="${details}"[^>]*>Change the order</a>`));
    for (const said of accepting) expect(refused).not.toContain(said);
    expect((await order.browser.get(details)).status).toBe(200);

    for (const mail of (await facts(order.id)).mails)
      if (mail.kind === "quote-answer") await sendMail(context, mail.id);
    const letterTo = async (to: string) =>
      (await levers.inbox(to)).find(({ subject }) => subject.startsWith("Refused: "))?.text;
    const toBuyer = await letterTo(order.email);
    for (const said of [order.reader, "Too many seats", "Change the order", `${stack.url}${details}`])
      expect(toBuyer).toContain(said);
    expect(await letterTo(order.reader)).not.toContain(details);

    const other = { kind: "approve" as const, email: freshEmail() };
    await act(await sendQuote(db, order.browser, order.quoteId, other), "approved");
    const approved = await quotePage();
    expect(approved).not.toContain("refused this quote on");
    for (const said of accepting) expect(approved).toContain(said);
  });

  test("whose link was forwarded: of two who answer at once one counts, and the other is told", async () => {
    const order = await sent("approve");
    const hash = fieldIn((await visit().get(order.link)).text, "hash");
    const answers = await Promise.all([
      visit().post(order.link, { intent: "approved", hash }),
      visit().post(order.link, { intent: "refused", hash, words: "No" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toMatch(
      /was (approved|refused) by this link on/,
    );
    expect(await answersOf(order)).toHaveLength(1);
    expect((await facts(order.id)).mails.filter(({ kind }) => kind === "quote-answer")).toHaveLength(2);
  });
});

describe("a link by which nothing can be done says so", () => {
  const linksTo = async (link: string, said: string) => {
    const page = await visit().get(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain(said);
    expect(page.text).not.toContain('value="approved"');
  };

  test("altered, truncated, or with another fingerprint of what was shown", async () => {
    const order = await sent("approve");
    const altered = `${order.link.slice(0, -1)}${order.link.endsWith("A") ? "B" : "A"}`;
    await linksTo(altered, "not complete, or was altered");
    await linksTo(order.link.slice(0, 30), "not complete, or was altered");
    const forged = await visit().post(order.link, { intent: "approved", hash: "0".repeat(64) });
    expect(forged.status).toBe(409);
    expect(await answersOf(order)).toEqual([null]);
  });

  test("after a change of the order, also for who had the page open", async () => {
    const order = await sent("approve");
    const reader = visit();
    const hash = fieldIn((await reader.get(order.link)).text, "hash");
    await changeSeats(order, 5);
    const late = await reader.post(order.link, { intent: "approved", hash });
    expect(late.status).toBe(409);
    expect(late.text).toContain("The order was changed after this link was sent");
    await linksTo(order.link, "The order was changed after this link was sent");
    expect(await answersOf(order)).toEqual([null]);
  });

  test("once the quote has ended", async () => {
    const order = await sent("approve");
    const past = new Date(Date.now() - 1_000);
    const { order: stored } = await facts(order.id);
    await db
      .updateTable("quotes")
      .set({ valid_until: past, hash: hashOfQuoted(stored, past) })
      .where("order_id", "=", order.id)
      .execute();
    await linksTo(order.link, "The quote has ended");
  });

  test("once the same reader was asked again, whose newer link works", async () => {
    const order = await sent("approve");
    const newer = await sendQuote(db, order.browser, order.quoteId, { kind: "approve", email: order.reader });
    await linksTo(order.link, "Open the newer one");
    expect((await act(newer, "approved")).location).toBe(newer);
    const third = await order.browser.post(paths.quote(order.quoteId), {
      intent: "approve",
      email: order.reader,
    });
    expect(third.status).toBe(400);
    expect(third.text).toContain("has answered for this quote already");
  });

  test("and a link to approve does not pay, nor one to pay approve", async () => {
    const toApprove = await sent("approve");
    expect((await act(toApprove.link, "checkout")).status).toBe(404);
    const toPay = await sent("pay");
    expect((await act(toPay.link, "approved")).status).toBe(404);
    expect((await facts(toApprove.id)).intents).toEqual([]);
  });
});

test("a mailbox and a company are asked so often and no more", async () => {
  const order = await sent("approve");
  const ask = (email: string) => order.browser.post(paths.quote(order.quoteId), { intent: "approve", email });
  const same = await Promise.all(Array.from({ length: 10 }, () => ask(order.reader)));
  expect(same.filter(({ status }) => status === 429)).toHaveLength(1);
  const others = await Promise.all(Array.from({ length: 20 }, () => ask(freshEmail())));
  expect(others.filter(({ status }) => status === 429)).toHaveLength(1);
});

describe("a payer", () => {
  const byCard = { wanted: { wanted: { family: "brio", item: "brio-desk" } } };

  test("goes to the checkout without an account, and all are told when it is paid", async () => {
    const order = await sent("pay", byCard);
    const page = await visit().get(order.link);
    expect(page.text).not.toContain(order.email);
    expect((await facts(order.id)).intents).toEqual([]);
    expect((await act(order.link, "checkout")).location).toBe(`${order.link}#checkout`);
    const ready = await visit().get(order.link);
    const providerOrderId = fieldIn(ready.text, "order_id");
    expect(ready.text).toContain("/payments/return?by=link");
    expect(ready.headers.get("content-security-policy")).toMatch(/form-action 'self' \S+/);

    const paid = await levers.pay({ orderId: providerOrderId, webhook: false });
    const payer = visit();
    const back = await payer.post("/payments/return?by=link", returnForm(providerOrderId, paid));
    expect(back.status).toBe(303);
    expect((await payer.get(back.location ?? "")).text).toContain("The payment has arrived");
    const { order: stored, mails } = await facts(order.id);
    expect(stored.paymentStatus).toBe("completed");
    expect(mails.filter(({ recipient }) => recipient === order.reader).map(({ kind }) => kind)).toEqual([
      "quote-request",
      "quote-answer",
    ]);
    expect((await visit().get(order.link)).text).toContain("This order is paid");
    expect((await act(order.link, "checkout").catch(() => null))?.status ?? 409).not.toBe(303);
  });

  test("whose payment cannot be looked at yet looks again from the page that says so", async () => {
    const order = await sent("pay", byCard);
    await act(order.link, "checkout");
    const providerOrderId = fieldIn((await visit().get(order.link)).text, "order_id");
    const paid = await levers.pay({ orderId: providerOrderId, webhook: false });
    const payer = visit();
    await levers.faults({ match: { path: "^/razorpay" }, kind: "500" });
    const back = await payer.post("/payments/return?by=link", returnForm(providerOrderId, paid));
    const page = await payer.get(back.location ?? "");
    expect(page.text).toContain("The payment is being checked");
    await levers.faults();
    const [, again = ""] = /<a class="button" href="([^"]+)">Check again/.exec(page.text) ?? [];
    expect((await payer.get(again.replaceAll("&amp;", "&"))).text).toContain("The payment has arrived");
  });

  test("whose payment fails is told so without an account, and can try again", async () => {
    const order = await sent("pay", byCard);
    await act(order.link, "checkout");
    const providerOrderId = fieldIn((await visit().get(order.link)).text, "order_id");
    const { paymentId } = await levers.pay({ orderId: providerOrderId, webhook: false, status: "failed" });
    const metadata = JSON.stringify({ order_id: providerOrderId, payment_id: paymentId });
    const back = await visit().post("/payments/return?by=link", { "error[metadata]": metadata });
    const payer = visit();
    await payer.get(order.link);
    const page = await payer.get(back.location ?? "");
    expect(page.text).toContain("The payment was not successful");
    expect(page.text).toContain(`href="${order.link}#checkout"`);
    expect(page.text).not.toContain("Open the link in your mail");
    expect((await payer.get(order.link)).text).toContain("Go on to Razorpay and pay");

    // Whoever only went back from the checkout is led the same way.
    const left = JSON.stringify({ order_id: providerOrderId });
    const backAgain = await payer.post("/payments/return?by=link", { "error[metadata]": left });
    const told = await payer.get(backAgain.location ?? "");
    expect(told.text).toContain("The payment was not successful");
    expect(told.text).toContain(`href="${order.link}#checkout"`);

    // A browser that did not come from this order's link is not shown it, and told where it is.
    const another = await sent("pay", byCard);
    await act(another.link, "checkout");
    const elsewhere = visit();
    await elsewhere.get(another.link);
    for (const stranger of [visit(), elsewhere]) {
      const told = await stranger.get(back.location ?? "");
      expect(told.text).toContain("Open the link in your mail to try again");
      expect(told.text).not.toContain("/requests/");
    }
  });

  test.each([
    { intent: "checkout", part: "checkout", next: "Next: go on to Razorpay" },
    { intent: "transfer", part: "account", next: "Next: transfer the amount" },
    { intent: "transferred", part: "said", next: "Nothing is left for you to do" },
  ])("is led to what answers $intent, and told what to do next", async ({ intent, part, next }) => {
    const order = await sent("pay", byCard);
    if (intent === "transferred") await act(order.link, "transfer");
    const payer = visit();
    const hash = fieldIn((await payer.get(order.link)).text, "hash");
    const { location } = await payer.post(order.link, { intent, hash });
    expect(location).toBe(`${order.link}#${part}`);
    const page = await payer.get(order.link);
    expect(page.text.split(` id="${part}"`)).toHaveLength(2);
    expect(page.text.slice(0, page.text.indexOf("<main"))).toContain(next);
  });

  test("who has transferred a part is told what came and what is missing, and asked for that alone", async () => {
    const order = await sent("pay", byCard);
    await act(order.link, "checkout");
    await act(order.link, "transfer");
    const part = Math.floor(order.totalMinor / 300) * 100;
    expect(await transferIn(order, part)).toBe("pending");
    const { text } = await visit().get(order.link);
    const [came, missing] = [part, order.totalMinor - part].map((minor) => formatMoney(money(minor, "INR")));
    expect(text).toContain(`${came} has arrived. ${missing} is missing: transfer it to the same account.`);
    expect(text).toContain(`<dd>${formatExact(money(order.totalMinor - part, "INR"))}</dd>`);
    for (const offered of ['value="checkout"', "Go on to Razorpay", 'value="transfer"', "order_id"])
      expect(text).not.toContain(offered);
    expect(text).not.toContain("cannot be paid by link here");
    expect(await transferIn(order, order.totalMinor - part)).toBe("completed");
    expect((await visit().get(order.link)).text).toContain("This order is paid");
  });

  test("transfers to the order's account, and says so, which moves no money", async () => {
    const order = await sent("pay", byCard);
    await act(order.link, "transfer");
    const page = await visit().get(order.link);
    for (const said of ["Account number", "RATN0VAAPIS", "Paid by transfer"])
      expect(page.text).toContain(said);
    const before = await facts(order.id);
    expect((await act(order.link, "transferred")).location).toBe(`${order.link}#said`);
    const after = await facts(order.id);
    expect(after.order).toEqual(before.order);
    expect(after.intents).toEqual(before.intents);
    const news = after.mails.slice(before.mails.length).map(({ kind, recipient }) => [kind, recipient]);
    expect(news.sort()).toEqual([
      ["order-notice", "operator"],
      ["quote-answer", order.email],
    ]);
    const { id, data } = await db
      .selectFrom("mails")
      .select(["id", "data"])
      .where("order_id", "=", order.id)
      .where("kind", "=", "order-notice")
      .executeTakeFirstOrThrow();
    expect(data).toMatchObject({ what: expect.stringContaining("Nothing needs to be done") });
    await sendMail(context, id);
    const told = (await levers.inbox(context.env.OPERATOR_EMAIL)).find(({ text }) =>
      text.includes(order.reader),
    );
    expect(told?.subject).toMatch(/^Paid by transfer, says the payer: /);
    expect(told?.text).not.toContain("attention");
    expect((await act(order.link, "transferred")).status).toBe(409);
    expect((await visit().get(order.link)).text).toContain("You said on");
  });

  describe("pays an order that then waits for its buyer's sign-in", () => {
    const letters = async ({ id, email }: Awaited<ReturnType<typeof sent>>) => {
      for (const mail of (await facts(id)).mails) await sendMail(context, mail.id);
      return levers.inbox(email);
    };

    test("by card, reported twice at once: the buyer is called back at once, once, to choose the account", async () => {
      const order = await sent("pay", { wanted: { quantity: 1 } });
      await act(order.link, "checkout");
      const providerOrderId = fieldIn((await visit().get(order.link)).text, "order_id");
      const paid = await levers.pay({ orderId: providerOrderId, webhook: false });
      const form = returnForm(providerOrderId, paid);
      const payers = [visit(), visit()];
      const back = await Promise.all(payers.map((payer) => payer.post("/payments/return?by=link", form)));
      await Promise.all(back.map(({ location }, index) => payers[index]?.get(location ?? "")));
      const { order: stored, mails } = await facts(order.id);
      expect(stored.fulfilmentStatus).toBe("waiting_for_signin");
      const calls = mails.filter(({ kind }) => kind === "signin-reminder");
      expect(calls.map(({ recipient }) => recipient)).toEqual([order.email]);
      const letter = (await letters(order)).find(({ subject }) => subject.startsWith("One step left"));
      expect(letter?.text).toContain(`Your order of ${stored.line.name} is paid.`);
      expect(letter?.text).toContain("Choose the account now");
      const link = /\/resume\/[\w-]+/.exec(letter?.text ?? "")?.[0] ?? "";
      const opened = await order.browser.post(link, {});
      expect(opened.location).toBe(order.steps);
      expect((await order.browser.get(order.steps)).location).toBe(`${order.steps}/sign-in`);
    });

    test("by transfer: the buyer is called back, and what is said of the money says that the order waits", async () => {
      const order = await sent("pay");
      await act(order.link, "transfer");
      expect(await transferIn(order, order.totalMinor)).toBe("completed");
      const kinds = (await facts(order.id)).mails.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "signin-reminder")).toHaveLength(1);
      const inbox = await letters(order);
      const arrived = inbox.find(({ subject }) => subject.endsWith("has arrived"));
      for (const said of ["has arrived in full. Your order waits for you", "Choose the account now"])
        expect(arrived?.text).toContain(said);
      expect(arrived?.text).not.toContain("goes on");
      const proforma = await order.browser.get(paths.proforma(order.id));
      expect(proforma.text).toContain("Your order waits for you: choose the account it is for.");
    });

    test("but of whom the order wants nothing more, or who pays it in the checkout, is not mailed to", async () => {
      const whole = await sent("pay", byCard);
      await act(whole.link, "checkout");
      const ofLink = fieldIn((await visit().get(whole.link)).text, "order_id");
      const own = await sent("approve", { wanted: { quantity: 1 } });
      await placeOrder(own.browser, { path: own.steps, totalMinor: own.totalMinor });
      const ofBuyer = await providerOrderOf(own.browser, { path: own.steps });
      for (const [order, providerOrderId] of [
        [whole, ofLink],
        [own, ofBuyer],
      ] as const) {
        const paid = await levers.pay({ orderId: providerOrderId, webhook: false });
        await visit().post("/payments/return", returnForm(providerOrderId, paid));
        const { order: stored, mails } = await facts(order.id);
        expect(stored.paymentStatus).toBe("completed");
        expect(mails.map(({ kind }) => kind)).not.toContain("signin-reminder");
      }
    });
  });

  test("is bound to what was shown: a change meanwhile takes no money", async () => {
    const order = await sent("pay");
    const reader = visit();
    const hash = fieldIn((await reader.get(order.link)).text, "hash");
    await changeSeats(order, 7);
    const late = await reader.post(order.link, { intent: "checkout", hash });
    expect(late.status).toBe(409);
    expect((await facts(order.id)).intents).toEqual([]);
  });

  test("is asked with the terms accepted, and not without", async () => {
    const order = await sent("approve");
    const answer = await order.browser.post(paths.quote(order.quoteId), {
      intent: "pay",
      email: freshEmail(),
    });
    expect(answer.status).toBe(400);
    expect(await listRequests(db, order.quoteId)).toHaveLength(1);
  });
});

test("two who pay the same quote at once, by transfer and by card: it is carried out once, and the surplus is for a person", async () => {
  const order = await sent("pay", { wanted: { wanted: { family: "brio", item: "brio-desk" } } });
  await act(order.link, "transfer");
  const accountId = await accountOf(levers, { id: order.id, path: order.steps });
  await placeOrder(order.browser, { path: order.steps, totalMinor: order.totalMinor });
  const providerOrderId = await providerOrderOf(order.browser, { path: order.steps });
  const credit = await levers.credit({ accountId, amount: order.totalMinor });
  const card = await levers.pay({ orderId: providerOrderId, webhook: false });
  const cardId = String(new URLSearchParams(returnForm(providerOrderId, card)).get("razorpay_payment_id"));
  const both = await Promise.all([
    settlePayment(context, {
      provider: "bank-transfer",
      account: "IN",
      providerOrderId: accountId,
      providerPaymentId: credit,
    }),
    settlePayment(context, {
      provider: "razorpay",
      account: "IN",
      providerOrderId,
      providerPaymentId: cardId,
    }),
  ]);
  expect(both.map(({ state }) => state)).toEqual(["completed", "completed"]);
  const statuses = (await listPayments(db, order.id)).map(({ status }) => status).sort();
  expect(statuses).toEqual(["captured", "surplus"]);
  const invoices = await db
    .selectFrom("invoices")
    .select("number")
    .where("order_id", "=", order.id)
    .execute();
  expect(invoices).toHaveLength(1);
  const jobs = (await queuedJobs(db)).filter(
    ({ task, key }) => task === "fulfil-order" && key?.endsWith(order.id),
  );
  expect(jobs).toHaveLength(1);
  const { mails } = await facts(order.id);
  expect(mails.filter(({ kind }) => kind === "operator-alert")).toHaveLength(1);
});

describe("when the order is changed after links were sent", () => {
  const voids = async (id: OrderId) =>
    (await mailsOfOrder(db, id)).filter(({ kind }) => kind === "quote-void");
  /** As the worker does it. @returns the newest letter to this address */
  async function deliver(id: OrderId, to: string) {
    for (const mail of await voids(id)) await sendMail(context, mail.id);
    return (await levers.inbox(to)).find(({ subject }) => subject.startsWith("Changed: "));
  }

  test("each who has not acted is told once, by the reason for which they were asked, and nobody else", async () => {
    const order = await sent("approve");
    const [payer, done, told] = [freshEmail(), freshEmail(), freshEmail()];
    await sendQuote(db, order.browser, order.quoteId, { kind: "pay", email: payer });
    const yes = await sendQuote(db, order.browser, order.quoteId, { kind: "approve", email: done });
    await act(yes, "approved");
    const transferred = await sendQuote(db, order.browser, order.quoteId, { kind: "pay", email: told });
    await act(transferred, "transferred");
    // Asked again: the earlier request was replaced, and is not one more.
    await sendQuote(db, order.browser, order.quoteId, { kind: "approve", email: order.reader });
    await sendQuote(db, order.browser, order.quoteId, { kind: "pay", email: order.email });
    expect(await voids(order.id)).toEqual([]);

    await changeSeats(order, 7);
    await renewQuote(context, order.id);
    await renewQuote(context, order.id);
    const mails = await voids(order.id);
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual([order.reader, payer].toSorted());
    const toApprover = await deliver(order.id, order.reader);
    expect(toApprover?.text).toContain("that you were asked to approve was changed");
    expect(toApprover?.text).toContain("The link you were sent no longer counts.");
    expect(toApprover?.text).toContain("A new one follows when Asha Rao sends it.");
    expect((await deliver(order.id, payer))?.text).toContain("that you were asked to pay was changed");

    // Of the next version nobody was asked, so a second change voids nothing.
    await changeSeats(order, 8);
    await renewQuote(context, order.id);
    expect(await voids(order.id)).toHaveLength(2);
  });

  test("and changed back before anybody looked, nobody is told; nor who has the new link by the time the mail goes out", async () => {
    const order = await sent("approve");
    await changeSeats(order, 7);
    await changeSeats(order, 4);
    await renewQuote(context, order.id);
    expect(await voids(order.id)).toEqual([]);
    await changeSeats(order, 7);
    await renewQuote(context, order.id);
    expect(await voids(order.id)).toHaveLength(1);
    const newer = await findLatestVersion(db, order.id);
    if (newer === null) throw new Error("No newer version");
    await sendQuote(db, order.browser, newer.id, { kind: "approve", email: order.reader });
    expect(await deliver(order.id, order.reader)).toBeUndefined();
  });
});
