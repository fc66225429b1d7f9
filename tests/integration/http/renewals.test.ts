/** The renewals of a year on one page, and as a calendar whose address is the key: shown once, made anew, switched off, by an owner alone. */
import { beforeEach, expect, test } from "vitest";
import type { CustomerId } from "#db/ids.ts";
import { saveVendorSnapshot } from "#db/vendor-snapshots.ts";
import { chooseRenewal } from "#server/orders/renewal-choice.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { join, makeCompany, makePerson, type Person, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { insertTestSubscription } from "#tests/support/subscriptions.ts";

const { stack, context } = await startStore();
const { db } = context;
let owner: Person;
let company: CustomerId;
let browser: HttpBrowser;
beforeEach(async () => {
  owner = await makePerson(db);
  company = await makeCompany(db, owner);
  browser = await signedIn(context, stack.url, owner);
});

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day);
const hold = (days: number, domain: string) =>
  insertTestSubscription(db, company, { start_date: inDays(days - 365), end_date: inDays(days), domain });
const words = (html: string) =>
  mainContentOf(html)
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ");
/** The lines of a calendar, unfolded. */
const linesOf = (calendar: string) => calendar.replaceAll("\r\n ", "").split("\r\n");
async function makeAddress(form: Record<string, string> = {}): Promise<string> {
  const { status, text } = await browser.post("/renewals", { intent: "make", ...form });
  expect(status).toBe(200);
  const [, address = ""] = /data-copy="([^"]+)"/.exec(text) ?? [];
  expect(address).toMatch(new RegExp(`^${context.env.PUBLIC_URL}/calendar/[\\w-]{43}\\.ics$`));
  return new URL(address).pathname;
}

test("each with its day, licences, those in use, cost and choice, month by month, for this company alone", async () => {
  const soon = await hold(40, "soon.example");
  const later = await hold(200, "later.example");
  const last = await hold(50, "last.example");
  await hold(500, "beyond.example");
  const choose = (id: typeof soon, choosing: Parameters<typeof chooseRenewal>[2]) =>
    db
      .transaction()
      .execute((trx) =>
        chooseRenewal(trx, id, choosing, { userId: owner.userId, byLink: false }, new Date()),
      );
  await choose(soon, { decision: "fewer", seats: 8 });
  await choose(last, { decision: "stop" });
  const reading = {
    state: "active",
    quantity: 12,
    term: null,
    atEnd: "ends",
    inUse: { assigned: 9, of: 12 },
  } as const;
  await db.transaction().execute((trx) => saveVendorSnapshot(trx, later, reading, new Date()));

  const { text } = await browser.get("/renewals");
  const page = words(text);
  expect(page).toMatch(/soon\.example .* 12 ₹82,581 Renew 8 licenses \(chosen on/);
  expect(page).toMatch(/last\.example .* 12 – Don't renew \(chosen on/);
  expect(page).toMatch(/later\.example .* 12 9 of 12 in use, as of .* ₹1,23,872 You can choose from/);
  expect(page).not.toContain("beyond.example");
  expect(text).toContain(`href="/subscriptions/${soon}/renewal"`);

  const [viewer, stranger] = [await makePerson(db), await makePerson(db)];
  await join(db, company, viewer, "viewer");
  await makeCompany(db, stranger, "Other Works");
  const seen = (await (await signedIn(context, stack.url, viewer)).get("/renewals")).text;
  expect(seen).toContain("soon.example");
  expect(seen).not.toMatch(/\/renewal"|Create calendar link/);
  expect((await (await signedIn(context, stack.url, stranger)).get("/renewals")).text).not.toContain(
    "soon.example",
  );
});

test("the calendar has an event for each end, no amounts unless wanted, and answers who has it already with 304", async () => {
  const id = await hold(40, "soon.example");
  const address = await makeAddress();
  const program = new HttpBrowser(stack.url);
  const answer = await program.get(address);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("private, max-age=3600");
  const india = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Kolkata" }).format(inDays(40));
  const lines = linesOf(answer.text);
  expect(lines).toContain("SUMMARY:Microsoft 365 Business Standard for soon.example ends");
  expect(lines).toContain(`DTSTART;VALUE=DATE:${india.replaceAll("-", "")}`);
  expect(lines.join("\n")).toContain(`${context.env.PUBLIC_URL}/subscriptions/${id}/renewal`);
  expect(answer.text).not.toContain("₹");
  expect(answer.text).not.toContain(owner.email);
  const etag = answer.headers.get("etag");
  expect((await program.get(address, { "If-None-Match": etag })).status).toBe(304);
  await hold(60, "another.example");
  expect((await program.get(address, { "If-None-Match": etag })).status).toBe(200);

  const withAmounts = await makeAddress({ amounts: "on" });
  expect((await program.get(withAmounts)).text).toContain("Renewing costs ₹1\\,23\\,872 today.");
});

test("an address works until another is made or it is switched off, and is stored nowhere", async () => {
  await hold(40, "soon.example");
  const program = new HttpBrowser(stack.url);
  const first = await makeAddress();
  const second = await makeAddress();
  expect([(await program.get(first)).status, (await program.get(second)).status]).toEqual([404, 200]);
  const { rows } = await context.pool.query("select row_to_json(f)::text as text from renewal_feeds f");
  expect(JSON.stringify(rows)).not.toContain(second.slice("/calendar/".length, -".ics".length));
  expect((await browser.get("/renewals")).text).not.toContain(second);
  await browser.post("/renewals", { intent: "end" });
  expect((await program.get(second)).status).toBe(404);

  const buyer = await makePerson(db);
  await join(db, company, buyer, "buyer");
  const other = await signedIn(context, stack.url, buyer);
  for (const intent of ["make", "end"]) expect((await other.post("/renewals", { intent })).status).toBe(403);
});
