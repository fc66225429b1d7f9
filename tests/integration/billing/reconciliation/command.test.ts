/** `npm run reconcile` and `npm run gstr1`: their calls, output, files and exit codes. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { sandboxSellers } from "#sandbox/local/environment.ts";
import { issueInvoice } from "#server/billing/documents/issue.ts";
import { currencyOf } from "#server/foundation/countries/registry.ts";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { makeCompany, makeOrder, makePerson } from "#tests/support/orders.ts";
import { accountAnswers } from "#tests/support/priced-order.ts";
import { startWorld } from "#tests/support/world.ts";

const { context, environment } = await startWorld();
const { db } = context;
const folder = mkdtempSync(path.join(tmpdir(), "hubs-books-"));

async function run(
  command: "reconcile" | "gstr1",
  ...args: string[]
): Promise<{ code: number; out: string }> {
  const promise = promisify(execFile)(process.execPath, builtCommandArguments(command, ...args), {
    env: { ...process.env, ...environment, LOG_LEVEL: "silent" },
  });
  return promise.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout + error.stderr,
    }),
  );
}

describe("npm run reconcile", () => {
  const bill = path.join(folder, "bill.csv");
  beforeAll(() => {
    writeFileSync(
      bill,
      [
        "invoice_number,entitlement,charge_type,quantity,unit_price,cost,currency,charge_start_date,charge_end_date",
        "GW1,accounts/C1/customers/S1/entitlements/S2,COMMITMENT_STARTED,2,100,200.50,INR,2026-11-03,2027-11-03",
        "GW1,accounts/C1/customers/S1/entitlements/S2,COMMITMENT_STARTED,2,100,200.50,INR,2026-11-03,2027-11-03",
      ].join("\n"),
    );
  });

  test("calls every provider and ends with 0 without differences", async () => {
    const result = await run("reconcile");
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining("No discrepancies.") });
    expect(result.out).toContain("razorpay IN: 0 new lines of payouts.");
    expect(result.out).toContain("microsoft:US: 0 new lines of bills");
  });

  test("imports a bill once, plain or compressed, including identical lines", async () => {
    const imported = await run("reconcile", "--import", bill, "--family", "google");
    expect(imported.code).toBe(2);
    expect(imported.out).toContain("google: 2 new lines of bills. 2 read, none left out, 0 stored before.");
    expect(imported.out).toContain("2 open.");
    expect(imported.out).toContain("₹200.50");
    writeFileSync(`${bill}.gz`, gzipSync(readFileSync(bill)));
    const again = await run(
      "reconcile",
      "--import",
      `${bill}.gz`,
      "--family",
      "google",
      "--month",
      "2026-11",
    );
    expect(again.out).toContain("google: 0 new lines of bills.");
  });

  test("acknowledges a difference by its key with a reason", {
    tags: ["full"],
  }, async () => {
    const [row] = await db.selectFrom("money_differences").select("key").orderBy("key").execute();
    const key = row?.key ?? "";
    expect(await run("reconcile", "--acknowledge", key)).toMatchObject({
      code: 1,
      out: expect.stringContaining("--reason"),
    });
    expect(await run("reconcile", "--acknowledge", "none", "--reason", "x")).toMatchObject({ code: 1 });
    expect(await run("reconcile", "--acknowledge", key, "--reason", "sold by hand")).toMatchObject({
      code: 0,
    });
    expect(await run("reconcile", "--list")).toMatchObject({
      code: 2,
      out: expect.stringContaining("1 open."),
    });
    expect((await run("reconcile", "--list", "--all")).out).toContain(": sold by hand");
  });

  test.each([
    ["an invalid day", ["--day", "2026-13-45"], "Use a date such as"],
    ["an invalid month", ["--month", "november"], "Use a month such as"],
    ["an unknown vendor", ["--import", "/dev/null", "--family", "nobody"], "--family microsoft --country IN"],
    ["an empty bill", ["--import", "/dev/null", "--family", "google"], "The report is empty."],
    ["an unknown option", ["--everything"], "Unknown option"],
  ])("refuses %s with an explanation and changes nothing", async (_what, args, says) => {
    expect(await run("reconcile", ...args)).toMatchObject({ code: 1, out: expect.stringContaining(says) });
  });
});

describe("npm run gstr1", () => {
  test("writes the documents of the month in Indian time and no others", { tags: ["full"] }, async () => {
    const buyer = await makePerson(db);
    const customerId = await makeCompany(db, buyer);
    const issueAt = async (
      at: string,
      changes: Parameters<typeof accountAnswers>[0],
      country: "IN" | "US" = "IN",
    ) => {
      const orderId = await makeOrder(
        db,
        {},
        {
          country,
          currency: currencyOf(country),
          stage: "stage3",
          payment_status: "completed",
          paid_at: new Date(at),
          customer_id: customerId,
          account: JSON.stringify(accountAnswers(changes)),
        },
      );
      return db.transaction().execute((trx) => issueInvoice(trx, sandboxSellers, orderId, new Date(at)));
    };
    await issueAt("2031-10-31T18:29:00Z", {});
    const first = await issueAt("2031-10-31T18:31:00Z", { gst_code: "27AAPFU0939F1ZV" });
    const last = await issueAt("2031-11-30T18:29:00Z", {});
    await issueAt("2031-11-30T18:31:00Z", {});
    const american = await issueAt("2031-11-15T09:00:00Z", { country: "US", state: "Texas" }, "US");
    const { code, out } = await run("gstr1", "2031-11", "--out", folder);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(": 2 documents in ") });
    expect(out).toContain(`No GST, so not in any return: ${american.number}.`);
    const gstin = first.facts.supplier.gstin ?? "";
    const made = path.join(folder, `${gstin}-2031-11`);
    const table = JSON.parse(readFileSync(path.join(made, "gstr1.json"), "utf8"));
    expect(table).toMatchObject({
      gstin,
      fp: "112031",
      b2b: [{ ctin: "27AAPFU0939F1ZV", inv: [{ inum: first.number, idt: "01-11-2031" }] }],
      b2cs: [{ txval: last.facts.subtotalMinor / 100 }],
      doc_issue: { doc_det: [{ docs: [{ from: first.number, to: last.number, totnum: 2 }] }] },
    });
    expect(readdirSync(made)).toHaveLength(10);

    // An export without its value in rupees, which this version never issues, is reported as left out.
    const { facts } = american;
    await db
      .updateTable("invoices")
      .set({
        facts: JSON.stringify({
          ...facts,
          supplier: first.facts.supplier,
          placeOfSupply: { code: "96", name: "Foreign country" },
        }),
      })
      .where("number", "=", american.number)
      .execute();
    const named = await run("gstr1", "2031-11", "--out", folder);
    expect(named.code).toBe(2);
    expect(named.out).toContain(
      `${american.number} left out: it is in USD and does not state its value in INR.`,
    );
    expect(await run("gstr1", "2030-01", "--out", folder)).toMatchObject({
      code: 0,
      out: expect.stringContaining("No document"),
    });
    expect(await run("gstr1", "2031-11")).toMatchObject({ code: 1 });
  });
});
