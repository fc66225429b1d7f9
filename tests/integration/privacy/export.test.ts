/** Data export over HTTP and by its job: complete, for the requester only, resumed after a worker is killed. */
import { beforeAll, describe, expect, test } from "vitest";
import type { DataExportId, UserId } from "#db/ids.ts";
import { findDataExport, listDataExports } from "#db/privacy/data-exports.ts";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoEmails } from "#sandbox/demo/login.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import * as paths from "#server/foundation/paths.ts";
import { cleanUp } from "#server/operations/jobs/clean-up.ts";
import { exportData, requestExport } from "#server/privacy/export.ts";
import { download, filesIn } from "#tests/support/download.ts";
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { makePerson, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;
let owner: { userId: UserId; email: string; browser: HttpBrowser };
let viewer: HttpBrowser;
beforeAll(async () => {
  await loadDemoData(db);
  owner = await demo(demoEmails.owner);
  viewer = (await demo(demoEmails.viewer)).browser;
});

async function demo(email: string) {
  const user = await findUserByEmail(db, email);
  if (user === null) throw new Error(`User ${email} not found`);
  const person = { userId: user.id, email };
  return { ...person, browser: await signedIn(context, stack.url, person) };
}

async function newest(userId: UserId) {
  const [first] = await listDataExports(db, userId, new Date());
  if (first === undefined) throw new Error("Expected a data export");
  return first;
}

const jsonOf = (files: Map<string, Uint8Array>, name: string): { rows: Record<string, unknown>[] } =>
  JSON.parse(new TextDecoder().decode(files.get(name)));

describe("a company's export, requested by its owner", () => {
  let id: DataExportId;
  beforeAll(async () => {
    const response = await owner.browser.post(paths.myData(), { intent: "export", whose: "company" });
    expect([response.status, response.location]).toEqual([303, paths.myData()]);
    ({ id } = await newest(owner.userId));
  });

  test("shows its progress on a page that reloads, and cannot be downloaded yet", async () => {
    const page = await owner.browser.get(paths.myData());
    expect(wordsOf(page.text)).toContain("% done");
    expect(page.headers.get("refresh")).toBe(`3;url=${paths.myData()}`);
    expect((await download(owner.browser, paths.myDataZip(id))).status).toBe(404);
    // A repeated request returns the running export.
    await owner.browser.post(paths.myData(), { intent: "export", whose: "company" });
    expect(await listDataExports(db, owner.userId, new Date())).toHaveLength(1);
  });

  test("contains each file once, and sends one mail, when two workers write it at once", async () => {
    await Promise.all([exportData(context, id), exportData(context, id)]);
    await exportData(context, id);
    const { status, headers, bytes } = await download(owner.browser, paths.myDataZip(id));
    expect([status, headers.get("content-type")]).toEqual([200, "application/zip"]);
    const files = filesIn(bytes);
    const stored = await db
      .selectFrom("data_export_files")
      .select("name")
      .where("export_id", "=", id)
      .orderBy("position")
      .execute();
    expect([...files.keys()]).toEqual(stored.map(({ name }) => name));
    expect(new Set(files.keys()).size).toBe(stored.length);
    const { customer_id: company } = await db
      .selectFrom("members")
      .select("customer_id")
      .where("user_id", "=", owner.userId)
      .executeTakeFirstOrThrow();
    const orders = await db.selectFrom("orders").select("id").where("customer_id", "=", company).execute();
    const ids = jsonOf(files, "data/orders.json").rows.map((row) => row.id);
    expect(ids.sort()).toEqual(orders.map((order) => order.id).sort());
    const invoices = jsonOf(files, "data/invoices.json").rows;
    const pdfs = [...files.keys()].filter((name) => name.startsWith("documents/invoice-"));
    expect(pdfs).toHaveLength(invoices.length);
    expect(new TextDecoder("latin1").decode(files.get(pdfs[0] ?? "")?.slice(0, 5))).toBe("%PDF-");
    const mails = await db
      .selectFrom("mails")
      .select("recipient")
      .where("kind", "=", "data-export")
      .execute();
    expect(mails).toEqual([{ recipient: owner.email }]);
    expect(wordsOf((await owner.browser.get(paths.myData())).text)).toContain("Download");
  });

  test("refuses viewers, strangers, and a requester who is no longer an owner", async () => {
    const stranger = await signedIn(context, stack.url, await makePerson(db));
    for (const browser of [viewer, stranger])
      expect((await download(browser, paths.myDataZip(id))).status).toBe(404);
    const made = await owner.browser.post(paths.myData(), { intent: "nonsense" });
    expect(made.status).toBe(400);
    await db.updateTable("members").set({ role: "buyer" }).where("user_id", "=", owner.userId).execute();
    expect((await download(owner.browser, paths.myDataZip(id))).status).toBe(404);
    expect((await owner.browser.post(paths.myData(), { intent: "export", whose: "company" })).status).toBe(
      403,
    );
    await db.updateTable("members").set({ role: "owner" }).where("user_id", "=", owner.userId).execute();
  });

  test("expires after seven days; clean-up then deletes it with its files", async () => {
    const later = new Date(Date.now() + 7 * 86_400_000 + 60_000);
    await cleanUp(context, later);
    expect(await findDataExport(db, id)).toBeNull();
    expect(await db.selectFrom("data_export_files").select("position").execute()).toEqual([]);
    expect((await download(owner.browser, paths.myDataZip(id))).status).toBe(404);
  });
});

describe("a personal export", () => {
  test("contains the person's data, and neither a secret nor another person", async () => {
    const person = await demo(demoEmails.viewer);
    await requestExport(db, { userId: person.userId, customerId: null, now: new Date() });
    const { id } = await newest(person.userId);
    await exportData(context, id);
    const files = filesIn((await download(person.browser, paths.myDataZip(id))).bytes);
    expect(jsonOf(files, "data/users.json").rows).toMatchObject([{ id: person.userId, email: person.email }]);
    const all = [...files.values()].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
    expect(all).not.toContain("argon2");
    expect(all).not.toContain(demoEmails.owner);
  });

  test("resumes after a killed worker, without duplicate files", async () => {
    const person = await makePerson(db);
    await requestExport(db, { userId: person.userId, customerId: null, now: new Date() });
    const { id } = await newest(person.userId);
    let parts = 0;
    const dying = new Proxy(db, {
      get(target, name, receiver) {
        parts += name === "transaction" ? 1 : 0;
        if (name === "transaction" && parts > 5) throw new Error("killed");
        const value = Reflect.get(target, name, receiver);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await expect(exportData({ ...context, db: dying }, id)).rejects.toThrow("killed");
    const half = await findDataExport(db, id);
    expect(half).toMatchObject({ state: "running", done: 5 });
    await exportData(context, id);
    const names = await db
      .selectFrom("data_export_files")
      .select("name")
      .where("export_id", "=", id)
      .execute();
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
    expect(await findDataExport(db, id)).toMatchObject({ state: "ready", done: half?.planned });
  });

  test("requires a confirmed mailbox, and allows three a day", async () => {
    const person = await makePerson(db);
    const ask = async () => {
      await requestExport(db, { userId: person.userId, customerId: null, now: new Date() });
      await exportData(context, (await newest(person.userId)).id);
    };
    for (let time = 0; time < 3; time += 1) await ask();
    await expect(ask()).rejects.toMatchObject({ code: "rate_limited" });
    await db.updateTable("users").set({ email_verified_at: null }).where("id", "=", person.userId).execute();
    await expect(ask()).rejects.toMatchObject({ code: "forbidden" });
  });
});
