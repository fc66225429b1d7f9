/**
 * Approve by link, pay by link (docs/decisions/quotes.md#approval-and-payment-by-link): a link asks one person about what was quoted, opening it changes nothing, each
 * action counts once, and a link that no longer works says why.
 */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { listPayments } from "#db/billing/payments.ts";
import type { OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { findLatestVersion, renewQuote } from "#server/billing/quotes/quote.ts";
import { quoteFingerprint } from "#server/billing/quotes/quote-fingerprint.ts";
import { listQuoteRequests } from "#server/billing/quotes/requests.ts";
import { formatExact, formatMoney } from "#server/catalogue/pricing/format.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { findOrder } from "#server/orders/find.ts";
import { HttpBrowser, hiddenFieldValue, mainContentOf } from "#tests/support/http-browser.ts";
import { freshEmail, placeOrder, providerOrderOf, returnForm, toReview } from "#tests/support/journey.ts";
import { mailsOfOrder } from "#tests/support/orders.ts";
import { queuedJobs } from "#tests/support/queue.ts";
import { makeQuoteOf, sendQuote } from "#tests/support/quotes.ts";
import { startStore } from "#tests/support/store.ts";
import { accountOf } from "#tests/support/transfer.ts";

const { stack, context, controls } = await startStore();
const { db } = context;

async function sent(kind: "approve" | "pay", { why = "", wanted = {} } = {}) {
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser, { quantity: 4, ...wanted });
  const quoteId = await makeQuoteOf(browser, order);
  const email = freshEmail();
  const link = await sendQuote(db, browser, quoteId, { kind, email, why });
  return { browser, ...order, steps: order.path, quoteId, reader: email, link };
}

const visit = () => new HttpBrowser(stack.url);

/** Performs an action through the link, with the hash that its page shows. */
async function act(link: string, intent: string, more: Record<string, string> = {}) {
  const reader = visit();
  const hash = hiddenFieldValue((await reader.get(link)).text, "hash");
  return reader.post(link, { intent, hash, ...more });
}

const answersOf = async ({ quoteId }: Awaited<ReturnType<typeof sent>>) =>
  (await listQuoteRequests(db, quoteId)).map(
    ({ answer }) => answer && { what: answer.what, words: answer.words },
  );

async function facts(id: OrderId) {
  const order = await findOrder(db, id);
  if (order === null) throw new Error(`Order ${id} not found`);
  const mails = await mailsOfOrder(db, id);
  const intents = await db.selectFrom("payment_intents").selectAll().where("order_id", "=", id).execute();
  return { order, mails, intents };
}

/** Credits money to the account of an order. @returns the resulting payment state */
async function transferIn(order: Awaited<ReturnType<typeof sent>>, amount: number) {
  const accountId = await accountOf(controls, { id: order.id, path: order.steps });
  const providerPaymentId = await controls.credit({ accountId, amount });
  const provider = "bank-transfer";
  return (
    await settlePayment(context, { provider, account: "IN", providerOrderId: accountId, providerPaymentId })
  ).state;
}

const changeSeats = ({ browser, steps }: { browser: HttpBrowser; steps: string }, quantity: number) =>
  browser.post(`${steps}/subscription-details`, { term: "P1Y", quantity: String(quantity) });

describe("an approver", () => {
  test("sees requester, reason and lines on a small page without script, read-only", async () => {
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
    // The verified email, next to the name that anyone may choose.
    expect(page.text).toContain(order.email);
    expect(page.text).not.toContain("<script");
    expect(gzipSync(page.text).length).toBeLessThan(6 * 1024);
    expect(await facts(order.id)).toEqual(before);
    expect(await answersOf(order)).toEqual([null]);
  });

  test("approves once; both get a mail, and the link then shows the decision", async () => {
    const order = await sent("approve");
    const answer = await act(order.link, "approved", { words: "Fine by me" });
    expect(answer.location).toBe(order.link);
    expect(await answersOf(order)).toEqual([{ what: "approved", words: "Fine by me" }]);
    const mails = (await facts(order.id)).mails.filter(({ kind }) => kind === "quote-answer");
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual([order.email, order.reader].sort());
    const again = await visit().get(order.link);
    for (const said of [
      "<h1>Approved</h1>",
      "<title>Approved",
      "Thank you. You approved this order on",
      "Your comment: “Fine by me”",
    ])
      expect(again.text).toContain(said);
    expect(again.text).not.toContain("Nothing to do here");
    expect(again.text).not.toContain("Decline</button>");
    const buyers = await order.browser.get(paths.quote(order.quoteId));
    expect(buyers.text).toContain("Fine by me");
  });

  test("declines with a reason only", async () => {
    const order = await sent("approve");
    const wordless = await act(order.link, "refused");
    expect(wordless.status).toBe(400);
    expect(wordless.text).toContain("Say why you&#x27;re declining");
    expect(await answersOf(order)).toEqual([null]);
    await act(order.link, "refused", { words: "Too many seats" });
    expect(await answersOf(order)).toEqual([{ what: "refused", words: "Too many seats" }]);
    const again = await visit().get(order.link);
    for (const said of ["<h1>Declined</h1>", "<title>Declined", "Your comment: “Too many seats”"])
      expect(again.text).toContain(said);
  });

  test("shows the buyer who declined, on quote and by mail, until another approves", async () => {
    const order = await sent("approve");
    const quotePage = async () => mainContentOf((await order.browser.get(paths.quote(order.quoteId))).text);
    const accepting = ["To accept it, place the order", "Accept and place the order"];
    for (const said of accepting) expect(await quotePage()).toContain(said);
    await act(order.link, "refused", { words: "Too many seats" });
    const refused = await quotePage();
    const details = `${order.steps}/subscription-details`;
    expect(refused).toMatch(new RegExp(`${order.reader} declined this quote on [^<]*: “Too many seats”`));
    expect(refused).toMatch(new RegExp(`<a [^>]*href="${details}"[^>]*>Change the order</a>`));
    for (const said of accepting) expect(refused).not.toContain(said);
    expect((await order.browser.get(details)).status).toBe(200);

    for (const mail of (await facts(order.id)).mails)
      if (mail.kind === "quote-answer") await sendMail(context, mail.id);
    const letterTo = async (to: string) =>
      (await controls.inbox(to)).find(({ subject }) => subject.startsWith("Declined: "))?.text;
    const toBuyer = await letterTo(order.email);
    for (const said of [order.reader, "Too many seats", "Change the order", `${stack.url}${details}`])
      expect(toBuyer).toContain(said);
    expect(await letterTo(order.reader)).not.toContain(details);

    const other = { kind: "approve" as const, email: freshEmail() };
    await act(await sendQuote(db, order.browser, order.quoteId, other), "approved");
    const approved = await quotePage();
    expect(approved).not.toContain("declined this quote on");
    for (const said of accepting) expect(approved).toContain(said);
  });

  test("decides once through a forwarded link; the second of two responses is refused", async () => {
    const order = await sent("approve");
    const hash = hiddenFieldValue((await visit().get(order.link)).text, "hash");
    const answers = await Promise.all([
      visit().post(order.link, { intent: "approved", hash }),
      visit().post(order.link, { intent: "refused", hash, words: "No" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toMatch(
      /You (approved|declined) this order on/,
    );
    expect(await answersOf(order)).toHaveLength(1);
    expect((await facts(order.id)).mails.filter(({ kind }) => kind === "quote-answer")).toHaveLength(2);
  });
});

describe("a link that no longer works", () => {
  const linksTo = async (link: string, said: string) => {
    const page = await visit().get(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain(said);
    expect(page.text).not.toContain('value="approved"');
  };

  test("shows an error if altered, truncated or sent with another fingerprint", async () => {
    const order = await sent("approve");
    const altered = `${order.link.slice(0, -1)}${order.link.endsWith("A") ? "B" : "A"}`;
    await linksTo(altered, "This link is incomplete or has been changed");
    await linksTo(order.link.slice(0, 30), "This link is incomplete or has been changed");
    const forged = await visit().post(order.link, { intent: "approved", hash: "0".repeat(64) });
    expect(forged.status).toBe(409);
    expect(await answersOf(order)).toEqual([null]);
  });

  test("refuses an approval after a change, also on a page opened before", async () => {
    const order = await sent("approve");
    const reader = visit();
    const hash = hiddenFieldValue((await reader.get(order.link)).text, "hash");
    await changeSeats(order, 5);
    const late = await reader.post(order.link, { intent: "approved", hash });
    expect(late.status).toBe(409);
    expect(late.text).toContain("The order changed after this link was sent");
    await linksTo(order.link, "The order changed after this link was sent");
    expect(await answersOf(order)).toEqual([null]);
  });

  test("says that the quote has expired", async () => {
    const order = await sent("approve");
    const past = new Date(Date.now() - 1_000);
    const { order: stored } = await facts(order.id);
    await db
      .updateTable("quotes")
      .set({ valid_until: past, hash: quoteFingerprint(stored, past) })
      .where("order_id", "=", order.id)
      .execute();
    await linksTo(order.link, "This quote has expired");
  });

  test("stops working after a newer request to the same recipient", async () => {
    const order = await sent("approve");
    const newer = await sendQuote(db, order.browser, order.quoteId, { kind: "approve", email: order.reader });
    await linksTo(order.link, "We&#x27;ve sent you a newer link");
    expect((await act(newer, "approved")).location).toBe(newer);
    const third = await order.browser.post(paths.quote(order.quoteId), {
      intent: "approve",
      email: order.reader,
    });
    expect(third.status).toBe(400);
    expect(third.text).toContain("has already responded to this quote");
  });

  test("refuses to pay if sent for approval, and the reverse", async () => {
    const toApprove = await sent("approve");
    expect((await act(toApprove.link, "checkout")).status).toBe(404);
    const toPay = await sent("pay");
    expect((await act(toPay.link, "approved")).status).toBe(404);
    expect((await facts(toApprove.id)).intents).toEqual([]);
  });
});

test("limits requests to ten a day per mailbox and twenty an hour", async () => {
  const order = await sent("approve");
  const ask = (email: string) => order.browser.post(paths.quote(order.quoteId), { intent: "approve", email });
  const same = await Promise.all(Array.from({ length: 10 }, () => ask(order.reader)));
  expect(same.filter(({ status }) => status === 429)).toHaveLength(1);
  const others = await Promise.all(Array.from({ length: 20 }, () => ask(freshEmail())));
  expect(others.filter(({ status }) => status === 429)).toHaveLength(11);
});

describe("a payer", () => {
  const byCard = { wanted: { wanted: { family: "brio", item: "brio-desk" } } };

  test("pays without an account; payer and buyer get a mail", async () => {
    const order = await sent("pay", byCard);
    const page = await visit().get(order.link);
    // Only next to the requester's name, not in a field sent to the checkout.
    expect(page.text.split(order.email)).toHaveLength(2);
    expect((await facts(order.id)).intents).toEqual([]);
    expect((await act(order.link, "checkout")).location).toBe(`${order.link}#checkout`);
    const ready = await visit().get(order.link);
    const providerOrderId = hiddenFieldValue(ready.text, "order_id");
    expect(ready.text).toContain("/payments/return?by=link");
    expect(ready.headers.get("content-security-policy")).toMatch(/form-action 'self' \S+/);

    const paid = await controls.pay({ orderId: providerOrderId, webhook: false });
    const payer = visit();
    const back = await payer.post("/payments/return?by=link", returnForm(providerOrderId, paid));
    expect(back.status).toBe(303);
    expect((await payer.get(back.location ?? "")).text).toContain("Payment received");
    const { order: stored, mails } = await facts(order.id);
    expect(stored.paymentStatus).toBe("completed");
    expect(mails.filter(({ recipient }) => recipient === order.reader).map(({ kind }) => kind)).toEqual([
      "quote-request",
      "quote-answer",
    ]);
    expect((await visit().get(order.link)).text).toContain("This order is paid");
    expect((await act(order.link, "checkout").catch(() => null))?.status ?? 409).not.toBe(303);
  });

  test("checks again while the payment cannot be verified", async () => {
    const order = await sent("pay", byCard);
    await act(order.link, "checkout");
    const providerOrderId = hiddenFieldValue((await visit().get(order.link)).text, "order_id");
    const paid = await controls.pay({ orderId: providerOrderId, webhook: false });
    const payer = visit();
    await controls.faults({ match: { path: "^/razorpay" }, kind: "500" });
    const back = await payer.post("/payments/return?by=link", returnForm(providerOrderId, paid));
    const page = await payer.get(back.location ?? "");
    expect(page.text).toContain("Checking your payment");
    await controls.faults();
    const [, again = ""] = /<a class="button" href="([^"]+)">Check again/.exec(page.text) ?? [];
    expect((await payer.get(again.replaceAll("&amp;", "&"))).text).toContain("Payment received");
  });

  test("sees a failed payment without an account, and can retry", async () => {
    const order = await sent("pay", byCard);
    await act(order.link, "checkout");
    const providerOrderId = hiddenFieldValue((await visit().get(order.link)).text, "order_id");
    const { paymentId } = await controls.pay({ orderId: providerOrderId, webhook: false, status: "failed" });
    const metadata = JSON.stringify({ order_id: providerOrderId, payment_id: paymentId });
    const back = await visit().post("/payments/return?by=link", { "error[metadata]": metadata });
    const payer = visit();
    await payer.get(order.link);
    const page = await payer.get(back.location ?? "");
    expect(page.text).toContain("The payment was not successful");
    expect(page.text).toContain(`href="${order.link}#checkout"`);
    expect(page.text).not.toContain("Open the link in your email");
    expect((await payer.get(order.link)).text).toContain("Continue to Razorpay to pay");

    // Returning from the checkout without paying leads to the same page.
    const left = JSON.stringify({ order_id: providerOrderId });
    const backAgain = await payer.post("/payments/return?by=link", { "error[metadata]": left });
    const response = await payer.get(backAgain.location ?? "");
    expect(response.text).toContain("The payment was not successful");
    expect(response.text).toContain(`href="${order.link}#checkout"`);

    // A browser without this order's link is not shown it, but told to open the mail.
    const another = await sent("pay", byCard);
    await act(another.link, "checkout");
    const elsewhere = visit();
    await elsewhere.get(another.link);
    for (const stranger of [visit(), elsewhere]) {
      const reply = await stranger.get(back.location ?? "");
      expect(reply.text).toContain("Open the link in your email to try again");
      expect(reply.text).not.toContain("/requests/");
    }
  });

  test.each([
    { intent: "checkout", part: "checkout", next: "Next: select the button below to pay on Razorpay" },
    { intent: "transfer", part: "account", next: "Next: transfer the amount" },
    { intent: "transferred", part: "said", next: "There&#x27;s nothing left for you to do" },
  ])("lands on the response to $intent, with the next step", async ({ intent, part, next }) => {
    const order = await sent("pay", byCard);
    if (intent === "transferred") await act(order.link, "transfer");
    const payer = visit();
    const hash = hiddenFieldValue((await payer.get(order.link)).text, "hash");
    const { location } = await payer.post(order.link, { intent, hash });
    expect(location).toBe(`${order.link}#${part}`);
    const page = await payer.get(order.link);
    expect(page.text.split(` id="${part}"`)).toHaveLength(2);
    expect(page.text.slice(0, page.text.indexOf("<main"))).toContain(next);
  });

  test("sees what arrived and what is missing after a partial transfer", async () => {
    const order = await sent("pay", byCard);
    await act(order.link, "checkout");
    await act(order.link, "transfer");
    const part = Math.floor(order.totalMinor / 300) * 100;
    expect(await transferIn(order, part)).toBe("pending");
    const { text } = await visit().get(order.link);
    const [came, missing] = [part, order.totalMinor - part].map((minor) => formatMoney(money(minor, "INR")));
    expect(text).toContain(
      `We&#x27;ve received ${came}. ${missing} is still due: transfer it to the same account.`,
    );
    expect(text).toContain(`<dd>${formatExact(money(order.totalMinor - part, "INR"))}</dd>`);
    for (const offered of ['value="checkout"', "Continue to Razorpay", 'value="transfer"', "order_id"])
      expect(text).not.toContain(offered);
    expect(text).not.toContain("can&#x27;t be paid by link here");
    expect(await transferIn(order, order.totalMinor - part)).toBe("completed");
    expect((await visit().get(order.link)).text).toContain("This order is paid");
  });

  test("reports a transfer, which moves no money", async () => {
    const order = await sent("pay", byCard);
    await act(order.link, "transfer");
    const page = await visit().get(order.link);
    for (const said of ["Account number", "RATN0VAAPIS", "Mark as paid by transfer"])
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
    expect(data).toMatchObject({ what: expect.stringContaining("You don't need to do anything") });
    await sendMail(context, id);
    const mail = (await controls.inbox(context.env.OPERATOR_EMAIL)).find(({ text }) =>
      text.includes(order.reader),
    );
    expect(mail?.subject).toMatch(/^Paid by transfer, says the payer: /);
    expect(mail?.text).not.toContain("attention");
    expect((await act(order.link, "transferred")).status).toBe(409);
    expect((await visit().get(order.link)).text).toContain("You said on");
  });

  describe("pays an order that then waits for the buyer's sign-in details", () => {
    const letters = async ({ id, email }: Awaited<ReturnType<typeof sent>>) => {
      for (const mail of (await facts(id)).mails) await sendMail(context, mail.id);
      return controls.inbox(email);
    };

    test("sends the buyer one mail after a card payment that is reported twice", async () => {
      const order = await sent("pay", { wanted: { quantity: 1 } });
      await act(order.link, "checkout");
      const providerOrderId = hiddenFieldValue((await visit().get(order.link)).text, "order_id");
      const paid = await controls.pay({ orderId: providerOrderId, webhook: false });
      const form = returnForm(providerOrderId, paid);
      const payers = [visit(), visit()];
      const back = await Promise.all(payers.map((payer) => payer.post("/payments/return?by=link", form)));
      await Promise.all(back.map(({ location }, index) => payers[index]?.get(location ?? "")));
      const { order: stored, mails } = await facts(order.id);
      expect(stored.fulfilmentStatus).toBe("waiting_for_signin");
      const calls = mails.filter(({ kind }) => kind === "signin-reminder");
      expect(calls.map(({ recipient }) => recipient)).toEqual([order.email]);
      const letter = (await letters(order)).find(({ subject }) => subject.startsWith("One step left"));
      expect(letter?.text).toContain(`Your order for ${stored.line.name} is paid.`);
      expect(letter?.text).toContain("Choose the account now");
      const link = /\/resume\/[\w-]+/.exec(letter?.text ?? "")?.[0] ?? "";
      const opened = await order.browser.post(link, {});
      expect(opened.location).toBe(order.steps);
      expect((await order.browser.get(order.steps)).location).toBe(`${order.steps}/sign-in`);
    });

    test("sends the buyer a mail after a transfer, which mentions the missing step", async () => {
      const order = await sent("pay");
      await act(order.link, "transfer");
      expect(await transferIn(order, order.totalMinor)).toBe("completed");
      const kinds = (await facts(order.id)).mails.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "signin-reminder")).toHaveLength(1);
      const inbox = await letters(order);
      const arrived = inbox.find(({ subject }) => subject.startsWith("Payment received for"));
      for (const said of [
        "received your payment in full. Next, choose the account",
        "Choose the account now",
      ])
        expect(arrived?.text).toContain(said);
      expect(arrived?.text).not.toContain("is being processed");
      const proforma = await order.browser.get(paths.proforma(order.id));
      expect(proforma.text).toContain("Next, choose the account it&#x27;s for.");
    });

    test("sends no mail without a missing step, or to a buyer who pays in the checkout", async () => {
      const whole = await sent("pay", byCard);
      await act(whole.link, "checkout");
      const ofLink = hiddenFieldValue((await visit().get(whole.link)).text, "order_id");
      const own = await sent("approve", { wanted: { quantity: 1 } });
      await placeOrder(own.browser, { path: own.steps, totalMinor: own.totalMinor });
      const ofBuyer = await providerOrderOf(own.browser, { path: own.steps });
      for (const [order, providerOrderId] of [
        [whole, ofLink],
        [own, ofBuyer],
      ] as const) {
        const paid = await controls.pay({ orderId: providerOrderId, webhook: false });
        await visit().post("/payments/return", returnForm(providerOrderId, paid));
        const { order: stored, mails } = await facts(order.id);
        expect(stored.paymentStatus).toBe("completed");
        expect(mails.map(({ kind }) => kind)).not.toContain("signin-reminder");
      }
    });
  });

  test("pays nothing for an order that changed since the link was opened", async () => {
    const order = await sent("pay");
    const reader = visit();
    const hash = hiddenFieldValue((await reader.get(order.link)).text, "hash");
    await changeSeats(order, 7);
    const late = await reader.post(order.link, { intent: "checkout", hash });
    expect(late.status).toBe(409);
    expect((await facts(order.id)).intents).toEqual([]);
  });

  test("requires the buyer's acceptance of the terms before the request", async () => {
    const order = await sent("approve");
    const answer = await order.browser.post(paths.quote(order.quoteId), {
      intent: "pay",
      email: freshEmail(),
    });
    expect(answer.status).toBe(400);
    expect(await listQuoteRequests(db, order.quoteId)).toHaveLength(1);
  });
});

test("fulfils an order once when paid twice at once, and alerts about the surplus", async () => {
  const order = await sent("pay", { wanted: { wanted: { family: "brio", item: "brio-desk" } } });
  await act(order.link, "transfer");
  const accountId = await accountOf(controls, { id: order.id, path: order.steps });
  await placeOrder(order.browser, { path: order.steps, totalMinor: order.totalMinor });
  const providerOrderId = await providerOrderOf(order.browser, { path: order.steps });
  const credit = await controls.credit({ accountId, amount: order.totalMinor });
  const card = await controls.pay({ orderId: providerOrderId, webhook: false });
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

describe("a change of the order after links were sent", () => {
  const voids = async (id: OrderId) =>
    (await mailsOfOrder(db, id)).filter(({ kind }) => kind === "quote-void");
  /** Sends the queued mails, as the worker does. @returns the newest mail to this address */
  async function deliver(id: OrderId, to: string) {
    for (const mail of await voids(id)) await sendMail(context, mail.id);
    return (await controls.inbox(to)).find(({ subject }) => subject.startsWith("Order changed: "));
  }

  test("mails once to each open recipient, with the reason of the request", async () => {
    const order = await sent("approve");
    const [payer, done, reported] = [freshEmail(), freshEmail(), freshEmail()];
    await sendQuote(db, order.browser, order.quoteId, { kind: "pay", email: payer });
    const yes = await sendQuote(db, order.browser, order.quoteId, { kind: "approve", email: done });
    await act(yes, "approved");
    const transferred = await sendQuote(db, order.browser, order.quoteId, { kind: "pay", email: reported });
    await act(transferred, "transferred");
    // Asked again: the new request replaces the earlier one.
    await sendQuote(db, order.browser, order.quoteId, { kind: "approve", email: order.reader });
    await sendQuote(db, order.browser, order.quoteId, { kind: "pay", email: order.email });
    expect(await voids(order.id)).toEqual([]);

    await changeSeats(order, 7);
    await renewQuote(context, order.id);
    await renewQuote(context, order.id);
    const mails = await voids(order.id);
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual([order.reader, payer].toSorted());
    const toApprover = await deliver(order.id, order.reader);
    expect(toApprover?.text).toContain("that you were asked to approve has changed");
    expect(toApprover?.text).toContain("so the link you were sent no longer works.");
    expect(toApprover?.text).toContain(`Asha Rao (${order.email}) can send you a new one.`);
    expect((await deliver(order.id, payer))?.text).toContain("that you were asked to pay has changed");

    // Nobody was asked about the next version, so a second change voids nothing.
    await changeSeats(order, 8);
    await renewQuote(context, order.id);
    expect(await voids(order.id)).toHaveLength(2);
  });

  test("sends nothing if changed back in time, or if the recipient has a newer link", async () => {
    const order = await sent("approve");
    await changeSeats(order, 7);
    await changeSeats(order, 4);
    await renewQuote(context, order.id);
    expect(await voids(order.id)).toEqual([]);
    await changeSeats(order, 7);
    await renewQuote(context, order.id);
    expect(await voids(order.id)).toHaveLength(1);
    const newer = await findLatestVersion(db, order.id);
    if (newer === null) throw new Error("Expected a newer version");
    await sendQuote(db, order.browser, newer.id, { kind: "approve", email: order.reader });
    expect(await deliver(order.id, order.reader)).toBeUndefined();
  });
});
