/** A company's documents, statement and licence report on their pages and in their files, and access to them. */
import { beforeAll, describe, expect, test } from "vitest";
import type { OrderId } from "#db/ids.ts";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoEmails } from "#sandbox/demo/login.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { yearOf } from "#server/billing/books/years.ts";
import { findInvoice } from "#server/billing/documents/issue.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import * as paths from "#server/foundation/paths.ts";
import { download, filesIn, linesOf } from "#tests/support/download.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { signedIn } from "#tests/support/orders.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { startStore } from "#tests/support/store.ts";
import { accountOf, toTransfer } from "#tests/support/transfer.ts";

const { stack, context, controls } = await startStore();
const { db } = context;
beforeAll(() => loadDemoData(db), 180_000);

const thisYear = { year: String(yearOf(new Date(), "IN")) };

async function demo(email: string): Promise<HttpBrowser> {
  const user = await findUserByEmail(db, email);
  if (user === null) throw new Error(`No ${email}`);
  return signedIn(context, stack.url, { userId: user.id, email });
}

async function invoiceOf(id: OrderId) {
  const invoice = await findInvoice(db, id);
  if (invoice === null) throw new Error(`No invoice of ${id}`);
  return invoice;
}

const csv = async (browser: HttpBrowser, path: string) => linesOf((await download(browser, path)).bytes);

/** Formats minor units with two decimals, as in the CSV files. */
const decimal = (minor: number) => (minor / 100).toFixed(2);

describe("a partly refunded order", async () => {
  const order = await paidOrder(stack);
  const invoice = await invoiceOf(order.id);
  await refundPart(context, order.id, 118_00);
  const statement = await csv(order.browser, paths.statementFile(thisYear));
  const documents = await csv(order.browser, paths.documentsFile(thisYear));

  test("appears on its year's page with its credit note and links to both files", async () => {
    const page = await order.browser.get(paths.documents());
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("__remixContext");
    for (const link of [paths.invoice(order.id), paths.documentsFile(thisYear), paths.documentsZip(thisYear)])
      expect(page.text).toContain(`href="${link.replaceAll("&", "&amp;")}"`);
    expect(wordsOf(page.text)).toContain("-₹118.00");
  });

  test("splits each total into taxable value, taxes and rounding; credits are negative", () => {
    expect(documents.map(({ kind, number }) => [kind, number])).toEqual([
      ["invoice", invoice.number],
      ["credit-note", expect.stringMatching(/^IN\/C/)],
    ]);
    expect(documents[0]).toMatchObject({
      total: decimal(order.totalMinor),
      "seller gstin": "29AABCH9876K1ZR",
    });
    expect(documents[1]).toMatchObject({ total: "-118.00", corrects: invoice.number });
    for (const line of documents) {
      const parts = ["taxable value", "cgst", "sgst", "igst", "other tax", "rounding"];
      const sum = parts.reduce((minor, part) => minor + Math.round(Number(line[part]) * 100), 0);
      expect(decimal(sum)).toBe(line.total);
    }
  });

  test("balances invoice, payment, credit note and refund in the statement", async () => {
    expect(statement.map(({ what }) => what)).toEqual([
      "opening balance",
      "invoice",
      "payment",
      "refund",
      "credit-note",
      "closing balance",
    ]);
    expect(statement.map(({ balance }) => balance)).toEqual([
      "0.00",
      decimal(order.totalMinor),
      "0.00",
      "118.00",
      "0.00",
      "0.00",
    ]);
    const words = wordsOf((await order.browser.get(paths.statement(thisYear))).text);
    expect(words).toContain(`Invoice ${invoice.number}`);
    expect(words).toContain("You have no outstanding balance.");
  });

  test("appears in the statement's PDF, and its invoice in the zip once available", async () => {
    const pdf = await download(order.browser, paths.statementPdf(thisYear));
    const said = (await pdfPages(pdf.bytes)).join(" ");
    for (const words of [
      "Statement of account",
      "Acme Tools",
      "Opening balance",
      "You have no outstanding balance.",
    ])
      expect(said).toContain(words);
    const zip = filesIn((await download(order.browser, paths.documentsZip(thisYear))).bytes);
    const listed = await linesOf(zip.get("list.csv") ?? new Uint8Array());
    expect(listed.map(({ number }) => number)).toEqual(documents.map(({ number }) => number));
    const alone = await download(order.browser, paths.invoicePdf(order.id));
    // Not before its registration; the invoice's page says the same.
    expect(zip.has(listed[0]?.file ?? "")).toBe(alone.status === 200);
  });

  test("uses the seller's time zone for dates in both files and the zip", async () => {
    const { id } = order;
    // 1 April in India, but still 31 March in UTC.
    const at = new Date(`${thisYear.year}-03-31T18:30:00.000Z`);
    const day = `${thisYear.year}-04-01`;
    await db.updateTable("invoices").set({ issued_at: at }).where("order_id", "=", id).execute();
    const days = { from: day, to: `${Number(thisYear.year) + 1}-03-31` };
    const [dated] = await csv(order.browser, paths.documentsFile(days));
    expect(dated).toMatchObject({ kind: "invoice", issued: day });
    const lines = await csv(order.browser, paths.statementFile(days));
    expect(lines[0]).toMatchObject({ what: "opening balance", date: day });
    expect(lines[1]).toMatchObject({ what: "invoice", date: day });
    expect(lines.at(-1)).toMatchObject({ what: "closing balance", date: days.to });
    for (const { date } of lines) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    const zip = filesIn((await download(order.browser, paths.documentsZip(days))).bytes);
    expect((await linesOf(zip.get("list.csv") ?? new Uint8Array()))[0]).toMatchObject({ issued: day });
    await db
      .updateTable("invoices")
      .set({ issued_at: invoice.issuedAt })
      .where("order_id", "=", id)
      .execute();
  });

  test("does not appear in another period, which opens without a balance", async () => {
    const next = new Date().getFullYear() + 1;
    const time = { from: `${next}-01-01`, to: `${next}-12-31` };
    expect(await csv(order.browser, paths.statementFile(time))).toEqual([]);
    expect(await csv(order.browser, paths.documentsFile(time))).toEqual([]);
  });
});

test("settles tax deducted at source in the statement", async () => {
  await controls.webhooks("never");
  const order = await toTransfer(stack.url, { wanted: { family: "brio", item: "brio-desk" }, quantity: 20 });
  const stored = await db
    .selectFrom("orders")
    .select("subtotal_minor")
    .where("id", "=", order.id)
    .executeTakeFirstOrThrow();
  const withheld = Math.round(stored.subtotal_minor / 10 / 100) * 100;
  const providerOrderId = await accountOf(controls, order);
  const providerPaymentId = await controls.credit({
    accountId: providerOrderId,
    amount: order.totalMinor - withheld,
  });
  await settlePayment(context, {
    provider: "bank-transfer",
    account: "IN",
    providerOrderId,
    providerPaymentId,
  });
  const lines = await csv(order.browser, paths.statementFile(thisYear));
  expect(lines.find(({ what }) => what === "withheld")).toMatchObject({ settled: decimal(withheld) });
  expect(lines.at(-1)).toMatchObject({ what: "closing balance", balance: "0.00" });
});

describe("a company with several years", () => {
  test("lists each invoiced year, for viewers as for owners", async () => {
    const [owner, viewer] = await Promise.all([demo(demoEmails.owner), demo(demoEmails.viewer)]);
    const page = await owner.get(paths.documents());
    const linked = page.text.matchAll(/\/documents\?year=(\d{4})"/g);
    const years = [...new Set([...linked].map(([, year = ""]) => year))];
    expect(years.length).toBeGreaterThan(1);
    const read = async (browser: HttpBrowser) =>
      (await Promise.all(years.map((year) => csv(browser, paths.documentsFile({ year }))))).flat();
    const documents = await read(owner);
    const { count } = await db
      .selectFrom("invoices")
      .innerJoin("orders", "orders.id", "invoices.order_id")
      .innerJoin("customers", "customers.id", "orders.customer_id")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("customers.name", "like", "Bright Orchard%")
      .executeTakeFirstOrThrow();
    expect(documents).toHaveLength(Number(count));
    expect(await read(viewer)).toEqual(documents);
  });

  test("reports licences by subscription and product, with the invoiced amounts", async () => {
    const owner = await demo(demoEmails.owner);
    const rows = await csv(owner, paths.licencesFile(thisYear));
    const documents = await csv(owner, paths.documentsFile(thisYear));
    const sum = (lines: Record<string, string>[], column: string) =>
      lines.reduce((minor, line) => minor + Math.round(Number(line[column]) * 100), 0);
    for (const kind of ["subscription", "item"])
      expect(
        sum(
          rows.filter(({ row }) => row === kind),
          "invoiced less credited",
        ),
      ).toBe(sum(documents, "total"));
    const words = wordsOf((await owner.get(paths.licences(thisYear))).text);
    expect(words).toContain("Licenses by product");
  });

  test.each([
    { from: "2026-02-30", to: "2026-03-01" },
    { from: "2026-03-02", to: "2026-03-01" },
    { from: "", to: "2026-03-01" },
    { from: "1990-01-01", to: "2026-03-01" },
  ])("refuses an invalid period: %o", async (time) => {
    const owner = await demo(demoEmails.owner);
    const answer = await owner.get(paths.statement(time));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Enter a start date and an end date");
  });

  test("returns 404 for a year without documents", async () => {
    const owner = await demo(demoEmails.owner);
    for (const year of ["1999", "2099", "x"]) {
      expect((await owner.get(paths.documents({ year }))).status).toBe(404);
      expect((await owner.get(paths.documentsZip({ year }))).status).toBe(404);
    }
    expect((await owner.get(paths.documents({ page: "nonsense" }))).status).toBe(400);
  });
});

test("limits simultaneous PDFs with 429, while a zip stays complete", async () => {
  const browser = await demo(demoEmails.owner);
  const page = await browser.get(paths.documents());
  const [, pdf = ""] = /href="(\/orders\/[^"]+\/invoice\.pdf)"/.exec(page.text) ?? [];
  const whole = filesIn((await download(browser, paths.documentsZip(thisYear))).bytes);
  expect(whole.size).toBeGreaterThan(1);

  const attempts = Array.from({ length: 150 }, () => download(browser, pdf));
  const zip = await download(browser, paths.documentsZip(thisYear));
  const answers = await Promise.all(attempts);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  for (const { status, headers } of answers)
    expect(Number(headers.get("Retry-After")) > 0).toBe(status === 429);
  expect([...filesIn(zip.bytes).keys()]).toEqual([...whole.keys()]);
});

describe("opening a file's address directly", async () => {
  const order = await paidOrder(stack);
  const stranger = await paidOrder(stack);
  const pdf = paths.invoicePdf(order.id);
  const opens = (browser: HttpBrowser) => browser.get(pdf, { Accept: "text/html,*/*;q=0.8" });

  test("downloads the file", async () => {
    const answer = await opens(order.browser);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/pdf");
    expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment; filename="invoice-/);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  });

  test("shows strangers an error page in a browser and JSON to programs", async () => {
    const answer = await opens(stranger.browser);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(answer.text).toContain("<h1>");
    expect(answer.text).toContain(`href="${paths.home()}"`);
    const response = await stranger.browser.get(pdf);
    expect(response.status).toBe(404);
    expect(JSON.parse(response.text)).toMatchObject({ requestId: expect.any(String) });
  });

  test("redirects to the login and then to the page that offers the file", async () => {
    const answer = await opens(new HttpBrowser(stack.url));
    expect(answer.status).toBe(302);
    expect(answer.location).toBe(paths.login(paths.invoice(order.id)));
  });

  test("shows a page with a retry button at the rate limit", async () => {
    const response = Array.from({ length: 150 }, () => opens(order.browser));
    const refused = (await Promise.all(response)).filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, text } of refused) {
      expect([status, Number(headers.get("Retry-After")) > 0]).toEqual([429, true]);
      expect(text).toContain(`<a class="button" href="${pdf}">`);
    }
  });
});
