/** The export of a company with more orders than fit into one file: made in turns, with progress, and the zip has every row. */
import { execFile } from "node:child_process";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { sql } from "kysely";
import { afterAll, expect, test, vi } from "vitest";
import { findDataExport, listDataExports } from "#db/privacy/data-exports.ts";
import { issueInvoice } from "#server/billing/documents/issue.ts";
import { exportData, openExport, requestExport } from "#server/privacy/export.ts";
import { makeCompany, makeOrder, makePerson } from "#tests/support/orders.ts";
import { accountAnswers } from "#tests/support/priced-order.ts";
import { queuedJobs } from "#tests/support/queue.ts";
import { startWorld } from "#tests/support/world.ts";

/** Rows per file, as in server/privacy/export.ts. */
const rowsInFile = 500;
const orders = rowsInFile + 1;
const { context } = await startWorld();
const { db, env } = context;
const folder = mkdtempSync(path.join(tmpdir(), "export-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates one paid and invoiced order, then copies it and its invoice. */
async function fill() {
  const owner = await makePerson(db);
  const customerId = await makeCompany(db, owner);
  const now = new Date();
  const requester = {
    userId: owner.userId,
    customer: { id: customerId, role: "owner" as const },
    draftKey: null,
  };
  const id = await makeOrder(
    db,
    { requester },
    {
      stage: "stage4",
      payment_status: "completed",
      fulfilment_status: "done",
      paid_at: now,
      account: JSON.stringify(accountAnswers()),
    },
  );
  const { number } = await db.transaction().execute((trx) => issueInvoice(trx, env, id, now));
  await sql`
    insert into orders overriding system value
    select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'number', 1000000 + n))).*
    from orders o, generate_series(2, ${orders}) n where o.id = ${id}`.execute(db);
  await sql`
    insert into order_lines
    select (jsonb_populate_record(l, jsonb_build_object('order_id', o.id))).*
    from order_lines l, orders o where l.order_id = ${id} and o.customer_id = ${customerId} and o.id <> ${id}`.execute(
    db,
  );
  await sql`
    insert into invoices
    select (jsonb_populate_record(i, jsonb_build_object('order_id', o.id, 'serial', o.number,
      'number', 'IN/26-27/' || o.number))).*
    from invoices i, orders o where i.number = ${number} and o.customer_id = ${customerId} and o.id <> ${id}`.execute(
    db,
  );
  return { owner, customerId };
}

test("exports every order into a valid zip, in several turns", async () => {
  const { owner, customerId } = await fill();
  await requestExport(db, { userId: owner.userId, customerId, now: new Date() });
  const [dataExport] = await listDataExports(db, owner.userId, new Date());
  if (dataExport === undefined) throw new Error("Expected a data export");
  // A turn has a limit in seconds. Each reading of the clock advances it by two, so that the number of turns does not depend on
  // the machine.
  let clock = Date.now();
  const reads = vi.spyOn(Date, "now").mockImplementation(() => (clock += 2_000));
  let turns = 0;
  let done = 0;
  for (;;) {
    turns += 1;
    await exportData(context, dataExport.id);
    const now = await findDataExport(db, dataExport.id);
    if (now === null || now.state === "ready") break;
    expect(now.done).toBeGreaterThan(done);
    done = now.done;
    expect((await queuedJobs(db)).some(({ key }) => key === `export-data:${dataExport.id}`)).toBe(true);
  }
  reads.mockRestore();
  expect(turns).toBeGreaterThan(1);
  const { pieces } = await openExport(db, dataExport.id, { userId: owner.userId, now: new Date() });
  const file = path.join(folder, "export.zip");
  await pipeline(Readable.from(pieces), createWriteStream(file));
  const { stdout: listed } = await promisify(execFile)("unzip", ["-Z1", file], { maxBuffer: 10_000_000 });
  const names = listed.trim().split("\n");
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => /^documents\/invoice-.*\.pdf$/.test(name))).toHaveLength(orders);
  expect(names.filter((name) => name.startsWith("data/orders-"))).toHaveLength(
    Math.ceil(orders / rowsInFile),
  );
  await promisify(execFile)("unzip", ["-tqq", file], { maxBuffer: 10_000_000 });
  const { stdout: rows } = await promisify(execFile)("unzip", ["-p", file, "data/orders-*.json"], {
    maxBuffer: 200_000_000,
  });
  expect(new Set([...rows.matchAll(/"id": "([0-9a-f-]{36})"/g)].map(([, id]) => id)).size).toBe(orders);
});
