/**
 * Corrected invoices: a credit note cancels the old invoice, a new one replaces it, and no money moves. A repeated request
 * creates one correction, every list and file includes it, and it is refused where law or payments forbid it.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { insertAddress } from "#db/accounts/customers.ts";
import { saveRegistration } from "#db/accounts/gst-registrations.ts";
import { insertCancellation } from "#db/billing/cancellations.ts";
import { listUncreditedRefunds } from "#db/billing/credit-notes.ts";
import { saveDispute } from "#db/billing/disputes.ts";
import { findEInvoice } from "#db/billing/e-invoices.ts";
import { listPayments } from "#db/billing/payments.ts";
import { listMisinvoicedPayments, listUnpaidInvoices } from "#db/billing/reconciliation.ts";
import {
  type AddressId,
  type BillingContactId,
  type CancellationId,
  newId,
  type OrderId,
  type SubscriptionId,
} from "#db/ids.ts";
import { money } from "#db/money.ts";
import { listSeatOrders } from "#db/orders/licence-events.ts";
import { readOrder } from "#db/orders/orders.ts";
import { acquireSubscriptionLock, releaseSubscriptionLock } from "#db/orders/subscription-lock.ts";
import type { DisputeStatus } from "#db/tables/payments.ts";
import { yearOf } from "#server/billing/books/years.ts";
import { requestRegistrationCancellation } from "#server/billing/documents/cancel-registration.ts";
import { creditNotesOf } from "#server/billing/documents/credit-note.ts";
import { creditNoteFactsSchema } from "#server/billing/documents/credit-note-facts.ts";
import { findInvoice, invoicesOf } from "#server/billing/documents/issue.ts";
import { registerDocument } from "#server/billing/documents/register-document.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { createSubscriptionFor, makeCustomer } from "#tests/support/customer.ts";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { download, filesIn, linesOf } from "#tests/support/download.ts";
import { type HttpBrowser, hiddenFieldValue, mainContentOf } from "#tests/support/http-browser.ts";
import { pdfOf, returnsSince, wordsOf } from "#tests/support/invoice-documents.ts";
import { freshEmail, type OpenPayment, toCheckout } from "#tests/support/journey.ts";
import { join, makeCompany, makePerson, signedIn } from "#tests/support/orders.ts";
import { payFor } from "#tests/support/paid-order.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { startStore } from "#tests/support/store.ts";

const startedAt = new Date();
const { stack, context, controls } = await startStore();
const { db } = context;

const gstin = "29AABCB1234C1ZA";
const ofBusiness = { gst_code: gstin, organisationRegistrationNumber: gstin };
const thisYear = { year: String(yearOf(new Date(), "IN")) };

async function paid(options: Parameters<typeof toCheckout>[1] = {}): Promise<OpenPayment> {
  const order = await toCheckout(stack.url, options);
  await payFor(order, stack.sandboxUrl);
  return order;
}

async function invoiceOf({ id }: { id: OrderId }) {
  const invoice = await findInvoice(db, id);
  if (invoice === null) throw new Error(`No invoice of ${id}`);
  return invoice;
}

/** Posts the form for the order's current invoice. */
async function correct(
  order: { id: OrderId; browser: HttpBrowser },
  given: Record<string, string>,
  browser = order.browser,
) {
  const { number } = await invoiceOf(order);
  const nothing = { purchaseOrder: "", costCentre: "", note: "", place: "" };
  return browser.post(paths.orderReferences(order.id), { invoice: number, ...nothing, ...given });
}

async function customerOf({ id }: { id: OrderId }) {
  const customerId = (await readOrder(db, id))?.customerId;
  if (customerId == null) throw new Error(`${id} is of no company`);
  return customerId;
}

async function addPlace(order: { id: OrderId }, changes: Partial<Parameters<typeof insertAddress>[2]>) {
  const id = newId<AddressId>();
  const customerId = await customerOf(order);
  await db.transaction().execute((trx) =>
    insertAddress(trx, customerId, {
      id,
      gstCode: null,
      addressLine1: "9 Church Street",
      addressLine2: "",
      city: "Bengaluru",
      state: "Karnataka",
      pincode: "560001",
      country: "IN",
      organisationRegistrationNumber: "",
      email: "accounts@acme.example",
      firstName: "Asha",
      lastName: "Rao",
      phone: "+919876543210",
      ...changes,
    }),
  );
  return id;
}

const registered = (number: string, status = "Active", taxpayerType = "Regular") =>
  saveRegistration(
    db,
    { gstin: number, legalName: "Acme Tools", tradeName: "", status, taxpayerType },
    new Date(),
  );

const said = (html: string) => wordsOf(mainContentOf(html));

async function hasNoGap(): Promise<void> {
  for (const table of ["invoices", "credit_notes"] as const) {
    const all = await db.selectFrom(table).select(["series", "serial"]).orderBy("serial").execute();
    for (const series of new Set(all.map((row) => row.series))) {
      const serials = all.filter((row) => row.series === series).map(({ serial }) => serial);
      expect(serials).toEqual(serials.map((_, index) => index + 1));
    }
  }
}

describe("a purchase order number added after the invoice", async () => {
  const order = await paid();
  const before = await invoiceOf(order);
  const form = await order.browser.get(paths.orderReferences(order.id));
  const referencesNow = { purchaseOrder: "PO-9/77", costCentre: "CC 4" };
  const answer = await correct(order, referencesNow);
  const after = await invoiceOf(order);
  const [note] = await creditNotesOf(db, [order.id]);

  test("shows what will happen on the form", () => {
    expect(said(form.text)).toContain(`Invoice ${before.number} has been issued`);
    expect(said(form.text)).toContain("nothing to pay and no refund");
    expect(said(form.text)).toContain("You can do this 3 more times for this order.");
    expect(hiddenFieldValue(form.text, "invoice")).toBe(before.number);
    expect(form.text).not.toContain("__remixContext");
    expect(answer.location).toBe(paths.invoice(order.id));
  });

  test("creates a credit note for the whole invoice and a new one of the same amount", async () => {
    expect(after.number).not.toBe(before.number);
    const { replaces, references, ...rest } = after.facts;
    expect(references).toEqual({ purchaseOrder: "PO-9/77", costCentre: "CC 4", note: null });
    expect(replaces).toEqual({ number: before.number, issuedAt: before.issuedAt.toISOString() });
    expect(rest).toEqual(before.facts);
    const facts = creditNoteFactsSchema.parse(
      (
        await db
          .selectFrom("credit_notes")
          .select("facts")
          .where("order_id", "=", order.id)
          .executeTakeFirst()
      )?.facts,
    );
    const { totalMinor, subtotalMinor, taxes, roundingMinor } = before.facts;
    expect(facts).toMatchObject({ totalMinor, subtotalMinor, taxes, roundingMinor });
    expect(facts.invoice.number).toBe(before.number);
    expect(facts.reason).toBe(
      `Correction of the purchase order number and the cost centre. Replaced by invoice ${after.number}. No money is refunded.`,
    );
    expect(await db.selectFrom("refunds").select("id").where("order_id", "=", order.id).execute()).toEqual(
      [],
    );
    expect((await readOrder(db, order.id))?.references.purchaseOrder).toBe("PO-9/77");
    await hasNoGap();
  });

  test("keeps the old invoice, marked as replaced, and shows the new one by default", async () => {
    const page = await order.browser.get(paths.invoice(order.id));
    expect(said(page.text)).toContain(`Invoice number ${after.number}`);
    expect(said(page.text)).toContain(`Replaces Invoice ${before.number} of`);
    expect(wordsOf(page.text)).toContain(`Invoice ${after.number} replaces ${before.number}.`);
    const old = await order.browser.get(paths.invoice(order.id, before.number));
    expect(said(old.text)).toContain(`replaced by invoice ${after.number}`);
    expect(said(old.text)).not.toContain("PO-9/77");
    for (const link of [paths.creditNote(note?.id ?? ""), paths.invoice(order.id, after.number)])
      expect(mainContentOf(old.text)).toContain(`href="${link.replaceAll("&", "&amp;")}"`);
    expect((await pdfOf(order.browser, order.id)).pages.join(" ")).toContain("PO-9/77");
    const oldPdf = await download(order.browser, paths.invoicePdf(order.id, before.number));
    expect((await pdfPages(oldPdf.bytes)).join(" ")).toContain(before.number);
    const stranger = await paid();
    expect((await stranger.browser.get(paths.invoice(stranger.id, before.number))).status).toBe(404);
    expect((await stranger.browser.get(paths.invoice(order.id, before.number))).status).toBe(404);
  });

  test("appears in My Orders, the documents, both files and the zip, fully settled", async () => {
    const list = (await order.browser.get(paths.myOrders({ search: "po-9/77" }))).text;
    expect(list).toContain(`href="${paths.creditNote(note?.id ?? "")}"`);
    expect(wordsOf(list)).toContain("Credit note for correction");
    const page = (await order.browser.get(paths.documents())).text;
    expect(page).toContain(`href="${paths.invoice(order.id, before.number).replaceAll("&", "&amp;")}"`);
    expect(wordsOf(page)).toContain(`Replaced by ${after.number}`);
    const lines = async (path: string) => linesOf((await download(order.browser, path)).bytes);
    const documents = await lines(paths.documentsFile(thisYear));
    expect(
      documents.map(({ number, corrects, "replaced by": by, "purchase order": po }) => [
        number,
        corrects,
        by,
        po,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [before.number, "", after.number, ""],
        [note?.number, before.number, "", ""],
        [after.number, before.number, "", "PO-9/77"],
      ]),
    );
    expect(documents).toHaveLength(3);
    const statement = await lines(paths.statementFile(thisYear));
    expect(statement.at(-1)).toMatchObject({ what: "closing balance", balance: "0.00" });
    expect(statement.filter(({ what }) => what === "invoice")).toHaveLength(2);
    // Documents keep their own references; payments show the order's current ones.
    const paidBy = statement.find(({ what }) => what === "payment")?.reference;
    expect(
      statement
        .slice(1, -1)
        .map(({ reference, "purchase order": po, "cost centre": centre }) => [reference, po, centre]),
    ).toEqual(
      expect.arrayContaining([
        [before.number, "", ""],
        [note?.number, "", ""],
        [after.number, "PO-9/77", "CC 4"],
        [paidBy, "PO-9/77", "CC 4"],
      ]),
    );
    const zip = filesIn((await download(order.browser, paths.documentsZip(thisYear))).bytes);
    expect([...zip.keys()].filter((name) => name.endsWith(".pdf"))).toHaveLength(3);
    const span = { from: new Date(0), before: new Date(Date.now() + 60_000) };
    const seats = await listSeatOrders(db, { customerId: await customerOf(order) }, span);
    const [sold, ...others] = seats;
    expect(others).toEqual([]);
    expect(sold).toMatchObject({ creditedMinor: order.totalMinor, invoicedMinor: 2 * order.totalMinor });
  });

  test("mails the buyer and audits the correction", async () => {
    const mails = await db
      .selectFrom("mails")
      .select("id")
      .where("order_id", "=", order.id)
      .where("kind", "=", "invoice-corrected")
      .execute();
    expect(mails).toHaveLength(1);
    for (const { id } of mails) await sendMail(context, id);
    const mail = (await controls.inbox(order.email)).find(({ subject }) =>
      subject.startsWith("Corrected invoice"),
    );
    expect(mail?.subject).toBe(`Corrected invoice ${after.number}`);
    expect(mail?.text).toContain(paths.creditNote(note?.id ?? ""));
    expect(
      await db
        .selectFrom("audit_log")
        .select("data")
        .where("action", "=", "invoice.correct")
        .where("subject", "=", `order:${order.id}`)
        .execute(),
    ).toEqual([{ data: { from: before.number, to: after.number, creditNote: note?.number } }]);
  });

  test("leaves no differences in the store's books and appears in the tax return", async () => {
    const ofOrder = ({ orderId }: { orderId: OrderId }) => orderId === order.id;
    for (const found of [await listMisinvoicedPayments(db), await listUnpaidInvoices(db)])
      expect(found.filter(ofOrder)).toEqual([]);
    expect((await listUncreditedRefunds(db)).filter(ofOrder)).toEqual([]);
    const returns = await returnsSince(db, startedAt);
    const ours = new Map(returns.flatMap(({ documents }) => documents).map((each) => [each.number, each]));
    const [old, back, corrected] = [before.number, note?.number ?? "", after.number].map((number) =>
      ours.get(number),
    );
    expect([old?.kind, back?.kind, corrected?.kind]).toEqual(["invoice", "credit note", "invoice"]);
    for (const each of [back, corrected]) {
      const { taxableMinor, cgstMinor, sgstMinor, igstMinor } = old ?? {};
      expect(each).toMatchObject({ taxableMinor, cgstMinor, sgstMinor, igstMinor, isCancelled: false });
    }
  });
});

test("finds an order by the purchase order of its replaced invoice, also in the Desk", async () => {
  const order = await paid();
  await correct(order, { purchaseOrder: "Ordered 0417" });
  await correct(order, { purchaseOrder: "Ordered 0999" });
  const other = await paid();
  await correct(other, { purchaseOrder: "Ordered 1234" });
  const desk = await staffBrowser(context, stack.url, await makeStaff(context, "support"));
  for (const search of ["ordered 0417", "ORDERED 0999"]) {
    expect((await order.browser.get(paths.myOrders({ search }))).text, search).toContain(
      paths.invoice(order.id),
    );
    expect((await other.browser.get(paths.myOrders({ search }))).text).not.toContain(paths.invoice(other.id));
    const found = (await desk.get(paths.deskOrders({ search }))).text;
    expect(found, search).toContain(paths.deskOrder(order.id));
    expect(found).not.toContain(paths.deskOrder(other.id));
  }
});

test("offers an address once, and not if the invoice already has it", async () => {
  const order = await paid();
  const [first, second] = [await addPlace(order, {}), await addPlace(order, {})];
  const form = (await order.browser.get(paths.orderReferences(order.id))).text;
  const offered = [...form.matchAll(/<input[^>]*name="place"[^>]*>/g)];
  expect(offered).toHaveLength(2);
  expect([first, second].filter((id) => form.includes(id))).toHaveLength(1);
});

test("creates one correction for simultaneous and repeated requests", async () => {
  const order = await paid();
  const { number } = await invoiceOf(order);
  const ask = () => correct(order, { purchaseOrder: "PO-1" });
  const page = paths.orderReferences(order.id);
  const form = { invoice: number, purchaseOrder: "PO-1", costCentre: "", note: "", place: "" };
  const answers = await Promise.all(Array.from({ length: 5 }, () => order.browser.post(page, form)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
  expect((await order.browser.post(page, form)).status).toBe(303);
  expect(await invoicesOf(db, order.id)).toHaveLength(2);
  expect(await creditNotesOf(db, [order.id])).toHaveLength(1);
  // The same form with other values refers to an invoice that is no longer current.
  const other = await order.browser.post(page, { ...form, purchaseOrder: "PO-2" });
  expect(other.status).toBe(409);
  expect(said(other.text)).toContain("The invoice has been corrected since you opened this page.");
  // Values that the invoice already shows are not a correction.
  expect(said((await ask()).text)).toContain(
    "The invoice already shows these details. Change something to issue a corrected one.",
  );
  expect(await invoicesOf(db, order.id)).toHaveLength(2);
  await hasNoGap();
});

test("credits the new invoice with a later refund and allows no more corrections", async () => {
  const order = await paid();
  await correct(order, { purchaseOrder: "PO-1" });
  const after = await invoiceOf(order);
  const refundId = await refundPart(context, order.id, order.totalMinor);
  const notes = await db
    .selectFrom("credit_notes")
    .select(["refund_id", "invoice_number", "total_minor"])
    .where("order_id", "=", order.id)
    .where("refund_id", "is not", null)
    .execute();
  expect(notes).toEqual([
    { refund_id: refundId, invoice_number: after.number, total_minor: after.facts.totalMinor },
  ]);
  expect((await listUncreditedRefunds(db)).filter(({ orderId }) => orderId === order.id)).toEqual([]);
  // The order's own page says that it was refunded in full.
  expect((await correct(order, { purchaseOrder: "PO-2" })).location).toContain(order.id);
  expect(await invoicesOf(db, order.id)).toHaveLength(2);
  expect((await readOrder(db, order.id))?.references.purchaseOrder).toBe("PO-1");
});

describe("the invoice of a business", async () => {
  const order = await paid({ account: ofBusiness });
  const before = await invoiceOf(order);

  test("requires its registration and registers both new documents", async () => {
    const early = await correct(order, { purchaseOrder: "PO-7" });
    expect(early.status).toBe(409);
    expect(said(early.text)).toContain("being registered with the tax office");
    await registerDocument(context, before.number);
    expect(said((await order.browser.get(paths.orderReferences(order.id))).text)).toContain(
      "Both are registered with the tax office first",
    );
    expect((await correct(order, { purchaseOrder: "PO-7" })).status).toBe(303);
    const after = await invoiceOf(order);
    const [note] = await creditNotesOf(db, [order.id]);
    const number = note?.number ?? "";
    for (const each of [after.number, number]) await registerDocument(context, each);
    expect(await findEInvoice(db, number)).toMatchObject({
      state: "final",
      kind: "CRN",
      body: { RefDtls: { PrecDocDtls: [{ InvNo: before.number }] } },
    });
    expect(await findEInvoice(db, after.number)).toMatchObject({
      state: "final",
      kind: "INV",
      body: { RefDtls: { ContrDtls: [{ PORefr: "PO-7" }] } },
    });
    expect((await findEInvoice(db, before.number))?.state).toBe("final");
    // Neither of the two documents can be cancelled separately at the portal.
    for (const each of [before.number, number])
      await expect(
        requestRegistrationCancellation(db, each, {
          code: "2",
          words: "A mistake.",
          by: "staff",
          now: new Date(),
        }),
      ).rejects.toThrow("belongs to a corrected invoice");
    const returns = await returnsSince(db, startedAt);
    const table = returns.find(({ documents }) => documents.some((each) => each.number === number))?.table;
    expect(JSON.stringify(table?.cdnr)).toContain(number);
    for (const each of [before.number, after.number]) expect(JSON.stringify(table?.b2b)).toContain(each);
  });

  test("moves to an address in the same state but not where the tax would change", async () => {
    const sameState = await addPlace(order, { gstCode: gstin, addressLine1: "9 Church Street" });
    const elsewhere = await addPlace(order, { state: "Maharashtra", city: "Mumbai", pincode: "400001" });
    await registered(gstin);
    await registerDocument(context, (await invoiceOf(order)).number);
    const form = (await order.browser.get(paths.orderReferences(order.id))).text;
    expect(form).toContain(sameState);
    expect(form).not.toContain(elsewhere);
    const refused = await correct(order, { purchaseOrder: "PO-7", place: elsewhere });
    expect(refused.status).toBe(400);
    expect(said(refused.text)).toContain("would change the tax on the invoice");
    expect((await correct(order, { purchaseOrder: "PO-7", place: sameState })).status).toBe(303);
    const { facts } = await invoiceOf(order);
    expect(facts.recipient.addressLines[0]).toBe("9 Church Street");
    expect(facts.parties?.recipient).toMatchObject({ street: "9 Church Street", stateCode: "29" });
    expect(facts.taxes).toEqual(before.facts.taxes);
    expect((await correct(order, { place: newId() })).status).toBe(404);
  });
});

describe("a missing GSTIN", () => {
  test("turns the new invoice into a registered B2B one if the register knows it", async () => {
    const order = await paid();
    const place = await addPlace(order, { gstCode: gstin });
    await registered(gstin, "Cancelled");
    const refused = await correct(order, { place });
    expect(refused.status).toBe(400);
    expect(said(refused.text)).toContain(`The tax register hasn't confirmed GSTIN ${gstin}.`);
    await registered(gstin);
    expect((await correct(order, { place })).status).toBe(303);
    const { number, facts } = await invoiceOf(order);
    expect(facts).toMatchObject({ supply: { type: "B2B" }, recipient: { gstin } });
    expect(await findEInvoice(db, number)).toMatchObject({ state: "pending", kind: "INV" });
    const [note] = await creditNotesOf(db, [order.id]);
    expect(await findEInvoice(db, note?.number ?? "")).toBeNull();
    const reason = said((await order.browser.get(paths.creditNote(note?.id ?? ""))).text);
    expect(reason).toContain("Correction of the recipient.");
  });

  test("refuses a special economic zone's GSTIN, which would remove the tax", async () => {
    const order = await paid();
    const place = await addPlace(order, { gstCode: "29AAPFU0939F1ZR" });
    await registered("29AAPFU0939F1ZR", "Active", "SEZ Unit");
    expect((await correct(order, { place })).status).toBe(400);
    expect(await invoicesOf(db, order.id)).toHaveLength(1);
  });
});

describe("a correction", () => {
  let order: OpenPayment;
  beforeAll(async () => {
    order = await paid();
  });
  async function isRefused(words: string, status = 409): Promise<void> {
    const count = (await invoicesOf(db, order.id)).length;
    const answer = await correct(order, { purchaseOrder: "PO-refused" });
    expect(answer.status).toBe(status);
    expect(said(answer.text)).toContain(words);
    expect(said((await order.browser.get(paths.orderReferences(order.id))).text)).toContain(words);
    expect(await invoicesOf(db, order.id)).toHaveLength(count);
    expect((await readOrder(db, order.id))?.references.purchaseOrder).not.toBe("PO-refused");
  }

  test("refuses strangers and viewers", async () => {
    const stranger = await makePerson(db);
    await makeCompany(db, stranger, "Other Tools");
    const others = await signedIn(context, stack.url, stranger);
    expect((await correct(order, { purchaseOrder: "PO-refused" }, others)).status).toBe(404);
    const viewer = await makePerson(db);
    await join(db, await customerOf(order), viewer, "viewer");
    const looking = await signedIn(context, stack.url, viewer);
    expect((await correct(order, { purchaseOrder: "PO-refused" }, looking)).status).toBe(404);
    expect((await looking.get(paths.invoice(order.id))).text).not.toContain(paths.orderReferences(order.id));
    expect((await order.browser.get(paths.invoice(order.id))).text).toContain(
      paths.orderReferences(order.id),
    );
    expect(await invoicesOf(db, order.id)).toHaveLength(1);
  });

  test("waits for a renewal or cancellation of the subscription", async () => {
    const customer = await makeCustomer(db);
    const held = await createSubscriptionFor(db, customer);
    const ofSubscription = (subscription_id: SubscriptionId | null) =>
      db.updateTable("orders").set({ subscription_id }).where("id", "=", order.id).execute();
    await ofSubscription(held.id);
    const { id: renewal } = await paid();
    expect(await acquireSubscriptionLock(db, held.id, renewal)).toBe(true);
    await isRefused("This subscription is being changed");
    await releaseSubscriptionLock(db, renewal);
    const cancellation = {
      id: newId<CancellationId>(),
      subscriptionId: held.id,
      orderId: order.id,
      askedBy: customer.owner.userId,
    };
    const part = { orderId: order.id, seats: 1, amount: money(100, "INR") };
    await db
      .transaction()
      .execute((trx) =>
        insertCancellation(trx, { ...cancellation, kind: "reduce", seatsBefore: 2, seatsAfter: 1 }, [part]),
      );
    await isRefused("This subscription is being changed");
    await ofSubscription(null);
  });

  test("waits for a dispute of its payment to be won", async () => {
    const [payment] = await listPayments(db, order.id);
    if (payment === undefined) throw new Error("Expected a payment");
    const dispute = (status: DisputeStatus) =>
      db.transaction().execute((trx) =>
        saveDispute(trx, {
          orderId: order.id,
          provider: payment.provider,
          providerPaymentId: payment.providerPaymentId,
          providerDisputeId: "disp_corrections",
          amountMinor: 100,
          deductedMinor: 0,
          currency: "INR",
          reason: null,
          phase: "chargeback",
          status,
          respondBy: null,
          toldAt: new Date(),
        }),
      );
    const standing = (payment_status: "disputed" | "completed") =>
      db.updateTable("orders").set({ payment_status }).where("id", "=", order.id).execute();
    await dispute("open");
    await standing("disputed");
    await isRefused("in dispute with the bank");
    await dispute("won");
    await standing("completed");
    expect((await correct(order, { purchaseOrder: "PO-won" })).status).toBe(303);
  });

  test("ends on 30 November after the financial year of the first invoice", async () => {
    const [first, second] = await invoicesOf(db, order.id);
    if (first === undefined || second === undefined) throw new Error("Expected an invoice");
    const longAgo = new Date("2024-03-30T09:00:00Z");
    await db.updateTable("invoices").set({ issued_at: longAgo }).where("number", "=", first.number).execute();
    await isRefused("The legal deadline for correcting this invoice has passed");
    await db
      .updateTable("invoices")
      .set({ issued_at: first.issuedAt })
      .where("number", "=", first.number)
      .execute();
  });

  test("stops at the number that the setting allows", async () => {
    for (const purchaseOrder of ["PO-a", "PO-b"])
      expect((await correct(order, { purchaseOrder })).status).toBe(303);
    await isRefused("has already been corrected 3 times");
  });

  test("stops after a refund", async () => {
    order = await paid();
    await refundPart(context, order.id, 100);
    await isRefused("This order has been refunded");
  });
});

test("corrects an American invoice at any time in its own series, without GST", async () => {
  const order = await paid({ country: "US" });
  const before = await invoiceOf(order);
  const longAgo = new Date("2020-03-30T09:00:00Z");
  await db.updateTable("invoices").set({ issued_at: longAgo }).where("number", "=", before.number).execute();
  const form = said((await order.browser.get(paths.orderReferences(order.id))).text);
  expect(form).not.toContain("tax office");
  expect((await correct(order, { purchaseOrder: "PO-US" })).status).toBe(303);
  const after = await invoiceOf(order);
  expect(after.number).toMatch(/^US\/\d{4}\/\d{6}$/);
  const [note] = await creditNotesOf(db, [order.id]);
  expect(note?.number).toMatch(/^US\/C\d{4}\/\d{6}$/);
  expect(note?.amount).toEqual({ minor: order.totalMinor, currency: "USD" });
  await hasNoGap();
});

test("sends both documents to the billing contact", async () => {
  const order = await paid();
  const email = freshEmail();
  await db
    .insertInto("billing_contacts")
    .values({
      id: newId<BillingContactId>(),
      customer_id: await customerOf(order),
      email,
      gets_invoices: true,
      gets_proformas: false,
      confirmed_at: new Date(),
    })
    .execute();
  const before = await invoiceOf(order);
  await correct(order, { purchaseOrder: "PO-1" });
  const copies = await db.selectFrom("mails").select(["id", "data"]).where("recipient", "=", email).execute();
  expect(copies).toHaveLength(2);
  for (const { id } of copies) await sendMail(context, id);
  const subjects = (await controls.inbox(email)).map(({ subject }) => subject).sort();
  const [note] = await creditNotesOf(db, [order.id]);
  expect(subjects).toEqual([
    `Credit Note ${note?.number}, Acme Tools`,
    `Tax Invoice ${(await invoiceOf(order)).number}, Acme Tools`,
  ]);
  const saidIn = async (title: string) =>
    (await controls.inbox(email)).find(({ subject }) => subject.startsWith(title))?.text;
  expect(await saidIn("Credit Note")).toMatch(new RegExp(`Original invoice:?\\s+${before.number}`));
  expect(await saidIn("Credit Note")).not.toContain("PO-1");
  expect(await saidIn("Tax Invoice")).toContain("PO-1");
});
