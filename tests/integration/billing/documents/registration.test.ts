/**
 * Registration of invoices at the invoice registration portal: once, despite failures, with the portal's signed data on page
 * and PDF, and an operator alert for every refusal.
 */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { saveRegistration } from "#db/accounts/gst-registrations.ts";
import { listUncreditedRefunds } from "#db/billing/credit-notes.ts";
import { findEInvoice } from "#db/billing/e-invoices.ts";
import type { OrderId } from "#db/ids.ts";
import type { AccountAnswers, Supply } from "#db/orders/order.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Fault } from "#sandbox/vendors/faults.ts";
import { findRegistration } from "#server/accounts/gst-lookup.ts";
import {
  cancelAtPortal,
  requestRegistrationCancellation,
} from "#server/billing/documents/cancel-registration.ts";
import { creditNotesOf } from "#server/billing/documents/credit-note.ts";
import { eInvoiceBody, toRegistrable } from "#server/billing/documents/e-invoice-body.ts";
import { getInvoiceFor, type Invoice, issueInvoice } from "#server/billing/documents/issue.ts";
import { registerDocument } from "#server/billing/documents/register-document.ts";
import { registerEarlier } from "#server/billing/documents/register-earlier.ts";
import { registrationOf } from "#server/billing/documents/registration.ts";
import { queueRegistration, retryDocument } from "#server/billing/documents/registration-queue.ts";
import { retryUnregisteredDocuments } from "#server/billing/documents/retry-unregistered.ts";
import { invoiceView } from "#server/billing/documents/view.ts";
import type { Requester } from "#server/orders/find.ts";
import { makeCompany, makeOrder, makePerson, readOrder } from "#tests/support/orders.ts";
import { accountAnswers } from "#tests/support/priced-order.ts";
import { deleteQueuedJobs, queuedJobs } from "#tests/support/queue.ts";
import { insertCapturedPayment, refundPart } from "#tests/support/refunds.ts";
import { startWorld } from "#tests/support/world.ts";

const world = await startWorld({ RETRY_BASE_MS: "1" });
const { context, controls, sandbox } = world;
const { db } = context;

const inOwnState = "29AABCB1234C1ZA";
const elsewhere = "27AAPFU0939F1ZV";

let requester: Requester;
beforeAll(async () => {
  const buyer = await makePerson(db);
  requester = {
    userId: buyer.userId,
    customer: { id: await makeCompany(db, buyer), role: "owner" },
    draftKey: null,
  };
});
beforeEach(async () => {
  await controls.faults();
  sandbox.sandbox.clockOffset = 0;
  sandbox.sandbox.inactiveGstins = new Set();
  await deleteQueuedJobs(db);
});

interface Sold {
  account?: Partial<AccountAnswers>;
  supply?: Supply;
  country?: Country;
  issuedAt?: Date;
}

/** Creates a paid order and returns its invoice. */
async function invoiced({ account, supply, issuedAt = new Date() }: Sold = {}): Promise<Invoice> {
  const orderId: OrderId = await makeOrder(
    db,
    { requester, quantity: 7 },
    {
      stage: "stage3",
      payment_status: "completed",
      paid_at: issuedAt,
      customer_id: requester.customer?.id ?? null,
      account: JSON.stringify(accountAnswers({ gst_code: inOwnState, ...account })),
      ...(supply !== undefined && { details: JSON.stringify({ supply }) }),
    },
  );
  await deleteQueuedJobs(db);
  return db.transaction().execute((trx) => issueInvoice(trx, context.env, orderId, issuedAt));
}

const stateOf = async ({ number }: Invoice) => (await registrationOf(db, number)).state;
const portal = (number: string) =>
  Object.values(sandbox.sandbox.state.gsp).filter((each) =>
    JSON.stringify(each.document).includes(`"No":"${number}"`),
  );
const mailsAbout = async ({ orderId }: Invoice, kind: "invoice-ready" | "operator-alert") =>
  db.selectFrom("mails").selectAll().where("order_id", "=", orderId).where("kind", "=", kind).execute();
const atPortal = (kind: Fault["kind"], path = "/gsp/ei/api/invoice$", more: Partial<Fault> = {}): Fault => ({
  match: { path },
  kind,
  times: 1,
  ...more,
});
const lookUp = "/gsp/ei/api/invoice/irn";
const refused = (code: string, description: string) =>
  atPortal("refuse", undefined, { status: 200, code, description });

describe("an invoice to a business", () => {
  test("registers once and then shows the signed data on page and PDF", async () => {
    const invoice = await invoiced();
    expect(await stateOf(invoice)).toBe("pending");
    expect((await queuedJobs(db)).map(({ task }) => task)).toContain("register-document");
    const waiting = invoiceView(invoice, await registrationOf(db, invoice.number));
    expect(waiting.registration?.notice).toMatch(/being registered/);

    await registerDocument(context, invoice.number);
    const [registered, ...others] = portal(invoice.number);
    expect(others).toEqual([]);
    const said = await registrationOf(db, invoice.number);
    expect(said).toMatchObject({
      state: "final",
      irn: registered?.irn,
      ackNumber: registered?.ackNo,
      signedQr: registered?.signedQr,
    });
    const view = invoiceView(invoice, said);
    expect(view.registration?.facts.map(({ value }) => value)).toContain(registered?.irn);
    expect(view.registration?.qr?.size).toBeGreaterThan(100);
    expect(await mailsAbout(invoice, "invoice-ready")).toHaveLength(1);

    // The queue may run the same job twice.
    await registerDocument(context, invoice.number);
    expect(await mailsAbout(invoice, "invoice-ready")).toHaveLength(1);
    expect(portal(invoice.number)).toHaveLength(1);
  });

  test.each([
    [
      "a proprietor",
      { gst_code: "29ABCPS1234K1ZI", companyName: "Rao's" },
      { LglNm: "ANITA RAO", TrdNm: "RAO OFFICE SUPPLIES" },
    ],
    [
      "another company's name",
      { gst_code: inOwnState },
      { LglNm: "BRIGHT ORCHARD TECHNOLOGIES PRIVATE LIMITED" },
    ],
    [
      "a company of two letters, which the register does not know",
      { gst_code: "29AABCB1234C2Z9", companyName: "EY", city: "Bo" },
      { LglNm: "M/s EY", Loc: "Bo, Karnataka" },
    ],
    ["a department", { gst_code: "29BLRA10199B1DH" }, { Gstin: "29BLRA10199B1DH", Stcd: "29" }],
    ["an embassy", { gst_code: "2917USA00012UN2" }, { Gstin: "2917USA00012UN2", Pos: "29" }],
    [
      "the other territory",
      { gst_code: "97AABCB1234C1Z7", city: "Mumbai", state: "Maharashtra", pincode: "400001" },
      { Pin: 999_999, Stcd: "97", Pos: "97" },
    ],
  ])("registers to %s under names and a place that the portal accepts", async (_what, account, sent) => {
    await findRegistration(context, account.gst_code, "203.0.113.9").catch(() => undefined);
    const invoice = await invoiced({ account });
    await registerDocument(context, invoice.number);
    expect(await stateOf(invoice)).toBe("final");
    expect(portal(invoice.number)[0]?.document).toMatchObject({ BuyerDtls: sent });
  });

  test("registers once for simultaneous jobs and sends one mail", async () => {
    const invoice = await invoiced();
    await Promise.all([1, 2, 3].map(() => registerDocument(context, invoice.number)));
    expect(await stateOf(invoice)).toBe("final");
    expect(portal(invoice.number)).toHaveLength(1);
    expect(await mailsAbout(invoice, "invoice-ready")).toHaveLength(1);
  });

  test.each<[string, Fault[], number]>([
    ["the call is lost", [atPortal("reset")], 2],
    ["the answer is lost", [atPortal("reset-after")], 2],
    ["it succeeds but reports an error", [atPortal("500-after")], 2],
    ["the portal is overloaded", [atPortal("503"), atPortal("429")], 3],
    ["the portal's session has expired", [refused("1005", "Invalid Token")], 2],
    ["the look-up is lost too", [atPortal("reset-after"), atPortal("reset", lookUp)], 3],
    ["the look-up's answer is lost", [atPortal("reset-after"), atPortal("reset-after", lookUp)], 3],
    [
      "it is not found, and a duplicate",
      [
        atPortal("reset-after"),
        atPortal("refuse", lookUp, { status: 200, code: "2154", description: "not found" }),
      ],
      2,
    ],
  ])("registers once when %s", async (_what, faults, tries) => {
    const invoice = await invoiced();
    await controls.faults(...faults);
    for (let count = 1; count < tries; count += 1) {
      await registerDocument(context, invoice.number);
      expect(await stateOf(invoice)).toBe("pending");
      expect((await queuedJobs(db)).map(({ key }) => key)).toContain(`register-document:${invoice.number}`);
    }
    await registerDocument(context, invoice.number);
    expect(await stateOf(invoice)).toBe("final");
    expect(portal(invoice.number)).toHaveLength(1);
    expect(await mailsAbout(invoice, "invoice-ready")).toHaveLength(1);
    expect(await mailsAbout(invoice, "operator-alert")).toEqual([]);
  });

  test.each([
    ["3028", "GSTIN is not valid"],
    ["3029", "GSTIN is not active"],
  ])("alerts the operator about a buyer's GSTIN refused with %s, and allows a retry", async (code, words) => {
    const invoice = await invoiced();
    await controls.faults(refused(code, words));
    await registerDocument(context, invoice.number);
    expect(await stateOf(invoice)).toBe("failed");
    const [alert] = await mailsAbout(invoice, "operator-alert");
    expect(JSON.stringify(alert?.data)).toMatch(
      /Correct the document in Desk.*register it again in Desk.*buyer's GSTIN/,
    );
    expect(await findEInvoice(db, invoice.number)).toMatchObject({
      errorCode: code,
      errorWords: expect.stringContaining(words),
    });

    // No further automatic attempts.
    await registerDocument(context, invoice.number);
    expect(portal(invoice.number)).toEqual([]);

    const input = { reason: "The register was read again", by: "meera" };
    await retryDocument(db, invoice.number, input);
    await registerDocument(context, invoice.number);
    expect(await stateOf(invoice)).toBe("final");
    await expect(retryDocument(db, invoice.number, input)).rejects.toMatchObject({ code: "conflict" });
  });

  test("fails when the portal has another document under its number", async () => {
    const invoice = await invoiced();
    const found = toRegistrable(invoice);
    if (found === null) throw new Error("Expected a registrable invoice");
    const body = eInvoiceBody({ ...invoice, kind: "INV" }, found);
    const other = { ...body, BuyerDtls: { ...body.BuyerDtls, Gstin: elsewhere, Stcd: "27", Pin: 400_018 } };
    await context.eInvoicesOf("IN").register(found.gstin, other, "another-till");
    await registerDocument(context, invoice.number);
    expect(await findEInvoice(db, invoice.number)).toMatchObject({
      state: "failed",
      errorCode: "different",
      errorWords: "A different document is registered: buyer don't match.",
    });
    expect(await mailsAbout(invoice, "invoice-ready")).toEqual([]);
  });
});

describe("the portal", () => {
  const zone = "29AAGCS5678Q1Z7";
  const supplies: [string, Sold, object][] = [
    ["within the state", {}, { SupTyp: "B2B" }],
    [
      "to another state",
      { account: { gst_code: elsewhere, state: "Maharashtra", pincode: "400018", city: "Mumbai" } },
      { SupTyp: "B2B" },
    ],
    [
      "to a zone under a letter",
      { account: { gst_code: zone }, supply: { type: "SEZWOP", letter: "AD290326000103V" } },
      { SupTyp: "SEZWOP" },
    ],
    [
      "to a zone with tax",
      { account: { gst_code: zone }, supply: { type: "SEZWP", letter: null } },
      { SupTyp: "SEZWP" },
    ],
  ];
  test.each(supplies)("accepts a supply %s", async (_what, sold, transaction) => {
    const invoice = await invoiced(sold);
    await registerDocument(context, invoice.number);
    const document = await findEInvoice(db, invoice.number);
    expect(document).toMatchObject({ state: "final", errorCode: null, body: { TranDtls: transaction } });
  });

  test("accepts a credit note that refers to its invoice", async () => {
    const { facts, orderId, issuedAt, number } = await invoiced();
    const note = { number: number.replace("IN/", "CN/"), kind: "CRN" as const, facts, issuedAt, orderId };
    await db
      .transaction()
      .execute((trx) => queueRegistration(trx, context.env, { ...note, precedes: { number, issuedAt } }));
    await registerDocument(context, note.number);
    expect(await findEInvoice(db, note.number)).toMatchObject({
      state: "final",
      body: { DocDtls: { Typ: "CRN" }, RefDtls: { PrecDocDtls: [{ InvNo: number }] } },
    });
    // The mail to the buyer is up to the caller that issues the credit note.
    expect(
      await db
        .selectFrom("mails")
        .select("id")
        .where("dedupe_key", "=", `invoice-ready:${note.number}`)
        .execute(),
    ).toEqual([]);
  });

  test("does not receive an invoice to a consumer", async () => {
    const invoice = await invoiced({ account: { gst_code: null } });
    expect(await stateOf(invoice)).toBe("not_needed");
    expect(await queuedJobs(db)).toEqual([]);
  });
});

describe("the clock job", () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

  test("queues a lost job again", async () => {
    const invoice = await invoiced();
    await deleteQueuedJobs(db);
    await db
      .updateTable("e_invoices")
      .set({ next_try_at: daysAgo(1) })
      .where("number", "=", invoice.number)
      .execute();
    await retryUnregisteredDocuments(context);
    expect((await queuedJobs(db)).map(({ key }) => key)).toContain(`register-document:${invoice.number}`);
  });

  test("alerts the operator once after 7 days and gives up after 30", async () => {
    const [late, lost] = [await invoiced(), await invoiced()];
    for (const [{ number }, days] of [
      [late, 8],
      [lost, 31],
    ] as const)
      await db
        .updateTable("e_invoices")
        .set({ issued_at: daysAgo(days) })
        .where("number", "=", number)
        .execute();
    await retryUnregisteredDocuments(context);
    await retryUnregisteredDocuments(context);
    expect(await stateOf(late)).toBe("pending");
    expect(await mailsAbout(late, "operator-alert")).toHaveLength(1);
    expect(await findEInvoice(db, lost.number)).toMatchObject({ state: "failed", errorCode: "too_old" });

    // A manual retry does not help, either.
    await retryDocument(db, lost.number, { reason: "Once more", by: "meera" });
    await registerDocument(context, lost.number);
    expect(await stateOf(lost)).toBe("failed");
    expect(portal(lost.number)).toEqual([]);
  });
});

describe("cancelling", () => {
  const input = { code: "2", words: "Wrong address", by: "meera" } as const;

  test("cancels once at the portal within 24 hours although the response is lost", async () => {
    const invoice = await invoiced();
    await expect(
      requestRegistrationCancellation(db, invoice.number, { ...input, now: new Date() }),
    ).rejects.toMatchObject({
      code: "conflict",
    });
    await registerDocument(context, invoice.number);
    await requestRegistrationCancellation(db, invoice.number, { ...input, now: new Date() });
    await controls.faults(atPortal("reset-after", "/gsp/ei/api/invoice/cancel"));
    await expect(cancelAtPortal(context, invoice.number)).rejects.toMatchObject({ kind: "transient" });
    expect(await stateOf(invoice)).toBe("final");
    await cancelAtPortal(context, invoice.number);
    expect(await stateOf(invoice)).toBe("cancelled");
    expect(portal(invoice.number).map(({ status }) => status)).toEqual(["CNL"]);
    const view = invoiceView(invoice, await registrationOf(db, invoice.number));
    expect(view.registration?.notice).toBe("This invoice has been cancelled.");
  });

  test("refuses after 24 hours, in the store and at the portal", async () => {
    const invoice = await invoiced();
    await registerDocument(context, invoice.number);
    const tomorrow = new Date(Date.now() + 25 * 3_600_000);
    await expect(
      requestRegistrationCancellation(db, invoice.number, { ...input, now: tomorrow }),
    ).rejects.toThrow(/credit note/);

    await requestRegistrationCancellation(db, invoice.number, { ...input, now: new Date() });
    sandbox.sandbox.clockOffset = 25 * 3_600_000;
    await cancelAtPortal(context, invoice.number);
    expect(await stateOf(invoice)).toBe("final");
    expect(await mailsAbout(invoice, "operator-alert")).toHaveLength(1);
    expect(await findEInvoice(db, invoice.number)).toMatchObject({ cancelReason: null });
  });
});

describe("a registered credit note whose refund failed", () => {
  /** Refunds an invoice in full, registers the credit note, then fails the refund. */
  async function inVain() {
    const invoice = await invoiced();
    const { orderId } = invoice;
    await registerDocument(context, invoice.number);
    await insertCapturedPayment(context, orderId);
    const refundId = await refundPart(context, orderId, invoice.facts.totalMinor);
    const [note] = await creditNotesOf(db, [orderId]);
    if (note === undefined) throw new Error("Expected a credit note");
    await registerDocument(context, note.number);
    await db.updateTable("refunds").set({ status: "failed" }).where("id", "=", refundId).execute();
    return { invoice, note };
  }
  const notesOf = async ({ orderId }: Invoice) =>
    (await creditNotesOf(db, [orderId])).map(({ number }) => number);
  const inTheBooks = async ({ orderId }: Invoice) => {
    const { number } = await readOrder(db, orderId);
    return (await listUncreditedRefunds(db)).filter((each) => each.number === number);
  };

  test("gets cancelled at the portal in time; a new refund has its own credit note", async () => {
    const { invoice, note } = await inVain();
    expect(await inTheBooks(invoice)).toMatchObject([{ creditNote: note.number }]);
    await deleteQueuedJobs(db);
    await retryUnregisteredDocuments(context);
    await retryUnregisteredDocuments(context);
    expect((await queuedJobs(db)).filter(({ key }) => key === `cancel-document:${note.number}`)).toHaveLength(
      1,
    );
    await cancelAtPortal(context, note.number);
    expect(portal(note.number).map(({ status }) => status)).toEqual(["CNL"]);
    expect(await notesOf(invoice)).toEqual([]);
    expect(await inTheBooks(invoice)).toEqual([]);
    await refundPart(context, invoice.orderId, invoice.facts.totalMinor);
    const again = await notesOf(invoice);
    expect(again).toHaveLength(1);
    expect(again).not.toContain(note.number);
    expect(await inTheBooks(invoice)).toEqual([]);
  });

  test("remains valid after 24 hours and covers the replacement refund", async () => {
    const { invoice, note } = await inVain();
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await db
      .updateTable("e_invoices")
      .set({ acknowledged_at: yesterday })
      .where("number", "=", note.number)
      .execute();
    await deleteQueuedJobs(db);
    await retryUnregisteredDocuments(context);
    expect((await queuedJobs(db)).filter(({ task }) => task === "cancel-document")).toEqual([]);
    expect(await notesOf(invoice)).toEqual([note.number]);
    expect(await inTheBooks(invoice)).toMatchObject([{ creditNote: note.number }]);
    const half = Math.floor(invoice.facts.totalMinor / 2);
    await refundPart(context, invoice.orderId, half);
    expect(await inTheBooks(invoice)).toMatchObject([{ creditNote: note.number }]);
    await refundPart(context, invoice.orderId, invoice.facts.totalMinor - half);
    expect(await notesOf(invoice)).toEqual([note.number]);
    expect(await inTheBooks(invoice)).toEqual([]);
  });

  test("alerts the operator, after one attempt, that the portal does not cancel it", async () => {
    const { invoice, note } = await inVain();
    await retryUnregisteredDocuments(context);
    sandbox.sandbox.clockOffset = 25 * 3_600_000;
    await cancelAtPortal(context, note.number);
    expect(await findEInvoice(db, note.number)).toMatchObject({
      state: "final",
      errorCode: expect.any(String),
    });
    await deleteQueuedJobs(db);
    await retryUnregisteredDocuments(context);
    expect((await queuedJobs(db)).filter(({ task }) => task === "cancel-document")).toEqual([]);
    expect(await mailsAbout(invoice, "operator-alert")).not.toEqual([]);
    expect(await notesOf(invoice)).toEqual([note.number]);
  });
});

describe("a document from before the portal account", () => {
  const input = { by: "meera", now: new Date() };

  test("stays unregistered until staff register all of them at once", async () => {
    await db.deleteFrom("e_invoices").execute();
    const young = await invoiced();
    const consumer = await invoiced({ account: { gst_code: null } });
    const old = await invoiced();
    const monthAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
    await db.updateTable("invoices").set({ issued_at: monthAgo }).where("number", "=", old.number).execute();
    await insertCapturedPayment(context, young.orderId);
    await refundPart(context, young.orderId, 1_000);
    const [note] = await creditNotesOf(db, [young.orderId]);
    await db.deleteFrom("e_invoices").execute();
    await deleteQueuedJobs(db);
    expect(await getInvoiceFor(context, young.orderId, requester)).toEqual(young);
    expect(await stateOf(young)).toBe("not_needed");

    const numbers = await registerEarlier(db, context.env, { ...input, now: new Date() });
    expect(numbers.indexOf(young.number)).toBeGreaterThanOrEqual(0);
    expect(numbers.indexOf(note?.number ?? "")).toBeGreaterThan(numbers.indexOf(young.number));
    expect(numbers).not.toContain(consumer.number);
    expect(numbers).not.toContain(old.number);
    expect(await registerEarlier(db, context.env, { ...input, now: new Date() })).toEqual([]);
    for (const number of [young.number, note?.number ?? ""]) {
      expect((await queuedJobs(db)).map(({ key }) => key)).toContain(`register-document:${number}`);
      await registerDocument(context, number);
      expect((await registrationOf(db, number)).state).toBe("final");
    }
  });

  test("stays unregistered where no account is configured", async () => {
    await db.deleteFrom("e_invoices").execute();
    await invoiced();
    await db.deleteFrom("e_invoices").execute();
    expect(await registerEarlier(db, { ...context.env, eInvoiceAccounts: new Map() }, input)).toEqual([]);
  });
});

test("keeps only the register's latest data of a taxpayer", async () => {
  const said = { gstin: inOwnState, legalName: "BRIGHT ORCHARD", tradeName: "", taxpayerType: "Regular" };
  await saveRegistration(db, { ...said, status: "Active" }, new Date());
  await saveRegistration(db, { ...said, status: "Cancelled" }, new Date());
  const rows = await db
    .selectFrom("gst_registrations")
    .select("status")
    .where("gstin", "=", inOwnState)
    .execute();
  expect(z.array(z.object({ status: z.string() })).parse(rows)).toEqual([{ status: "Cancelled" }]);
});
