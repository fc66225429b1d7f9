/**
 * Staff actions: each has the same effect as the operator's command, with reason and actor in the audit log, or no effect at all.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { type MailId, newId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { actionIds } from "#server/desk/actions/action-ids.ts";
import { actions } from "#server/desk/actions/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { makeStaff, staffBrowser, type TestStaff } from "#tests/support/desk.ts";
import { type HttpBrowser, mainContentOf, type TestResponse } from "#tests/support/http-browser.ts";
import type { OpenPayment } from "#tests/support/journey.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { queuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;

let admin: TestStaff;
let desk: HttpBrowser;
beforeAll(async () => {
  admin = await makeStaff(context, "admin");
  desk = await staffBrowser(context, stack.url, admin);
});

const statusOf = (id: OpenPayment["id"]) =>
  db.selectFrom("orders").select("fulfilment_status").where("id", "=", id).executeTakeFirstOrThrow();
const refundsOf = (id: OpenPayment["id"]) =>
  db.selectFrom("refunds").selectAll().where("order_id", "=", id).execute();
const paymentOf = async (id: OpenPayment["id"]) =>
  (
    await db
      .selectFrom("payments")
      .select("provider_payment_id")
      .where("order_id", "=", id)
      .executeTakeFirstOrThrow()
  ).provider_payment_id;

/** Lists the admin's audit entries about a subject, newest first. */
function entriesOf(subject: string) {
  return db
    .selectFrom("audit_log")
    .select(["action", "data", "staff_id"])
    .where("subject", "=", subject)
    .where("staff_id", "=", admin.id)
    .orderBy("id", "desc")
    .execute();
}

/** Creates an order that stopped and waits for a person. */
async function stoppedOrder(): Promise<OpenPayment> {
  const order = await paidOrder(stack);
  await db
    .updateTable("orders")
    .set({ fulfilment_status: "needs_attention" })
    .where("id", "=", order.id)
    .execute();
  await db
    .insertInto("fulfilments")
    .values({ order_id: order.id, status: "needs_attention", attempts: 9, last_error: "900278: refused" })
    .execute();
  return order;
}

const said = ({ text }: TestResponse) => mainContentOf(text);

/** Returns the hidden fields that the second step of an action sends again. */
function hiddenOf(answer: TestResponse): Record<string, string> {
  const inputs = said(answer).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name = "", value = ""]) => [name, value]));
}

describe("retrying a stopped order", () => {
  test("continues a stopped order, and records the reason and the actor", async () => {
    const { id } = await stoppedOrder();
    const path = paths.deskActionForm("order.retry", id);
    expect(said(await desk.get(paths.desk()))).toContain("900278: refused");

    const answer = await desk.post(path, { reason: "The address is right now" });
    expect(answer.location).toBe(paths.deskOrder(id));
    expect(await statusOf(id)).toEqual({ fulfilment_status: "queued" });
    expect(await entriesOf(`order:${id}`)).toEqual([
      {
        action: "order.retry",
        data: { reason: "The address is right now", by: admin.email },
        staff_id: admin.id,
      },
    ]);
    const story = said(await desk.get(paths.deskOrder(id)));
    expect(story).toContain("The address is right now");
    expect(story).toContain(admin.email);
    expect(said(await desk.get(paths.desk()))).not.toContain("900278: refused");
  });

  test("refuses an order that has not stopped", async () => {
    const { id } = await paidOrder(stack);
    const path = paths.deskActionForm("order.retry", id);
    expect(said(await desk.get(paths.deskOrder(id)))).not.toContain("Try again now");
    expect(said(await desk.get(path))).toContain("This order hasn&#x27;t stopped.");
    const answer = await desk.post(path, { reason: "test" });
    expect(answer.status).toBe(409);
    expect(await statusOf(id)).toEqual({ fulfilment_status: "waiting_for_signin" });
    expect(await entriesOf(`order:${id}`)).toEqual([]);
  });
});

describe("closing a refunded order", () => {
  test("requires a check that the vendor holds no subscription for it", async () => {
    const { id } = await stoppedOrder();
    const path = paths.deskActionForm("order.close", id);
    expect(said(await desk.get(path))).toContain("This order is paid: fulfil it, or refund it first");
    expect((await desk.post(path, { reason: "test" })).status).toBe(409);
    await db.updateTable("orders").set({ payment_status: "refunded" }).where("id", "=", id).execute();
    const listed = async () => said(await desk.get(paths.desk({ kind: "given-back" })));
    // The vendor has not been called yet.
    expect(await listed()).not.toContain(id);
    await db
      .insertInto("provider_requests")
      .values({
        order_id: id,
        step: "customer",
        request_id: newId(),
        status: "succeeded",
        unanswered: false,
        result: "{}",
        finished_at: new Date(),
      })
      .execute();
    expect(await listed()).toContain(paths.deskOrder(id));
    expect((await desk.post(path, { reason: "The tenant is empty" })).location).toBe(paths.deskOrder(id));
    expect(await listed()).not.toContain(id);
    expect(await statusOf(id)).toEqual({ fulfilment_status: "not_due" });
    expect((await entriesOf(`order:${id}`)).map(({ action }) => action)).toEqual(["order.close"]);
  });
});

describe("a refund", () => {
  /** Performs both steps: shows the amount, then confirms it. */
  async function refund(path: string, form: Readonly<Record<string, string>>): Promise<TestResponse> {
    return desk.post(path, { ...form, ...hiddenOf(await desk.post(path, form)) });
  }

  test("refunds a part once, and records who decided", async () => {
    const { id } = await paidOrder(stack);
    const payment = await paymentOf(id);
    const path = paths.deskActionForm("order.refund", id);
    expect(said(await desk.get(path))).toContain(payment);
    const form = { payment, much: "part", amount: "10.50", reason: "Remove one license" };
    expect((await refund(path, form)).location).toBe(paths.deskOrder(id));
    const story = said(await desk.get(paths.deskOrder(id)));
    expect(story).toContain("Remove one license");
    // Event names are formatted for display.
    expect(story).toMatch(/Action (&quot;|")Refund(&quot;|"): done/);
    expect(story).toMatch(/Email (&quot;|")Credit note(&quot;|"): requested/);
    const log = said(await desk.get(paths.deskAudit({ subject: `order:${id}` })));
    expect(log).toContain("amount: ₹10.50");
    expect(log).not.toContain("Minor");
    // The button is pressed twice.
    expect((await desk.post(path, { ...form, confirmed: "1050" })).location).toBe(paths.deskOrder(id));
    const refunds = await refundsOf(id);
    expect(refunds.map(({ amount_minor, decided_by }) => [amount_minor, decided_by])).toEqual([
      [1_050, "operator"],
    ]);
    expect((await entriesOf(`order:${id}`)).map(({ action }) => action)).toEqual(["order.refund"]);
    expect((await queuedJobs(db)).some(({ task }) => task === "refund-payment")).toBe(true);
    // A second refund of the same amount needs a confirmation that shows the warning.
    const warned = await desk.post(path, form);
    expect(said(warned)).toContain("already requested in the last 24 hours");
    expect(said(warned)).toContain("Refund ₹10.50 again");
    await desk.post(path, { ...form, ...hiddenOf(warned) });
    expect(await refundsOf(id)).toHaveLength(2);
  });

  test("shows the amount and every effect before it does anything", async () => {
    const { id, totalMinor } = await paidOrder(stack);
    const path = paths.deskActionForm("order.refund", id);
    const form = { payment: await paymentOf(id), much: "all", amount: "", reason: "Ordered twice" };
    const sum = formatMoney(money(totalMinor, "INR"));
    expect(said(await desk.get(path))).toContain(`All ${sum}`);

    const second = await desk.post(path, form);
    expect(second.status).toBe(200);
    const page = said(second);
    expect(page).toContain(`Refund ${sum}</button>`);
    expect(page).toContain("the card you paid with");
    expect(page).toContain(`A credit note for ${sum} is issued.`);
    expect(page).toContain("The buyer gets an email at ");
    expect(page).toContain("Ordered twice");
    expect(await refundsOf(id)).toEqual([]);
    expect(await entriesOf(`order:${id}`)).toEqual([]);

    // Back to the first step, with the values that were entered.
    const changed = said(await desk.post(path, { ...form, ...hiddenOf(second), intent: "change" }));
    expect(changed).toContain('value="Ordered twice"');
    expect(await refundsOf(id)).toEqual([]);

    expect((await desk.post(path, { ...form, ...hiddenOf(second) })).location).toBe(paths.deskOrder(id));
    expect((await refundsOf(id)).map(({ amount_minor }) => amount_minor)).toEqual([totalMinor]);
  });

  test("asks again when the amount has changed in the meantime", async () => {
    const { id, totalMinor } = await paidOrder(stack);
    const path = paths.deskActionForm("order.refund", id);
    const form = { payment: await paymentOf(id), much: "all", amount: "", reason: "All of it" };
    const seen = hiddenOf(await desk.post(path, form));
    await refund(path, { ...form, much: "part", amount: "10", reason: "A part before" });
    const again = await desk.post(path, { ...form, ...seen });
    expect(again.status).toBe(200);
    expect(said(again)).toContain(formatMoney(money(totalMinor - 1_000, "INR")));
    expect(await refundsOf(id)).toHaveLength(1);
  });

  test("does not offer a failed payment", async () => {
    const { id } = await paidOrder(stack);
    const paid = await paymentOf(id);
    await context.pool.query(
      `insert into payments select (jsonb_populate_record(null::payments,
         to_jsonb(p) || jsonb_build_object('id', $2::text, 'provider_payment_id', 'pay_declined', 'status', 'failed'))).*
       from payments p where order_id = $1`,
      [id, newId()],
    );
    const page = said(await desk.get(paths.deskActionForm("order.refund", id)));
    expect(page).toContain(paid);
    expect(page).not.toContain("pay_declined");
  });

  test.each([
    ["a missing choice", { much: "" }, "Choose all or a part"],
    ["a part without an amount", { amount: "" }, "Enter the amount of the part"],
    ["an invalid amount", { amount: "ten" }, "Enter the amount of the part"],
    ["more than is left", { amount: "99999999" }, "left to refund"],
    ["another order's payment", { payment: "pay_of_another" }, "That payment isn&#x27;t for this order"],
    ["a missing reason", { reason: "" }, "Enter a reason"],
  ])("refuses %s, and refunds nothing", async (_what, wrong, words) => {
    const { id } = await paidOrder(stack);
    const right = { payment: await paymentOf(id), much: "part", amount: "1", reason: "test" };
    const form = { ...right, confirmed: "100", ...wrong };
    const answer = await desk.post(paths.deskActionForm("order.refund", id), form);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(said(answer)).toContain(words);
    expect(await refundsOf(id)).toEqual([]);
    expect(await entriesOf(`order:${id}`)).toEqual([]);
  });
});

test("shows a note to staff in the order history, and never to the customer", async () => {
  const { id, browser, path } = await paidOrder(stack);
  await desk.post(paths.deskActionForm("order.note", id), { reason: "Called, will sign in tomorrow" });
  expect(said(await desk.get(paths.deskOrder(id)))).toContain("Called, will sign in tomorrow");
  expect((await browser.get(`${path}/sign-in`)).text).not.toContain("will sign in tomorrow");
});

test("resends a mail to the same address for the same order", async () => {
  const { id } = await paidOrder(stack);
  const mail = {
    id: newId<MailId>(),
    kind: "order-delayed",
    dedupe_key: `delayed:${id}`,
    recipient: "asha@example.com",
    user_id: null,
    order_id: id,
    data: "{}",
    sent_at: new Date(),
    last_error: null,
  } as const;
  await db.insertInto("mails").values(mail).execute();
  const path = paths.deskActionForm("order.resend-mail", id);
  expect((await desk.post(path, { mail: newId<MailId>(), reason: "test" })).status).toBe(400);
  expect((await desk.post(path, { mail: mail.id, reason: "It was deleted" })).location).toBe(
    paths.deskOrder(id),
  );
  const again = await db
    .selectFrom("mails")
    .select(["kind", "recipient", "sent_at"])
    .where("order_id", "=", id)
    .where("id", "<>", mail.id)
    .where("kind", "=", "order-delayed")
    .execute();
  expect(again).toEqual([{ kind: "order-delayed", recipient: "asha@example.com", sent_at: null }]);
  expect((await entriesOf(`order:${id}`)).map(({ action }) => action)).toEqual(["mail.resent"]);
});

test("dismisses a work item with a reason, unless it resolves itself", async () => {
  const { id } = await stoppedOrder();
  expect(
    (await desk.post(paths.deskActionForm("item.done", `stopped-order ${id}`), { reason: "test" })).status,
  ).toBe(409);
  const mail = newId<MailId>();
  await db
    .insertInto("mails")
    .values({
      id: mail,
      kind: "order-delayed",
      dedupe_key: `refused:${id}`,
      recipient: "gone@example.com",
      user_id: null,
      order_id: id,
      data: "{}",
      sent_at: null,
      refused_at: new Date(),
      last_error: "550 no such mailbox",
    })
    .execute();
  expect(said(await desk.get(paths.desk({ kind: "mail" })))).toContain("gone@example.com");
  const answer = await desk.post(paths.deskActionForm("item.done", `mail ${mail}`), {
    reason: "Told by phone",
  });
  expect(answer.location).toBe(paths.desk());
  expect(said(await desk.get(paths.desk({ kind: "mail" })))).not.toContain("gone@example.com");
  expect((await entriesOf(`item:mail:${mail}`)).map(({ action }) => action)).toEqual(["item.done"]);
  expect((await desk.get(paths.deskActionForm("item.done", `mail ${mail}`))).status).toBe(404);
});

test("acknowledges a money difference with a reason", async () => {
  await db
    .insertInto("money_differences")
    .values({
      key: "payment:pay_1",
      kind: "test",
      amount_minor: 100,
      currency: "INR",
      what: "Payment pay_1 is missing in the payouts",
      resolved_at: null,
      told_at: null,
      acknowledged_at: null,
      acknowledged_because: null,
    })
    .execute();
  expect(said(await desk.get(paths.desk()))).toContain("pay_1 is missing");
  await desk.post(paths.deskActionForm("difference.acknowledge", "payment:pay_1"), {
    reason: "Paid out by cheque",
  });
  expect(said(await desk.get(paths.desk()))).not.toContain("pay_1 is missing");
  expect((await entriesOf("difference:payment:pay_1")).map(({ action }) => action)).toEqual([
    "difference.acknowledge",
  ]);
});

test("adds a staff member, and shows the setup link once without storing it", async () => {
  const answer = await desk.post(paths.deskActionForm("staff.add", "all"), {
    email: "asha@staff.example",
    role: "support",
    reason: "Answers customers",
  });
  expect(answer.status).toBe(200);
  const [link = ""] = /http[^<]*\/desk\/set-up\/[\w-]{43}/.exec(said(answer)) ?? [];
  expect(mainContentOf((await desk.get(new URL(link).pathname)).text)).toContain("asha@staff.example");
  expect(JSON.stringify(desk.cookies())).not.toContain(link.slice(-20));
  const log = await db.selectFrom("audit_log").selectAll().where("action", "=", "staff.add").execute();
  expect(JSON.stringify(log)).not.toContain(link.slice(-20));
});

test("filters the audit log by staff member, action and subject, also as CSV", async () => {
  const { id } = await paidOrder(stack);
  await desk.post(paths.deskActionForm("order.note", id), { reason: '=HYPERLINK("evil"), a note' });
  const page = said(
    await desk.get(paths.deskAudit({ staff: admin.email, action: "order.", subject: `order:${id}` })),
  );
  expect(page).toContain("a note");
  expect(said(await desk.get(paths.deskAudit({ staff: "nobody@" })))).toContain("No matching entries.");
  const file = await desk.get(paths.deskAuditCsv({ subject: `order:${id}` }));
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(file.text).toContain(`,${admin.email},order.note,order:${id},"'=HYPERLINK(""evil""), a note",`);
});

test("describes each action: what it requires and what it does", () => {
  for (const id of actionIds) {
    const { label, explains, reason } = actions[id];
    for (const words of [label, explains, reason.label, reason.hint]) expect(words, id).toMatch(/\S/);
    expect(explains, id).toMatch(/[.]$/);
  }
});
