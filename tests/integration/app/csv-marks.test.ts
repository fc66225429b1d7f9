/** Every CSV file begins with a byte order mark, so that Excel shows its rupee signs. */
import { describe, expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { makeCustomer } from "#tests/support/customer.ts";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { download } from "#tests/support/download.ts";
import { signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const owner = await signedIn(context, stack.url, (await makeCustomer(context.db)).owner);
const admin = await staffBrowser(context, stack.url, await makeStaff(context, "admin"));
const finance = await staffBrowser(context, stack.url, await makeStaff(context, "finance"));

describe("the CSV file", () => {
  test.each([
    ["/documents.csv", owner],
    ["/documents/statement.csv", owner],
    ["/documents/licences.csv", owner],
    [paths.deskOrdersCsv(), finance],
    [paths.deskDocumentsCsv(), finance],
    [paths.deskWorkQueueCsv(), finance],
    [paths.deskCustomersCsv(), finance],
    [paths.deskPricesCsv(), finance],
    [paths.deskStaffCsv(), admin],
    [paths.deskAuditCsv(), admin],
  ])("%s: begins with a byte order mark", async (path, browser) => {
    const { status, headers, bytes } = await download(browser, path);
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect([...bytes.subarray(0, 4)].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf]);
    expect(Buffer.from(bytes).toString("utf8").indexOf("\uFEFF", 1)).toBe(-1);
  });
});
