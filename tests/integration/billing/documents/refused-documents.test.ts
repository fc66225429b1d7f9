/**
 * Invoices and credit notes that the invoice registration portal refused: a buyer or staff correct them, and they are
 * registered with the details that the portal has, under a new number if the old one is lost.
 */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findEInvoice } from "#db/billing/e-invoices.ts";
import { listRevisions } from "#db/billing/refused-documents.ts";
import type { AccountAnswers } from "#db/orders/order.ts";
import type { Fault } from "#sandbox/vendors/faults.ts";
import { creditNotesOf, findCreditNoteByNumber } from "#server/billing/documents/credit-note.ts";
import { toRegistrable } from "#server/billing/documents/e-invoice-body.ts";
import { buildReturns } from "#server/billing/documents/gstr1/build.ts";
import {
  findInvoice,
  findInvoiceByNumber,
  type Invoice,
  issueInvoice,
} from "#server/billing/documents/issue.ts";
import { registerDocument } from "#server/billing/documents/register-document.ts";
import { registrationOf } from "#server/billing/documents/registration.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { zonedMonth } from "#server/orders/subscriptions/dates.ts";
import { makeStaff, performAction, staffBrowser } from "#tests/support/desk.ts";
import { type HttpBrowser, hiddenFieldValue, mainContentOf } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { join, makeCompany, makeOrder, makePerson, type Person, signedIn } from "#tests/support/orders.ts";
import { accountAnswers } from "#tests/support/priced-order.ts";
import { insertCapturedPayment, refundPart } from "#tests/support/refunds.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const { db, env } = context;

const own = "29AABCB1234C1ZA";
const proprietor = "29ABCPS1234K1ZI";
const elsewhere = "27AAPFU0939F1ZV";
const inMumbai = { gst_code: elsewhere, state: "Maharashtra", pincode: "400018", city: "Mumbai" };
const inBengaluru = { gst_code: own, state: "Karnataka", pincode: "560038", city: "Bengaluru" };

let buyer: Person;
let customerId: Awaited<ReturnType<typeof makeCompany>>;
let browser: HttpBrowser;
let finance: HttpBrowser;
beforeAll(async () => {
  buyer = await makePerson(db);
  customerId = await makeCompany(db, buyer);
  browser = await signedIn(context, stack.url, buyer);
  finance = await staffBrowser(context, stack.url, await makeStaff(context, "finance"));
});
beforeEach(() => controls.faults());

const portal = (kind: Fault["kind"], more: Partial<Fault> = {}): Fault => ({
  match: { path: "/gsp/ei/api/invoice$" },
  kind,
  times: 1,
  ...more,
});
const refusing = (code: string, description: string) => portal("refuse", { status: 200, code, description });

async function invoiced(
  account: Partial<AccountAnswers> = {},
  issuedAt = new Date(),
  register = true,
): Promise<Invoice> {
  const orderId = await makeOrder(
    db,
    {
      requester: { userId: buyer.userId, customer: { id: customerId, role: "owner" }, draftKey: null },
      quantity: 7,
    },
    {
      stage: "stage3",
      payment_status: "completed",
      paid_at: issuedAt,
      customer_id: customerId,
      account: JSON.stringify(accountAnswers({ email: buyer.email, ...inBengaluru, ...account })),
    },
  );
  const invoice = await db.transaction().execute((trx) => issueInvoice(trx, env, orderId, issuedAt));
  if (register) await registerDocument(context, invoice.number);
  return invoice;
}

/** Creates an invoice that the portal refused once and would now accept. */
async function refused(
  account: Partial<AccountAnswers> = {},
  [code, words]: [string, string] = ["3028", "GSTIN is not valid"],
): Promise<Invoice> {
  const invoice = await invoiced(account, new Date(), false);
  await controls.faults(refusing(code, words));
  await registerDocument(context, invoice.number);
  expect(await stateOf(invoice.number)).toBe("failed");
  return invoice;
}

async function refusedNote(account: Partial<AccountAnswers> = {}, refusal = ["3028", "GSTIN is not valid"]) {
  const invoice = await invoiced(account);
  await insertCapturedPayment(context, invoice.orderId);
  await refundPart(context, invoice.orderId, 10_000);
  const [note] = await creditNotesOf(db, [invoice.orderId]);
  if (note === undefined) throw new Error("Expected a credit note");
  const [code = "", words = ""] = refusal;
  await controls.faults(refusing(code, words));
  await registerDocument(context, note.number);
  expect(await stateOf(note.number)).toBe("failed");
  return { invoice, note };
}

const stateOf = async (number: string) => (await registrationOf(db, number)).state;
const mailsOf = (
  orderId: Invoice["orderId"],
  kind: "invoice-ready" | "document-refused" | "operator-alert",
) => db.selectFrom("mails").selectAll().where("order_id", "=", orderId).where("kind", "=", kind).execute();
async function factsOf(number: string) {
  const found = (await findInvoiceByNumber(db, number)) ?? (await findCreditNoteByNumber(db, number));
  if (found === null) throw new Error(`No document ${number}`);
  return found.facts;
}
const taxOf = async (number: string) =>
  (await factsOf(number)).taxes.map(({ name, amountMinor }) => `${name} ${amountMinor}`);

const fieldNames = [
  "companyName",
  "legalName",
  "tradeName",
  "gst_code",
  "addressLine1",
  "addressLine2",
  "city",
  "state",
  "pincode",
];

/** Returns the values that a form shows. */
function shownIn(page: string): Record<string, string> {
  const value = (name: string) => {
    if (name === "state")
      return /<option[^>]*value="([^"]*)"[^>]*selected|<option[^>]*selected[^>]*value="([^"]*)"/
        .exec(page)
        ?.slice(1)
        .find(Boolean);
    const tag = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(page)?.[0] ?? "";
    return /value="([^"]*)"/.exec(tag)?.[1];
  };
  const shown = fieldNames.map((name): [string, string] => [name, value(name) ?? ""]);
  return { ...Object.fromEntries(shown), revision: hiddenFieldValue(page, "revision") };
}

type By = "buyer" | "staff";
const formOf = (by: By, orderId: string, number: string) =>
  by === "buyer" ? paths.refusedDocument(orderId, number) : paths.deskActionForm("document.correct", number);

/** Opens the form and posts it with these changes. */
async function correct(by: By, orderId: string, number: string, changes: Record<string, string>) {
  const path = formOf(by, orderId, number);
  const reader = by === "buyer" ? browser : finance;
  const { text } = await reader.get(path);
  const form = { ...shownIn(mainContentOf(text)), ...changes };
  return by === "buyer" ? browser.post(path, form) : performAction(finance, path, form);
}

const cgst = (name: string) => name.startsWith("CGST") || name.startsWith("SGST");

describe("a refused invoice", () => {
  test.each<
    [By, string, [string, string], Partial<AccountAnswers>, Record<string, string>, object, string[]]
  >([
    [
      "staff",
      "pincode",
      ["3039", "Pincode 400001 is of another state"],
      { pincode: "400001" },
      { pincode: "560001" },
      { Pin: 560_001, Stcd: "29" },
      ["CGST", "SGST"],
    ],
    [
      "buyer",
      "pincode",
      ["3039", "Pincode"],
      { pincode: "400001" },
      { pincode: "560 002" },
      { Pin: 560_002 },
      ["CGST", "SGST"],
    ],
    [
      "buyer",
      "GSTIN",
      ["3028", "GSTIN is not valid"],
      { gst_code: "29AABCB1234C2Z9" },
      { gst_code: proprietor },
      { Gstin: proprietor, LglNm: "ANITA RAO", TrdNm: "RAO OFFICE SUPPLIES" },
      ["CGST", "SGST"],
    ],
    [
      "staff",
      "GSTIN in another state",
      ["3029", "GSTIN is not active"],
      {},
      inMumbai,
      { Gstin: elsewhere, Pos: "27", Stcd: "27", Loc: "Mumbai" },
      ["IGST"],
    ],
    [
      "buyer",
      "GSTIN in our state",
      ["3029", "GSTIN is not active"],
      inMumbai,
      inBengaluru,
      { Gstin: own, Pos: "29", Stcd: "29" },
      ["CGST", "SGST"],
    ],
    [
      "staff",
      "legal name",
      ["5002", "BuyerDtls.LglNm: Invalid"],
      inMumbai,
      { legalName: "Acme Tools Private Limited", tradeName: "" },
      { LglNm: "Acme Tools Private Limited" },
      ["IGST"],
    ],
    [
      "staff",
      "trade name",
      ["5002", "BuyerDtls.TrdNm: Invalid"],
      {},
      { tradeName: "Acme" },
      { TrdNm: "Acme" },
      ["CGST", "SGST"],
    ],
    [
      "buyer",
      "address",
      ["5002", "BuyerDtls.Addr1: Invalid"],
      {},
      { addressLine1: "9 Church Street", companyName: "Acme Tools LLP" },
      { Addr1: "9 Church Street, Indiranagar" },
      ["CGST", "SGST"],
    ],
    [
      "staff",
      "a refusal that only the portal can explain",
      ["4711", "Try with the name of the register"],
      {},
      { city: "Bangalore" },
      { Loc: "Bangalore" },
      ["CGST", "SGST"],
    ],
  ])(
    "gets corrected by %s in its %s, registered and mailed",
    async (by, _part, refusal, account, changes, sent, taxes) => {
      const invoice = await refused(account, refusal);
      const { number, orderId } = invoice;
      const answer = await correct(by, orderId, number, changes);
      expect(answer.status, wordsOf(answer.text)).toBe(303);
      expect(await stateOf(number)).toBe("pending");
      await registerDocument(context, number);
      expect(await stateOf(number)).toBe("final");
      const registered = await findEInvoice(db, number);
      expect(registered?.body).toMatchObject({ DocDtls: { No: number }, BuyerDtls: sent });
      const facts = await factsOf(number);
      expect(facts.taxes.map(({ name }) => name)).toEqual(taxes);
      expect(facts.totalMinor).toBe(invoice.facts.totalMinor);
      const sum = facts.taxes.reduce((so, { amountMinor }) => so + amountMinor, facts.subtotalMinor);
      expect(sum + facts.roundingMinor).toBe(facts.totalMinor);
      expect(await mailsOf(orderId, "invoice-ready")).toHaveLength(1);
      expect((await listRevisions(db, number)).map(({ facts: former }) => former)).toEqual([
        JSON.parse(JSON.stringify(invoice.facts)),
      ]);
    },
  );

  test.each<[By]>([["buyer"], ["staff"]])(
    "becomes B2C without a GSTIN (%s), and is mailed without registration",
    async (by) => {
      const { number, orderId } = await refused({}, ["3029", "GSTIN is not active"]);
      expect((await correct(by, orderId, number, { gst_code: "" })).status).toBe(303);
      expect(await stateOf(number)).toBe("not_needed");
      expect(await factsOf(number)).toMatchObject({ supply: { type: "B2C" }, recipient: { gstin: null } });
      expect(toRegistrable({ facts: await factsOf(number) })).toBeNull();
      expect(await mailsOf(orderId, "invoice-ready")).toHaveLength(1);
    },
  );

  test("shows the problem and the form to its buyer and the operator", async () => {
    const { number, orderId } = await refused({}, ["3039", "Pincode 560038 does not belong"]);
    const { text } = await browser.get(paths.invoice(orderId));
    expect(wordsOf(text)).toContain("The pincode isn't in the state.");
    const href = paths.refusedDocument(orderId, number);
    expect(text.replaceAll("&amp;", "&")).toContain(`href="${href}"`);
    const references = await browser.get(paths.orderReferences(orderId));
    expect(references.text.replaceAll("&amp;", "&")).toContain(`href="${href}"`);
    const form = await browser.get(href);
    expect(wordsOf(form.text)).toContain(`The tax office didn't register ${number}. The pincode isn't`);
    const [alert] = await mailsOf(orderId, "operator-alert");
    const said = JSON.stringify(alert?.data);
    expect(said).toContain("The pincode isn't in the state.");
    expect(said).toContain(paths.deskActionForm("document.correct", number));
    const desk = await finance.get(paths.deskDocument(number));
    expect(desk.text).toContain(paths.deskActionForm("document.correct", number));
    const audit = await db
      .selectFrom("audit_log")
      .select("action")
      .where("subject", "=", `order:${orderId}`)
      .where("action", "=", "document.correct")
      .execute();
    expect(audit).toEqual([]);
  });

  test("mails its buyer once per refusal with a link to the form", async () => {
    const { number, orderId } = await refused({}, ["3039", "Pincode"]);
    await controls.faults(refusing("3039", "Pincode"));
    await performAction(finance, paths.deskActionForm("document.retry", orderId), { document: number });
    await registerDocument(context, number);
    const [mail, ...others] = await mailsOf(orderId, "document-refused");
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ recipient: buyer.email, user_id: buyer.userId });
    if (mail === undefined) throw new Error("Expected a mail to the buyer");
    await sendMail(context, mail.id);
    const sent = (await controls.inbox(buyer.email)).find(({ text }) => text.includes(number));
    expect(sent?.subject).toBe(`Correct the details on ${number}`);
    expect(sent?.text).toContain("The pincode isn't in the state.");
    expect(sent?.text).toContain(paths.refusedDocument(orderId, number));
    await controls.faults(refusing("3029", "GSTIN is not active"));
    expect((await correct("buyer", orderId, number, { pincode: "560001" })).status).toBe(303);
    await registerDocument(context, number);
    expect(await mailsOf(orderId, "document-refused")).toHaveLength(2);
  });

  test("withholds the mail if a correction came first", async () => {
    const { number, orderId } = await refused({}, ["3039", "Pincode"]);
    const [mail] = await mailsOf(orderId, "document-refused");
    if (mail === undefined) throw new Error("Expected a mail to the buyer");
    expect((await correct("staff", orderId, number, { pincode: "560001" })).status).toBe(303);
    await sendMail(context, mail.id);
    expect((await controls.inbox(buyer.email)).filter(({ text }) => text.includes(number))).toEqual([]);
  });

  test.each([
    ["2258", "The seller's state is not that of its GSTIN"],
    ["4711", "Something that only the portal can explain"],
  ])("does not mail its buyer about a refusal for staff: %s", async (code, words) => {
    const { orderId } = await refused({}, [code, words]);
    expect(await mailsOf(orderId, "document-refused")).toEqual([]);
    expect(await mailsOf(orderId, "operator-alert")).toHaveLength(1);
  });

  test("does not mail a buyer who has no correction left", async () => {
    const { number, orderId } = await refused({}, ["3039", "Pincode"]);
    const most = { revision: env.INVOICE_CORRECTIONS, state: "pending" } as const;
    await db.updateTable("e_invoices").set(most).where("number", "=", number).execute();
    await controls.faults(refusing("3028", "GSTIN is not valid"));
    await registerDocument(context, number);
    expect(await stateOf(number)).toBe("failed");
    expect(await mailsOf(orderId, "document-refused")).toHaveLength(1);
  });

  test.each<[By, Record<string, string>, RegExp]>([
    ["buyer", { pincode: "400001" }, /pincode/i],
    ["staff", { pincode: "400001" }, /pincode/i],
    ["buyer", { gst_code: "29AABCB1234C1ZB" }, /mistyped/],
    ["staff", { companyName: "EY" }, /3 characters/],
    ["buyer", { city: "Bo" }, /3 characters/],
    ["staff", { legalName: "EY" }, /3 characters/],
    ["buyer", { state: "Maharashtra" }, /state/],
    ["staff", { gst_code: env.sellers.get("IN")?.gstin ?? "none", state: "Karnataka" }, /our own GST number/],
    ["buyer", { gst_code: "29AAGCS5678Q1Z7" }, /special economic zones/],
  ])("refuses a correction by %s (%j) and changes nothing", async (by, changes, words) => {
    const invoice = await refused();
    const answer = await correct(by, invoice.orderId, invoice.number, changes);
    expect(answer.status).toBe(400);
    expect(wordsOf(answer.text)).toMatch(words);
    expect(await stateOf(invoice.number)).toBe("failed");
    expect(await factsOf(invoice.number)).toEqual(invoice.facts);
  });

  test("opens to its buyer and to colleagues who may order", async () => {
    const { number, orderId } = await refused();
    const stranger = await signedIn(context, stack.url, await makePerson(db));
    const colleague = await makePerson(db);
    await join(db, customerId, colleague, "viewer");
    const viewer = await signedIn(context, stack.url, colleague);
    const path = paths.refusedDocument(orderId, number);
    const form = shownIn(mainContentOf((await browser.get(path)).text));
    for (const other of [stranger, viewer]) {
      expect((await other.get(path)).status).toBe(404);
      expect((await other.post(path, form)).status).toBe(404);
    }
    const foreign = await refused();
    expect((await stranger.post(paths.refusedDocument(orderId, foreign.number), form)).status).toBe(404);
    expect(await stateOf(number)).toBe("failed");
  });
});

describe("a refused credit note", () => {
  test.each<[By, [string, string], Partial<AccountAnswers>, Record<string, string>, object]>([
    ["staff", ["3039", "Pincode"], {}, { pincode: "560001" }, { Pin: 560_001 }],
    [
      "buyer",
      ["5002", "BuyerDtls.LglNm: Invalid"],
      inMumbai,
      { legalName: "Acme Tools LLP" },
      { LglNm: "Acme Tools LLP" },
    ],
    ["staff", ["3029", "not active"], {}, { gst_code: proprietor }, { Gstin: proprietor }],
  ])("gets corrected by %s after %j and registered", async (by, refusal, account, changes, sent) => {
    const { invoice, note } = await refusedNote(account, refusal);
    const answer = await correct(by, invoice.orderId, note.number, changes);
    expect(answer.status, wordsOf(answer.text)).toBe(303);
    await registerDocument(context, note.number);
    expect(await stateOf(note.number)).toBe("final");
    expect((await findEInvoice(db, note.number))?.body).toMatchObject({
      DocDtls: { Typ: "CRN" },
      BuyerDtls: sent,
      RefDtls: { PrecDocDtls: [{ InvNo: invoice.number }] },
    });
    expect(await factsOf(note.number)).toMatchObject({ totalMinor: 10_000 });
  });

  test("keeps the tax of its invoice", async () => {
    const { invoice, note } = await refusedNote();
    const answer = await correct("staff", invoice.orderId, note.number, inMumbai);
    expect(answer.status).toBe(400);
    expect(wordsOf(answer.text)).toContain("has to be the same on an invoice and its credit notes");
  });

  test("follows its invoice to another state when both were refused", async () => {
    const invoice = await refused({}, ["3029", "not active"]);
    const { number, orderId } = invoice;
    await insertCapturedPayment(context, orderId);
    await refundPart(context, orderId, 10_000);
    const [note] = await creditNotesOf(db, [orderId]);
    if (note === undefined) throw new Error("Expected a credit note");
    await controls.faults(refusing("3029", "not active"));
    await registerDocument(context, note.number);
    expect((await taxOf(note.number)).every(cgst)).toBe(true);
    expect((await correct("staff", orderId, number, inMumbai)).status).toBe(303);
    expect((await correct("staff", orderId, note.number, inMumbai)).status).toBe(303);
    for (const each of [number, note.number]) {
      await registerDocument(context, each);
      expect(await stateOf(each)).toBe("final");
      expect((await taxOf(each)).map((tax) => tax.split(" ")[0])).toEqual(["IGST"]);
    }
  });
});

describe("concurrent corrections", () => {
  test("stores one of two; the other changes nothing", async () => {
    const { number, orderId } = await refused();
    const answers = await Promise.all([
      correct("buyer", orderId, number, { pincode: "560001" }),
      correct("staff", orderId, number, { pincode: "560002" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await listRevisions(db, number)).toHaveLength(1);
    await registerDocument(context, number);
    expect(await stateOf(number)).toBe("final");
  });

  test("treats a repeated one as one", async () => {
    const { number, orderId } = await refused();
    const path = paths.refusedDocument(orderId, number);
    const form = { ...shownIn(mainContentOf((await browser.get(path)).text)), gst_code: proprietor };
    const answers = await Promise.all([browser.post(path, form), browser.post(path, form)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await browser.post(path, form)).status).toBe(303);
    expect(await listRevisions(db, number)).toHaveLength(1);
    const other = await browser.post(path, { ...form, pincode: "560002" });
    expect(other.status).toBe(409);
    expect(wordsOf(other.text)).toContain("has changed since you opened this page");
  });

  test("refuses one while a job registers the document", async () => {
    const { number, orderId } = await refused();
    const path = paths.refusedDocument(orderId, number);
    const form = shownIn(mainContentOf((await browser.get(path)).text));
    await performAction(finance, paths.deskActionForm("document.retry", orderId), { document: number });
    expect((await browser.post(path, { ...form, pincode: "560001" })).status).toBe(409);
    await registerDocument(context, number);
    expect(await stateOf(number)).toBe("final");
    expect(await listRevisions(db, number)).toEqual([]);
  });

  test("keeps a document whose registration response was lost", async () => {
    const invoice = await invoiced({}, new Date(), false);
    const { number, orderId } = invoice;
    // The response is lost, the look-up finds nothing yet, and then the portal refuses the repeated call.
    await controls.faults(portal("reset-after"));
    await registerDocument(context, number);
    await controls.faults(
      {
        match: { path: "/gsp/ei/api/invoice/irn" },
        kind: "refuse",
        status: 200,
        code: "2154",
        description: "not found",
        times: 1,
      },
      refusing("3029", "GSTIN is not active"),
    );
    await registerDocument(context, number);
    expect(await stateOf(number)).toBe("failed");
    await controls.faults();
    const answer = await correct("staff", orderId, number, { pincode: "560001" });
    expect(answer.status).toBe(409);
    expect(wordsOf(answer.text)).toContain("has already registered");
    await registerDocument(context, number);
    expect(await stateOf(number)).toBe("final");
    expect(await factsOf(number)).toEqual(invoice.facts);
    expect(await mailsOf(orderId, "invoice-ready")).toHaveLength(1);
  });

  test("restores a former version that the portal registered after all", async () => {
    const invoice = await refused({}, ["3029", "GSTIN is not active"]);
    const { number, orderId } = invoice;
    const before = await findEInvoice(db, number);
    expect((await correct("staff", orderId, number, { pincode: "560001" })).status).toBe(303);
    // A job from before the correction was still calling the portal.
    const seller = env.sellers.get("IN")?.gstin ?? "";
    await context.eInvoicesOf("IN").register(seller, before?.body, "late");
    await registerDocument(context, number);
    expect(await stateOf(number)).toBe("final");
    expect(await factsOf(number)).toEqual(invoice.facts);
    const said = JSON.stringify((await mailsOf(orderId, "operator-alert")).map(({ data }) => data));
    expect(said).toContain("the details it had before its last correction");
  });

  test("changes nothing while the portal is down", async () => {
    const { number, orderId } = await refused();
    await controls.faults({ match: { path: "/gsp/ei/api/invoice/irn" }, kind: "503" });
    const answer = await correct("buyer", orderId, number, { pincode: "560001" });
    expect(answer.status).toBe(503);
    expect(wordsOf(answer.text)).toContain("Nothing has changed. Try again in a few minutes.");
    expect(await stateOf(number)).toBe("failed");
  });
});

describe("a document that is too old for the portal", () => {
  const longAgo = new Date(Date.now() - 31 * 86_400_000);

  async function tooOld(): Promise<Invoice> {
    const invoice = await invoiced({ pincode: "400001" }, new Date(), false);
    const { number } = invoice;
    // The dates of a series never decrease.
    await db.updateTable("invoices").set({ issued_at: longAgo }).where("number", "=", number).execute();
    await db.updateTable("e_invoices").set({ issued_at: longAgo }).where("number", "=", number).execute();
    await registerDocument(context, number);
    expect(await stateOf(number)).toBe("failed");
    return invoice;
  }

  test.each<[By]>([["buyer"], ["staff"]])("gets a new number and today's date from %s", async (by) => {
    const { number, orderId } = await tooOld();
    const answer = await correct(by, orderId, number, { pincode: "560001" });
    expect(answer.status, wordsOf(answer.text)).toBe(303);
    const holding = await findInvoice(db, orderId);
    expect(holding?.number).not.toBe(number);
    await registerDocument(context, holding?.number ?? "none");
    expect(await stateOf(holding?.number ?? "none")).toBe("final");
    expect(await stateOf(number)).toBe("withdrawn");
    const old = await browser.get(paths.invoice(orderId, number));
    expect(old.status).toBe(200);
    expect(wordsOf(old.text)).toContain("never registered");
    expect((await browser.get(paths.invoicePdf(orderId, number))).status).toBe(303);
  });

  test("counts in the return as a cancelled number", async () => {
    const { number, orderId } = await tooOld();
    await correct("staff", orderId, number, { pincode: "560001" });
    const { returns } = await buildReturns(db, zonedMonth(longAgo, "IN"));
    const found = returns.flatMap(({ documents }) => documents).find((each) => each.number === number);
    expect(found).toMatchObject({ isCancelled: true });
  });

  test("replaces a credit note for the same refund", async () => {
    const { invoice, note } = await refusedNote({}, ["5007", "The document date is older than 30 days"]);
    const answer = await correct("staff", invoice.orderId, note.number, {});
    expect(answer.status, wordsOf(answer.text)).toBe(303);
    const notes = await creditNotesOf(db, [invoice.orderId]);
    expect(notes).toHaveLength(1);
    const [replacing] = notes;
    expect(replacing?.number).not.toBe(note.number);
    expect(replacing?.id).toBe(note.id);
    await registerDocument(context, replacing?.number ?? "none");
    expect(await stateOf(replacing?.number ?? "none")).toBe("final");
    expect(await stateOf(note.number)).toBe("withdrawn");
  });
});

describe("a document that the portal registered but no longer shows", () => {
  const lookUp = (code: string): Fault => ({
    match: { path: "/gsp/ei/api/invoice/irn" },
    kind: "refuse",
    status: 200,
    code,
    description: "IRN details cannot be provided",
  });
  const seller = env.sellers.get("IN")?.gstin ?? "";
  const india = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "Asia/Kolkata",
    dateStyle: "short",
    timeStyle: "medium",
  });

  /** Returns the registration as the portal's website shows it, in the form's fields. */
  async function registrationFields(number: string) {
    const shown = await context
      .eInvoicesOf("IN")
      .find(seller, (await findEInvoice(db, number))?.irn ?? "", "test");
    if (shown === null || shown === "hidden") throw new Error(`The portal does not show ${number}`);
    const { irn, ackNumber, acknowledgedAt, signedQr, signedInvoice } = shown;
    return { irn, ackNumber, acknowledgedAt: india.format(acknowledgedAt), signedQr, signedInvoice };
  }

  /** Loses the response to the registration and looks it up too late. */
  async function hidden(invoice: Invoice) {
    const { number } = invoice;
    await controls.faults(portal("reset-after"));
    await registerDocument(context, number);
    await controls.faults(lookUp("2283"));
    await registerDocument(context, number);
    expect(await stateOf(number)).toBe("failed");
    await controls.faults();
    return { invoice, fields: await registrationFields(number) };
  }
  const enter = (number: string, fields: Record<string, string>) =>
    performAction(finance, paths.deskActionForm("document.enter", number), fields);

  test("becomes final with the registration that staff enter, and is mailed", async () => {
    const { invoice, fields } = await hidden(await invoiced({}, new Date(), false));
    const { number, orderId } = invoice;
    const form = paths.deskActionForm("document.enter", number);
    expect(JSON.stringify(await mailsOf(orderId, "operator-alert"))).toContain(form);
    expect((await finance.get(paths.deskDocument(number))).text).toContain(form);
    const queue = (await finance.get(paths.desk())).text;
    expect(queue).toContain(form);
    expect(queue).not.toContain(paths.deskActionForm("document.correct", number));
    const signedQr = fields.signedQr.replace(/.{60}/g, "$&\n");
    const irn = fields.irn.toUpperCase();
    const answer = await enter(number, { ...fields, irn, signedQr, signedInvoice: "" });
    expect(answer.status, wordsOf(answer.text)).toBe(303);
    expect(await registrationOf(db, number)).toMatchObject({
      state: "final",
      irn: fields.irn,
      ackNumber: fields.ackNumber,
      signedQr: fields.signedQr,
    });
    expect(await mailsOf(orderId, "invoice-ready")).toHaveLength(1);
    const { text } = await browser.get(paths.invoice(orderId));
    expect(text).toContain(fields.irn);
    expect((await browser.get(paths.invoicePdf(orderId))).status).toBe(200);
    const audit = await db
      .selectFrom("audit_log")
      .select("data")
      .where("subject", "=", `document:${number}`)
      .where("action", "=", "document.enter")
      .execute();
    expect(audit).toEqual([{ data: expect.objectContaining({ irn: fields.irn, reason: "as agreed" }) }]);
    const again = await enter(number, fields);
    expect(again.status).toBe(409);
    expect(await mailsOf(orderId, "invoice-ready")).toHaveLength(1);
  });

  test("refuses a registration of another document and changes nothing", async () => {
    const { invoice, fields } = await hidden(await invoiced({}, new Date(), false));
    const { number } = invoice;
    const other = await registrationFields((await invoiced()).number);
    const before = await findEInvoice(db, number);
    const tries: [Record<string, string>, RegExp][] = [
      [{ irn: "abc" }, /64 digits and letters/],
      [
        { irn: other.irn },
        new RegExp(`IRN of another document. Copy the one of ${number}, which is ${fields.irn}`),
      ],
      [{ ackNumber: "12A4" }, /digits only/],
      [{ ackNumber: "" }, /digits only/],
      [{ acknowledgedAt: "2026-02-30 10:00:00" }, /like 2026-11-30 14:05:00/],
      [{ acknowledgedAt: "30/11/2026" }, /like 2026-11-30 14:05:00/],
      [{ acknowledgedAt: india.format(Date.now() + 3_600_000) }, /in the future/],
      [{ acknowledgedAt: india.format(Date.now() - 86_400_000) }, /before the document/],
      [{ signedQr: "" }, /whole text of SignedQRCode/],
      [{ signedQr: "a.b.c" }, /not the signed QR code of this IRN/],
      [{ signedQr: other.signedQr }, /not the signed QR code of this IRN/],
      [{ signedInvoice: other.signedInvoice }, /not the signed invoice of this IRN/],
    ];
    for (const [changes, words] of tries) {
      const answer = await enter(number, { ...fields, ...changes });
      expect(answer.status, JSON.stringify(changes)).toBe(400);
      expect(wordsOf(answer.text)).toMatch(words);
    }
    expect(await findEInvoice(db, number)).toEqual(before);
  });

  test("refuses a signed text with another total", async () => {
    const { invoice, fields } = await hidden(await invoiced({}, new Date(), false));
    const { number } = invoice;
    const [head, payload = "", signature] = fields.signedQr.split(".");
    const { data } = JSON.parse(Buffer.from(payload, "base64url").toString());
    const forged = { data: JSON.stringify({ ...JSON.parse(data), TotInvVal: 1 }) };
    const signedQr = [head, Buffer.from(JSON.stringify(forged)).toString("base64url"), signature].join(".");
    const answer = await enter(number, { ...fields, signedQr });
    expect(answer.status).toBe(400);
    expect(wordsOf(answer.text)).toContain("total don't match");
    expect(await stateOf(number)).toBe("failed");
  });

  test("restores the details that the portal registered before a correction", async () => {
    const invoice = await refused({}, ["3029", "GSTIN is not active"]);
    const { number, orderId } = invoice;
    const former = (await findEInvoice(db, number))?.body;
    expect((await correct("staff", orderId, number, { pincode: "560001" })).status).toBe(303);
    await context.eInvoicesOf("IN").register(seller, former, "late");
    const fields = await registrationFields(number);
    await controls.faults(lookUp("2283"));
    await registerDocument(context, number);
    await controls.faults();
    const answer = await enter(number, { ...fields, signedInvoice: "" });
    expect(answer.status).toBe(400);
    expect(wordsOf(answer.text)).toContain("Enter the signed invoice");
    expect((await enter(number, fields)).status).toBe(303);
    expect(await stateOf(number)).toBe("final");
    expect(await factsOf(number)).toEqual(invoice.facts);
  });

  test("refuses to enter a registration for a refused document", async () => {
    const { number } = await refused();
    expect((await finance.get(paths.deskDocument(number))).text).not.toContain("document.enter");
    expect((await finance.get(paths.desk())).text).not.toContain(
      paths.deskActionForm("document.enter", number),
    );
    const fields = {
      irn: "a".repeat(64),
      ackNumber: "1",
      acknowledgedAt: "2026-11-30 14:05:00",
      signedQr: "a.b.c",
    };
    expect((await enter(number, fields)).status).toBe(409);
    expect(await stateOf(number)).toBe("failed");
  });

  test("alerts the operator when a correction finds it, and changes nothing", async () => {
    const invoice = await invoiced({}, new Date(), false);
    const { number, orderId } = invoice;
    await controls.faults(portal("reset-after"));
    await registerDocument(context, number);
    await controls.faults({ ...lookUp("2154"), times: 1 }, refusing("3029", "GSTIN is not active"));
    await registerDocument(context, number);
    await controls.faults(lookUp("2283"));
    expect((await correct("buyer", orderId, number, { pincode: "560001" })).status).toBe(409);
    await registerDocument(context, number);
    expect(await findEInvoice(db, number)).toMatchObject({ state: "failed", errorCode: "2283", revision: 0 });
    const form = paths.deskActionForm("document.enter", number);
    expect(JSON.stringify(await mailsOf(orderId, "operator-alert"))).toContain(form);
  });
});
