/** Buyer's references of an order: entered at the review or before payment, shown on every document, and searchable. */
import { expect, test } from "vitest";
import { findEInvoice } from "#db/billing/e-invoices.ts";
import { newId, type OrderId } from "#db/ids.ts";
import { readOrder } from "#db/orders/orders.ts";
import { registerDocument } from "#server/billing/documents/register-document.ts";
import { purchaseOrderIdOf } from "#server/catalogue/families/google/purchase.ts";
import * as paths from "#server/foundation/paths.ts";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { HttpBrowser, hiddenFieldValue, mainContentOf } from "#tests/support/http-browser.ts";
import { pdfOf, wordsOf } from "#tests/support/invoice-documents.ts";
import { type OrderPlace, providerOrderOf, toReview } from "#tests/support/journey.ts";
import { payFor } from "#tests/support/paid-order.ts";
import { newestQuote } from "#tests/support/quotes.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { startStore } from "#tests/support/store.ts";
import { askForProforma } from "#tests/support/transfer.ts";

const { stack, context } = await startStore();

const mine = { purchaseOrder: "PO/2026-4711", costCentre: "CC 12", note: "Für Frau Müller <b>" };
const saidOfMine = ["PO/2026-4711", "CC 12", "Für Frau Müller &lt;b&gt;"];
const ofBusiness = { gst_code: "29AABCB1234C1ZA", organisationRegistrationNumber: "29AABCB1234C1ZA" };

async function reviewed() {
  const browser = new HttpBrowser(stack.url);
  return { browser, ...(await toReview(browser, { account: ofBusiness })) };
}
type Reviewed = Awaited<ReturnType<typeof reviewed>>;

const place = ({ browser, path, totalMinor }: Reviewed, given: Record<string, string>) =>
  browser.post(`${path}/place-order`, {
    intent: "place-order",
    terms: "on",
    total: String(totalMinor),
    references: "asked",
    ...given,
  });

async function paidWith(given: Record<string, string>): Promise<Reviewed> {
  const order = await reviewed();
  expect((await place(order, given)).status).toBe(303);
  const providerOrderId = await providerOrderOf(order.browser, order);
  await payFor({ ...order, providerOrderId }, stack.sandboxUrl);
  return order;
}

const referencesOf = async ({ id }: OrderPlace) => (await readOrder(context.db, id))?.references;

test("shows references from Place Order on every document and list", async () => {
  const order = await paidWith(mine);
  const { browser, id } = order;
  expect(await referencesOf(order)).toEqual(mine);
  const invoice = (await browser.get(paths.invoice(id))).text;
  const list = (await browser.get(paths.myOrders({ search: "po/2026" }))).text;
  const note = await refundPart(context, id, 1_000);
  const credited = (await browser.get(paths.creditNote(note))).text;
  for (const page of [invoice, list, credited]) for (const said of saidOfMine) expect(page).toContain(said);
  const [, number = ""] = /(IN\/\d\d-\d\d\/\d{6})/.exec(wordsOf(invoice)) ?? [];
  await registerDocument(context, number);
  const { pages } = await pdfOf(browser, id);
  expect(pages.join(" ")).toContain("Your purchase order PO/2026-4711");
  expect(pages.join(" ")).toContain(mine.note);
  expect(await findEInvoice(context.db, number)).toMatchObject({
    state: "final",
    body: { RefDtls: { ContrDtls: [{ PORefr: "PO/2026-4711" }] } },
  });
});

test("omits a number that the portal would refuse; the credit note names its invoice", async () => {
  const order = await paidWith({ purchaseOrder: "PO 2026/4711 (second)" });
  await refundPart(context, order.id, 1_000);
  const bodies = await context.db
    .selectFrom("e_invoices")
    .select(["kind", "body"])
    .where("order_id", "=", order.id)
    .execute();
  expect(bodies.map(({ kind }) => kind).sort()).toEqual(["CRN", "INV"]);
  for (const { kind, body } of bodies) {
    expect(JSON.stringify(body)).not.toContain("PORefr");
    expect(JSON.stringify(body).includes("PrecDocDtls")).toBe(kind === "CRN");
  }
});

test("keeps entered values without accepted terms; an invalid form changes nothing", async () => {
  const order = await reviewed();
  const { browser, path } = order;
  const total = String(order.totalMinor);
  const refused = await browser.post(`${path}/place-order`, { intent: "place-order", total, ...mine });
  expect(refused.status).toBe(400);
  expect(hiddenFieldValue(refused.text, "purchaseOrder")).toBe(mine.purchaseOrder);
  const tooLong = await place(order, { purchaseOrder: "x".repeat(41), note: "rung \u0007 out" });
  expect(tooLong.status).toBe(400);
  expect(wordsOf(mainContentOf(tooLong.text))).toContain("Use 40 characters or fewer.");
  expect(wordsOf(mainContentOf(tooLong.text))).toContain(
    "This text has characters we can't save. Remove them and try again.",
  );
  const none = { purchaseOrder: null, costCentre: null, note: null };
  expect(await referencesOf(order)).toEqual(none);
});

test("copies references from the review to a quote and to other ways to pay", async () => {
  const order = await reviewed();
  const { browser, id, path } = order;
  const shown = (await browser.get(`${path}/place-order`)).text;
  for (const intent of ["quote", "another-way"])
    expect(shown).toMatch(new RegExp(`<button[^>]* name="intent"[^>]* value="${intent}"`));
  const leave = (intent: string, given: Record<string, string>) =>
    browser.post(`${path}/place-order`, { intent, references: "asked", ...given });

  const wrong = await leave("quote", { purchaseOrder: "x".repeat(41) });
  expect(wrong.status).toBe(400);
  expect(wordsOf(mainContentOf(wrong.text))).toContain("Use 40 characters or fewer.");
  expect(hiddenFieldValue(wrong.text, "purchaseOrder")).toBe("x".repeat(41));
  expect(await newestQuote(context.db, id)).toBeNull();

  const aside = await leave("another-way", { purchaseOrder: "PO-1" });
  expect(aside.location).toBe(paths.payAnotherWay(id));
  expect(hiddenFieldValue((await browser.get(paths.payAnotherWay(id))).text, "purchaseOrder")).toBe("PO-1");

  const made = await leave("quote", mine);
  const quote = await newestQuote(context.db, id);
  expect(quote).toMatchObject({ version: 1, facts: { references: mine } });
  expect(made.location).toBe(paths.quote(quote?.id ?? ""));
  const page = (await browser.get(made.location ?? "")).text;
  for (const said of saidOfMine) expect(page).toContain(said);

  // Opening the quote again from the review creates a version with the new values.
  const again = await leave("quote", { ...mine, purchaseOrder: "PO-2" });
  const next = await newestQuote(context.db, id);
  expect(next).toMatchObject({ version: 2, facts: { references: { ...mine, purchaseOrder: "PO-2" } } });
  expect(again.location).toBe(paths.quote(next?.id ?? ""));
  expect((await leave("quote", { ...mine, purchaseOrder: "PO-2" })).location).toBe(again.location);
});

test("allows changes after a proforma until payment, without repricing", async () => {
  const order = await reviewed();
  const { browser, id } = order;
  await askForProforma(browser, order, { references: "asked", purchaseOrder: "PO-1" });
  const address = paths.orderReferences(id);
  expect((await browser.get(paths.proforma(id))).text).toContain(`href="${address}"`);
  const before = await readOrder(context.db, id);
  const changed = await browser.post(address, { purchaseOrder: "PO-2", costCentre: "", note: "" });
  expect(changed.location).toBe(`${order.path}/place-order`);
  const after = await readOrder(context.db, id);
  expect(after?.references.purchaseOrder).toBe("PO-2");
  expect(after?.total).toEqual(before?.total);
  expect(after?.termsAcceptedAt).toEqual(before?.termsAcceptedAt);
  // The review links to the proforma, and saves the values entered there.
  const review = `${order.path}/place-order`;
  expect(wordsOf(mainContentOf((await browser.get(review)).text))).toContain("Open proforma invoice");
  const open = await browser.post(review, {
    intent: "another-way",
    references: "asked",
    purchaseOrder: "PO-2",
  });
  expect(open.location).toBe(paths.proforma(id));
  // A form without these fields changes none of them.
  await askForProforma(browser, order);
  expect((await readOrder(context.db, id))?.references.purchaseOrder).toBe("PO-2");
  // An issued document keeps its text.
  const proforma = wordsOf(mainContentOf((await browser.get(paths.proforma(id))).text));
  expect(proforma).toContain("Your purchase order PO-1");
});

test("refuses changes once the invoice is issued", async () => {
  const order = await paidWith({ purchaseOrder: "PO-3" });
  const { browser, id } = order;
  const address = paths.orderReferences(id);
  expect((await browser.get(address)).text).toContain(`href="${paths.invoice(id)}"`);
  expect((await browser.post(address, { purchaseOrder: "PO-4" })).status).toBe(409);
  expect((await referencesOf(order))?.purchaseOrder).toBe("PO-3");
});

test("accepts references for an order paid before invoices existed, until it has one", async () => {
  const order = await paidWith({});
  await context.db.deleteFrom("e_invoices").where("order_id", "=", order.id).execute();
  await context.db.deleteFrom("invoices").where("order_id", "=", order.id).execute();
  const { browser, id } = order;
  expect((await browser.get(paths.orderReferences(id))).status).toBe(200);
  expect((await browser.post(paths.orderReferences(id), { purchaseOrder: "PO-5" })).status).toBe(303);
  expect(wordsOf((await browser.get(paths.invoice(id))).text)).toContain("Your purchase order PO-5");
});

test("finds orders by purchase order in Desk, and exports references as text", async () => {
  const order = await paidWith({ purchaseOrder: "=Zebra 77", costCentre: "CC 9" });
  const desk = await staffBrowser(context, stack.url, await makeStaff(context, "admin"));
  const page = await desk.get(paths.deskOrders({ search: "=zebra" }));
  expect(page.text).toContain(paths.deskOrder(order.id));
  expect((await desk.get(paths.deskOrder(order.id))).text).toContain("=Zebra 77");
  const orders = (await desk.get(`/desk/orders.csv?search=${encodeURIComponent("=zebra 77")}`)).text;
  const documents = (await desk.get(`/desk/documents.csv?search=${encodeURIComponent("=zebra 77")}`)).text;
  for (const file of [orders, documents]) {
    expect(file).toContain("purchase order,cost centre");
    // Prefixed so that spreadsheets read text, not a formula.
    expect(file).toMatch(/'=Zebra 77,CC 9/);
  }
});

test("sends Google our order id first, followed by the buyer's number", () => {
  const id = newId<OrderId>();
  const references = { purchaseOrder: "x".repeat(40), costCentre: null, note: null };
  expect(purchaseOrderIdOf({ id, references }).length).toBeLessThanOrEqual(80);
  expect(purchaseOrderIdOf({ id, references })).toMatch(new RegExp(`^${id} x`));
  expect(purchaseOrderIdOf({ id, references: { ...references, purchaseOrder: null } })).toBe(id);
});
