/** A year's renewals on one page and as a calendar with a secret address, which owners create, replace and switch off. */
import { beforeEach, describe, expect, test } from "vitest";
import type { CustomerId } from "#db/ids.ts";
import { saveVendorSnapshot } from "#db/orders/vendor-snapshots.ts";
import { chooseRenewal } from "#server/orders/renewal-choice.ts";
import { zonedMonth } from "#server/orders/subscriptions/dates.ts";
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
/** Returns a calendar's lines, unfolded. */
const linesOf = (calendar: string) => calendar.replaceAll("\r\n ", "").split("\r\n");
async function makeAddress(form: Record<string, string> = {}): Promise<string> {
  const { status, text } = await browser.post("/renewals", { intent: "make", ...form });
  expect(status).toBe(200);
  const [, address = ""] = /data-copy="([^"]+)"/.exec(text) ?? [];
  expect(address).toMatch(new RegExp(`^${context.env.PUBLIC_URL}/calendar/[\\w-]{43}\\.ics$`));
  return new URL(address).pathname;
}

test("lists each renewal with date, licences, use, cost and choice by month", async () => {
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
  // One table for all months, so that columns align, with a heading row for each month.
  expect(text.match(/<table/g)).toHaveLength(1);
  const months = new Set([40, 50, 200].map((days) => zonedMonth(inDays(days), "IN")));
  const headings = [
    ...text.matchAll(/<tr class="group"><th scope="rowgroup" colSpan="5">(.*?)<\/th><\/tr>/g),
  ];
  expect(headings).toHaveLength(months.size);
  expect(headings.at(-1)?.[1]).toContain("₹1,23,872");

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

test("serves a calendar with an event per end, without amounts unless chosen", async () => {
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

test("replaces or switches off the calendar's address without storing it", async () => {
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

describe("an event of the calendar", () => {
  const program = new HttpBrowser(stack.url);
  /** Returns the lines of a subscription's only event by name. */
  async function eventOf(address: string, id: string) {
    const { text, headers } = await program.get(address);
    const events = text.replaceAll("\r\n ", "").split("BEGIN:VEVENT").slice(1);
    const own = events.filter((event) => event.includes(id));
    expect(own).toHaveLength(1);
    const lines = (own[0] ?? "").split("\r\n").map((line) => line.split(/[:;](.*)/s));
    return {
      etag: headers.get("etag"),
      ...Object.fromEntries(lines.map(([name = "", value]) => [name, value])),
    };
  }
  type Row = Awaited<ReturnType<typeof eventOf>> & Record<string, string | null | undefined>;
  const change = (
    id: Awaited<ReturnType<typeof hold>>,
    to: { end_date?: Date; quantity?: number; domain?: string },
  ) => db.updateTable("subscriptions").set(to).where("id", "=", id).execute();

  test.each([
    ["a term that is renewed", { end_date: inDays(40 + 300) }],
    ["an end that the vendor moves by a day", { end_date: inDays(41) }],
    ["an end that comes sooner", { end_date: inDays(10) }],
    ["more licences", { quantity: 13 }],
    ["fewer licences", { quantity: 1 }],
    ["another domain", { domain: "other.example" }],
  ])("keeps its UID and increments its sequence after %s", async (_what, to) => {
    const id = await hold(40, "moves.example");
    const address = await makeAddress();
    const before: Row = await eventOf(address, id);
    expect(before.SEQUENCE).toBe("0");
    expect(await eventOf(address, id)).toEqual(before);
    await change(id, to);
    const after: Row = await eventOf(address, id);
    expect(after.UID).toBe(before.UID);
    expect(after.SEQUENCE).toBe("1");
    expect(after["LAST-MODIFIED"]).toBe(after.DTSTAMP);
    expect(after.etag).not.toBe(before.etag);
    const isMoved = "end_date" in to;
    expect(after.DTSTART === before.DTSTART).toBe(!isMoved);
    expect((await program.get(address, { "If-None-Match": before.etag ?? "" })).status).toBe(200);
    expect((await program.get(address, { "If-None-Match": after.etag ?? "" })).status).toBe(304);
    expect(await eventOf(address, id)).toEqual(after);
  });

  test("gets a later time with a change, while other events keep theirs", async () => {
    const [id, other] = [await hold(40, "moves.example"), await hold(50, "stays.example")];
    const address = await makeAddress();
    const [before, stays]: Row[] = [await eventOf(address, id), await eventOf(address, other)];
    await db
      .updateTable("renewal_feed_events")
      .set({ changed_at: inDays(-2) })
      .execute();
    await change(id, { quantity: 14 });
    const after: Row = await eventOf(address, id);
    expect(String(after["LAST-MODIFIED"]) >= String(before?.["LAST-MODIFIED"])).toBe(true);
    expect(Number(after.SEQUENCE)).toBe(Number(before?.SEQUENCE) + 1);
    const kept: Row = await eventOf(address, other);
    expect(kept.SEQUENCE).toBe(stays?.SEQUENCE);
    expect(String(kept["LAST-MODIFIED"]) < String(after["LAST-MODIFIED"])).toBe(true);
  });

  test.each([
    `${"a".repeat(63)}.${"b".repeat(63)}.example`,
    "हिमालय-ऑफिस-सप्लाइज-प्राइवेट-लिमिटेड-की-बहुत-लंबी-डोमेन.example",
    `${"é".repeat(80)}.example`,
    `${"😀".repeat(30)}.example`,
    `${"가나다라마바사".repeat(10)}.example`,
  ])("folds lines at 75 octets and never within a character: %s", async (domain) => {
    const id = await hold(40, domain);
    const { text } = await program.get(await makeAddress());
    for (const line of text.split("\r\n")) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line).not.toMatch(/\ufffd|[\ud800-\udbff]$|^ ?[\udc00-\udfff]/);
    }
    expect(linesOf(text)).toContain(`SUMMARY:Microsoft 365 Business Standard for ${domain} ends`);
    expect(text).toContain(id);
  });
});
