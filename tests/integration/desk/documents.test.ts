/**
 * Documents in Desk: registration state and the portal's message, search, lists, single PDFs, CSV and ZIP; and the GSTR-1 of a
 * month, which equals the command's output byte for byte and names problems per document.
 */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { CustomerId, OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { AccountAnswers } from "#db/orders/order.ts";
import { getCreditNoteFor } from "#server/billing/documents/credit-note.ts";
import { streamDocumentZip } from "#server/billing/documents/document-zip.ts";
import { type Invoice, issueInvoice } from "#server/billing/documents/issue.ts";
import { registerDocument } from "#server/billing/documents/register-document.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import { dueReturnMonth } from "#server/desk/gstr1.ts";
import { gstCountry } from "#server/foundation/countries/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import { dateView, zonedMonth } from "#server/orders/subscriptions/dates.ts";
import { runCommand } from "#tests/support/command.ts";
import { makeStaff, staffBrowser, type TestStaff } from "#tests/support/desk.ts";
import { download, filesIn, linesOf } from "#tests/support/download.ts";
import { type HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { makeCompany, makeOrder, makePerson, type Person } from "#tests/support/orders.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { accountAnswers } from "#tests/support/priced-order.ts";
import { queuedJobs } from "#tests/support/queue.ts";
import { insertCapturedPayment, refundPart } from "#tests/support/refunds.ts";
import { startStore } from "#tests/support/store.ts";
import { toTransfer } from "#tests/support/transfer.ts";

const { stack, context, controls } = await startStore();
const { db } = context;

const inOwnState = "29AABCB1234C1ZA";
const elsewhere = "27AAPFU0939F1ZV";
const companyName = "=HYPERLINK(evil)";
const month = zonedMonth(new Date(), gstCountry);
const today = dateView(new Date(), gstCountry).iso;

let buyer: Person;
let customerId: CustomerId;
let finance: HttpBrowser;
let support: HttpBrowser;
let viewer: HttpBrowser;
let accountant: TestStaff;
/** Registered, refused by the portal, waiting for it, and one that needs no registration. */
let final: Invoice;
let failed: Invoice;
let pending: Invoice;
let plain: Invoice;
let note: { number: string; refundId: string };
let proforma: { number: string; order_id: OrderId };

/** Creates an order that has just been paid, with its invoice. */
async function invoiced(account: Partial<AccountAnswers> = {}, issuedAt = new Date()): Promise<Invoice> {
  const orderId = await makeOrder(
    db,
    { requester: { userId: buyer.userId, customer: { id: customerId, role: "owner" }, draftKey: null } },
    {
      stage: "stage3",
      payment_status: "completed",
      paid_at: issuedAt,
      customer_id: customerId,
      account: JSON.stringify(accountAnswers({ companyName, ...account })),
    },
  );
  return db.transaction().execute((trx) => issueInvoice(trx, context.env, orderId, issuedAt));
}

async function numberOf(orderId: OrderId): Promise<string> {
  const order = await findOrder(db, orderId);
  if (order === null) throw new Error(`Order ${orderId} not found`);
  return orderNumber(order);
}

beforeAll(async () => {
  accountant = await makeStaff(context, "finance");
  finance = await staffBrowser(context, stack.url, accountant);
  support = await staffBrowser(context, stack.url, await makeStaff(context, "support"));
  viewer = await staffBrowser(context, stack.url, await makeStaff(context, "viewer"));
  buyer = await makePerson(db);
  customerId = await makeCompany(db, buyer, companyName);

  final = await invoiced({ gst_code: inOwnState });
  await registerDocument(context, final.number);
  failed = await invoiced({ gst_code: inOwnState });
  await controls.faults({
    match: { path: "/gsp/ei/api/invoice$" },
    kind: "refuse",
    status: 200,
    code: "3028",
    description: "GSTIN is not valid",
    times: 1,
  });
  await registerDocument(context, failed.number);
  await controls.faults();
  pending = await invoiced({ gst_code: inOwnState });
  plain = await invoiced();
  await insertCapturedPayment(context, plain.orderId);
  const refundId = await refundPart(context, plain.orderId, 10_000);
  const requester = {
    userId: buyer.userId,
    customer: { id: customerId, role: "owner" as const },
    draftKey: null,
  };
  note = { number: (await getCreditNoteFor(context, refundId, requester)).number, refundId };
  const transfer = await toTransfer(stack.url);
  proforma = await db
    .selectFrom("proformas")
    .select(["number", "order_id"])
    .where("order_id", "=", transfer.id)
    .executeTakeFirstOrThrow();
});

const list = async (query: Record<string, string> = {}, browser = finance) => {
  const answer = await browser.get(paths.deskDocuments(query));
  expect(answer.status).toBe(200);
  return mainContentOf(answer.text);
};
/** Returns the row of a list that contains a text. */
function rowOf(html: string, text: string): string {
  const found = [...html.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => row).filter((row) => row.includes(text));
  expect(found, `rows with ${text}`).toHaveLength(1);
  return found[0] ?? "";
}
const numbersIn = (html: string) =>
  [...html.matchAll(/<th scope="row"><span class="stacked"><a href="[^"]*">([^<]*)<\/a>/g)].map(
    ([, number]) => number,
  );

describe("the list of documents", () => {
  test("shows each state in the portal's words, and links to page, order and PDF", async () => {
    const html = await list();
    expect(numbersIn(html).toSorted()).toEqual(
      [final, failed, pending, plain, note, proforma].map(({ number }) => number).toSorted(),
    );
    for (const [document, state] of [
      [final, "Registered (IRN issued)"],
      [plain, "Issued, without an IRN"],
      [note, "Issued, without an IRN"],
      [proforma, "Awaiting payment"],
    ] as const) {
      const row = rowOf(html, `>${document.number}<`);
      expect(row).toContain(state);
      expect(row).toContain(`href="${paths.deskDocument(document.number)}"`);
      expect(row).toContain(`href="${paths.deskDocumentPdf(document.number)}"`);
    }
    for (const [document, state] of [
      [failed, "Rejected by the portal"],
      [pending, "IRN pending"],
    ] as const) {
      const row = rowOf(html, `>${document.number}<`);
      expect(row).toContain(state);
      expect(row).not.toContain("/pdf");
    }
    expect(rowOf(html, `>${failed.number}<`)).toContain("3028 : GSTIN is not valid");
    const row = rowOf(html, `>${plain.number}<`);
    expect(row).toContain(formatExact(money(plain.facts.totalMinor, plain.facts.currency)));
    expect(row).toContain(`href="${paths.deskOrder(plain.orderId)}">${await numberOf(plain.orderId)}<`);
  });

  test("filters by kind, state, day, number, GSTIN and company; refuses invalid values", async () => {
    expect(numbersIn(await list({ kind: "proforma" }))).toEqual([proforma.number]);
    expect(numbersIn(await list({ state: "failed" }))).toEqual([failed.number]);
    expect(numbersIn(await list({ kind: "credit-note", state: "issued" }))).toEqual([note.number]);
    expect(numbersIn(await list({ state: "open" }))).toEqual([proforma.number]);
    expect(numbersIn(await list({ from: today, to: today }))).toHaveLength(6);
    expect(numbersIn(await list({ from: "2099-01-01" }))).toEqual([]);
    expect(numbersIn(await list({ to: "2020-01-01" }))).toEqual([]);
    expect(numbersIn(await list({ search: proforma.number }))).toEqual([proforma.number]);
    expect(numbersIn(await list({ search: await numberOf(failed.orderId) }))).toEqual([failed.number]);
    expect(numbersIn(await list({ search: note.number })).toSorted()).toEqual(
      [note.number, plain.number].toSorted(),
    );
    expect(numbersIn(await list({ search: "=hyperlink" }))).toHaveLength(5);
    const wrong: Record<string, string>[] = [
      { from: "2026-13-01" },
      { kind: "bill" },
      { state: "lost" },
      { page: "x" },
    ];
    for (const query of wrong)
      expect((await finance.get(paths.deskDocuments(query))).status, JSON.stringify(query)).toBe(400);
  });

  test("exports all pages as one CSV, without formulas for spreadsheets", async () => {
    const { headers, bytes } = await download(finance, paths.deskDocumentsCsv());
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="documents.csv"');
    const lines = await linesOf(bytes);
    expect(lines).toHaveLength(6);
    expect(lines.find(({ number }) => number === failed.number)).toMatchObject({
      kind: "invoice",
      order: await numberOf(failed.orderId),
      buyer: `'${companyName}`,
      gstin: inOwnState,
      total: (failed.facts.totalMinor / 100).toFixed(2),
      currency: "INR",
      state: "failed",
      portal: "3028 : GSTIN is not valid",
    });
    const one = await linesOf((await download(finance, paths.deskDocumentsCsv({ kind: "proforma" }))).bytes);
    expect(one.map(({ number }) => number)).toEqual([proforma.number]);
    expect((await download(finance, paths.deskDocumentsCsv({ to: "tomorrow" }))).status).toBe(400);
  });
});

describe("a document's page", () => {
  const page = async (number: string, browser = finance) => {
    const answer = await browser.get(paths.deskDocument(number));
    return { status: answer.status, html: answer.status === 200 ? mainContentOf(answer.text) : "" };
  };

  test("shows the document, the portal's message and the applicable actions", async () => {
    const { html } = await page(failed.number);
    expect(html).toContain("Rejected by the portal");
    expect(html).toContain("3028 : GSTIN is not valid");
    expect(html).toContain("It is not registered: it has no IRN.");
    expect(html).toContain(`href="${paths.deskActionForm("document.retry", failed.orderId)}"`);
    expect(html).not.toContain("document.cancel");
    const retry = mainContentOf(
      (await finance.get(paths.deskActionForm("document.retry", failed.orderId))).text,
    );
    expect(retry).toContain(`${failed.number} (invoice): 3028`);
    const registered = await db
      .selectFrom("e_invoices")
      .select(["irn", "ack_number"])
      .where("number", "=", final.number)
      .executeTakeFirstOrThrow();
    const done = (await page(final.number)).html;
    expect(done).toContain(registered.irn);
    expect(done).toContain(registered.ack_number ?? "none");
    expect(done).toContain(`href="${paths.deskActionForm("document.cancel", final.orderId)}"`);
    expect((await page(proforma.number)).html).toContain(proforma.number);
    expect((await page("IN/26-27/999999")).status).toBe(404);
  });

  test("opens for support with its PDF, from the order, but not for a viewer", async () => {
    const order = mainContentOf((await support.get(paths.deskOrder(plain.orderId))).text);
    for (const { number } of [plain, note]) {
      expect(order).toContain(`href="${paths.deskDocument(number)}"`);
      expect((await page(number, support)).status).toBe(200);
      const { status, bytes } = await download(support, paths.deskDocumentPdf(number));
      expect(status).toBe(200);
      expect((await pdfPages(bytes)).join(" ")).toContain(number);
    }
    // Support may see neither the lists nor amounts.
    for (const path of [
      paths.deskDocuments(),
      paths.deskDocumentsCsv(),
      paths.deskDocumentsZip(),
      paths.deskGstr1(),
    ])
      expect((await support.get(path)).status, path).toBe(403);
    expect(mainContentOf((await viewer.get(paths.deskOrder(plain.orderId))).text)).not.toContain(
      "/desk/documents/",
    );
    expect((await page(plain.number, viewer)).status).toBe(403);
    // A browser that is refused a file gets a Desk page.
    const opened = await viewer.get(paths.deskDocumentPdf(plain.number), { Accept: "text/html" });
    expect(opened.status).toBe(403);
    expect(opened.text).toContain('<body class="desk-page"');
    expect(mainContentOf(opened.text)).toContain("<h1>");
  });

  test("does not serve a PDF of an unregistered document", async () => {
    for (const { number } of [failed, pending]) {
      const { status, headers } = await download(finance, paths.deskDocumentPdf(number));
      expect([status, headers.get("location")]).toEqual([303, paths.deskDocument(number)]);
    }
  });
});

describe("the ZIP of documents", () => {
  test("contains each available PDF, and a list that explains missing ones", async () => {
    const { headers, bytes } = await download(finance, paths.deskDocumentsZip());
    expect(headers.get("content-type")).toBe("application/zip");
    const files = filesIn(bytes);
    const lines = await linesOf(files.get("list.csv") ?? new Uint8Array());
    expect(lines).toHaveLength(6);
    const named = lines.filter(({ file }) => file !== "");
    expect(named.map(({ number }) => number).toSorted()).toEqual(
      [final, plain, note, proforma].map(({ number }) => number).toSorted(),
    );
    expect([...files.keys()].toSorted()).toEqual(
      [...named.map(({ file }) => file ?? ""), "list.csv"].toSorted(),
    );
    for (const { number = "", file = "" } of named) {
      const alone = await download(finance, paths.deskDocumentPdf(number));
      expect(Buffer.from(files.get(file) ?? []).equals(Buffer.from(alone.bytes)), number).toBe(true);
    }
    const without = lines.filter(({ file }) => file === "");
    expect(without.map(({ "why not": why }) => why)).toEqual(
      without.map(() => "It is not registered: it has no IRN."),
    );
  });

  test("contains only the filtered documents", async () => {
    const { bytes } = await download(finance, paths.deskDocumentsZip({ kind: "credit-note", from: today }));
    expect([...filesIn(bytes).keys()]).toEqual([
      `credit-note-${note.number.replaceAll("/", "-")}.pdf`,
      "list.csv",
    ]);
    const none = await finance.get(paths.deskDocumentsZip({ from: "2099-01-01" }));
    expect([none.status, none.text]).toEqual([
      400,
      expect.stringContaining("There are no documents to download"),
    ]);
    expect(await list({ kind: "credit-note" })).toContain("Download the PDF of 1 document as a ZIP");
  });

  test("limits concurrent ZIPs to two, and frees the slot when one ends or is aborted", async () => {
    const begun = [0, 1].map(() => streamDocumentZip(db, [], new Date()));
    await Promise.all(begun.map((bundle) => bundle.next()));
    await expect(streamDocumentZip(db, [], new Date()).next()).rejects.toMatchObject({ code: "busy" });
    await begun[0]?.return(undefined);
    const third = streamDocumentZip(db, [], new Date());
    expect((await third.next()).done).toBe(false);
    await Promise.all([begun[1]?.return(undefined), third.return(undefined)]);
  });
});

describe("staff actions on documents", () => {
  test("registers earlier documents on request, each with an audit entry", async () => {
    const earlier = await invoiced({ gst_code: inOwnState });
    await db.deleteFrom("e_invoices").where("number", "=", earlier.number).execute();
    const act = paths.deskActionForm("document.register", "all");
    expect(await list()).toContain(`href="${act}"`);
    const answer = await finance.post(act, { reason: "The account is set up now" });
    expect(answer.location).toBe(paths.deskDocuments());
    expect(rowOf(await list(), `>${earlier.number}<`)).toContain("IRN pending");
    expect((await queuedJobs(db)).map(({ key }) => key)).toContain(`register-document:${earlier.number}`);
    const entry = await db
      .selectFrom("audit_log")
      .select(["action", "staff_id", "data"])
      .where("subject", "=", `document:${earlier.number}`)
      .executeTakeFirstOrThrow();
    expect(entry).toEqual({
      action: "document.register",
      staff_id: accountant.id,
      data: { by: accountant.email, reason: "The account is set up now" },
    });
    await registerDocument(context, earlier.number);
    expect((await support.post(act, { reason: "x" })).status).toBe(403);
  });
});

describe("GSTR-1", () => {
  const page = async (query: Parameters<typeof paths.deskGstr1>[0] = {}) => {
    const answer = await finance.get(paths.deskGstr1(query));
    expect(answer.status).toBe(200);
    return mainContentOf(answer.text);
  };
  const gstin = () => final.facts.supplier.gstin ?? "";

  test("opens on the previous month, and shows when it is due", async () => {
    const shown = await page();
    expect(shown).toContain(`value="${dueReturnMonth(new Date())}"`);
    expect(await page({ month: "2026-11" })).toMatch(/Nov 2026 is due on 11th December 2026/);
    expect(await page({ month: "2026-12" })).toContain("11th January 2027");
  });

  test("matches the files written by `npm run gstr1`", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "hubs-gstr1-"));
    const { said } = await runCommand(stack, "gstr1", month, "--out", folder);
    expect(said).toContain(gstin());
    const written = path.join(folder, `${gstin()}-${month}`);
    const names = readdirSync(written);
    expect(names).toHaveLength(10);
    const to = { month, gstin: gstin() };
    const zip = filesIn((await download(finance, paths.deskGstr1File({ ...to, file: "gstr1.zip" }))).bytes);
    expect([...zip.keys()].toSorted()).toEqual(names.map((name) => `${gstin()}-${month}/${name}`).toSorted());
    for (const name of names) {
      const { headers, bytes } = await download(finance, paths.deskGstr1File({ ...to, file: name }));
      const ofCommand = readFileSync(path.join(written, name));
      expect(Buffer.from(bytes).equals(ofCommand), name).toBe(true);
      // Excel needs a byte order mark for Indian scripts; the portal's JSON must not have one.
      expect(ofCommand.subarray(0, 3).toString("hex") === "efbbbf", name).toBe(name.endsWith(".csv"));
      expect(Buffer.from(zip.get(`${gstin()}-${month}/${name}`) ?? []).equals(ofCommand), name).toBe(true);
      expect(headers.get("content-disposition")).toBe(`attachment; filename="${gstin()}-${month}-${name}"`);
    }
    for (const wrong of [
      { ...to, file: "gstr9.json" },
      { ...to, month: "2020-01", file: "gstr1.json" },
      { ...to, month: "2026-13", file: "gstr1.json" },
      { ...to, gstin: elsewhere, file: "gstr1.json" },
    ])
      expect((await finance.get(paths.deskGstr1File(wrong))).status, JSON.stringify(wrong)).toBe(404);
  });

  test("shows the totals of each table, equal to those of the JSON", async () => {
    const { bytes } = await download(
      finance,
      paths.deskGstr1File({ month, gstin: gstin(), file: "gstr1.json" }),
    );
    const table: {
      b2b: { inv: { itms: { itm_det: { txval: number; camt?: number } }[] }[] }[];
      b2cs: { txval: number }[];
      hsn: { hsn_b2b: { txval: number }[] };
      doc_issue: { doc_det: { docs: { totnum: number }[] }[] };
    } = JSON.parse(new TextDecoder().decode(bytes));
    const sum = (all: number[]) =>
      formatExact(money(Math.round(all.reduce((total, each) => total + each, 0) * 100), "INR"));
    const html = await page({ month });
    const b2b = table.b2b.flatMap(({ inv }) =>
      inv.flatMap(({ itms }) => itms.map(({ itm_det: row }) => row)),
    );
    const registered = rowOf(html, ">B2B: registered buyers<");
    expect(registered).toContain(`>${b2b.length}<`);
    expect(registered).toContain(`>${sum(b2b.map(({ txval }) => txval))}<`);
    expect(registered).toContain(`>${sum(b2b.map(({ camt = 0 }) => camt))}<`);
    expect(b2b.length).toBeGreaterThan(2);
    expect(rowOf(html, ">B2CS: ")).toContain(`>${sum(table.b2cs.map(({ txval }) => txval))}<`);
    expect(rowOf(html, ">HSN: registered")).toContain(
      `>${sum(table.hsn.hsn_b2b.map(({ txval }) => txval))}<`,
    );
    const issued = table.doc_issue.doc_det.flatMap(({ docs }) => docs.map(({ totnum }) => totnum));
    expect(rowOf(html, ">Documents issued")).toContain(
      `>${issued.reduce((total, each) => total + each, 0)}<`,
    );
  });

  test("lists the problems of each document", async () => {
    const wrongGstin = await invoiced({ gst_code: inOwnState });
    await registerDocument(context, wrongGstin.number);
    const ended = await invoiced({
      gst_code: elsewhere,
      state: "Maharashtra",
      pincode: "400018",
      city: "Mumbai",
    });
    await registerDocument(context, ended.number);
    const unregistered = await invoiced({ gst_code: inOwnState });
    await db.deleteFrom("e_invoices").where("number", "=", unregistered.number).execute();
    const nowhere = await invoiced();
    const changeFacts = (number: string, facts: object) =>
      db
        .updateTable("invoices")
        .set({ facts: JSON.stringify(facts) })
        .where("number", "=", number)
        .execute();
    await changeFacts(wrongGstin.number, {
      ...wrongGstin.facts,
      recipient: { ...wrongGstin.facts.recipient, gstin: "29AABCB1234C1ZB" },
    });
    await changeFacts(nowhere.number, { ...nowhere.facts, placeOfSupply: null });
    await db
      .insertInto("gst_registrations")
      .values({
        gstin: elsewhere,
        legal_name: "United Harbour Traders",
        status: "Cancelled",
        taxpayer_type: "Regular",
        seen_at: new Date(),
      })
      .onConflict((conflict) => conflict.column("gstin").doUpdateSet({ status: "Cancelled" }))
      .execute();

    const html = await page({ month });
    for (const [{ number }, problem] of [
      [failed, "Rejected by the portal: 3028 : GSTIN is not valid"],
      [pending, "IRN pending."],
      [unregistered, "No IRN: issued before e-invoicing was set up."],
      [wrongGstin, "The buyer&#x27;s GSTIN, 29AABCB1234C1ZB, is not valid: "],
      [ended, `The buyer&#x27;s GSTIN, ${elsewhere}, is Cancelled in the tax register.`],
      [nowhere, "Left out: it names no place of supply."],
    ] as const)
      expect(rowOf(html, `>${number}<`), number).toContain(problem);
    // Documents without problems are shown on request.
    expect(html).not.toContain(`>${final.number}<`);
    expect(rowOf(await page({ month, show: "all" }), `>${final.number}<`)).toContain("none");
  });

  test("shows the previous month by default", async () => {
    expect(await page()).toContain(`value="${dueReturnMonth(new Date())}"`);
    expect(await page({ month: "2020-01" })).toContain("No documents with GST were issued in Jan 2020.");
  });
});

describe("a list longer than one page", () => {
  beforeAll(async () => {
    for (let made = 0; made < 32; made += 1) await invoiced();
  });

  async function readToEnd(from: string): Promise<(string | undefined)[]> {
    const seen: (string | undefined)[] = [];
    let address: string | null = from;
    for (let pages = 0; address !== null && pages < 5; pages += 1) {
      const html: string = mainContentOf((await finance.get(address)).text);
      seen.push(...numbersIn(html));
      const [, next] = /rel="next" href="([^"]*)"/.exec(html) ?? [];
      address = next?.replaceAll("&amp;", "&") ?? null;
    }
    return seen;
  }

  test("pages in both orders without repeats or gaps, like its CSV", async () => {
    const stored = (
      await db
        .selectFrom("invoices")
        .select("number")
        .orderBy("issued_at", "desc")
        .orderBy("number", "desc")
        .execute()
    ).map(({ number }) => number);
    expect(await readToEnd(paths.deskDocuments({ kind: "invoice" }))).toEqual(stored);
    expect(await readToEnd(paths.deskDocuments({ kind: "invoice", sort: "issued" }))).toEqual(
      stored.toReversed(),
    );
    const lines = await linesOf((await download(finance, paths.deskDocumentsCsv({ kind: "invoice" }))).bytes);
    expect(lines.map(({ number }) => number)).toEqual(stored);
  });
});
