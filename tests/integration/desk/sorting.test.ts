/** Sorting Desk lists by a column: links in the headers keep the filters, also across pages. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { type HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { queueAnyMail } from "#tests/support/mails.ts";
import { anonymousRequester, makeCompany, makeOrder, makePerson, numberOf } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;

/** More than a page of each list. */
const many = 23;
const word = randomUUID().slice(0, 8);
const names = Array.from({ length: many }, (_, n) => `Sorted ${word} ${String.fromCharCode(97 + n)}`);
const orders: string[] = [];
let recipient = "";
let desk: HttpBrowser;

beforeAll(async () => {
  desk = await staffBrowser(context, stack.url, await makeStaff(context, "admin"));
  const person = await makePerson(db);
  recipient = person.email;
  // Not in alphabetical order, and half of them in capitals.
  for (const [n, name] of names.toReversed().entries())
    await makeCompany(db, person, n % 2 === 0 ? name : name.toUpperCase());
  const requester = { ...anonymousRequester, userId: person.userId };
  for (let made = 0; made < many; made += 1) {
    const orderId = await makeOrder(db, { requester });
    orders.push(await numberOf(db, orderId));
    await db
      .transaction()
      .execute((trx) =>
        queueAnyMail(trx, { kind: "resume-order", dedupeKey: `sorted:${made}`, recipient, orderId }),
      );
  }
}, 120_000);

const linkIn = (html: string, pattern: RegExp) => pattern.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? null;
const headOf = (html: string, label: string) =>
  new RegExp(`<th[^>]*?>(?:<a[^>]*>)?${label}(?:</a>)?</th>`).exec(html)?.[0] ?? "";
const sortLink = (html: string, label: string) =>
  linkIn(headOf(html, label), /href="([^"]*)"/) ?? expect.fail(`${label} has no link`);

/** Reads the first cell or the order of each row from all pages. */
async function readAll(from: string, row: RegExp): Promise<string[]> {
  const seen: string[] = [];
  for (let address: string | null = from; address !== null; ) {
    const html: string = mainContentOf((await desk.get(address)).text);
    seen.push(...[...html.matchAll(row)].map(([, value = ""]) => value.toLowerCase()));
    address = linkIn(html, /rel="next" href="([^"]*)"/);
  }
  return seen;
}

const lists = [
  {
    list: "orders",
    at: () => paths.deskOrders({ search: recipient }),
    column: "Started",
    row: /<th scope="row"[^>]*><a[^>]*>([^<]*)/g,
    rising: () => orders.map((number) => number.toLowerCase()),
  },
  {
    list: "customers by age",
    at: () => paths.deskCustomers({ search: word }),
    column: "Since",
    row: /<th scope="row"[^>]*><a[^>]*>([^<]*)/g,
    rising: () => names.toReversed().map((name) => name.toLowerCase()),
  },
  {
    list: "mail",
    at: () => paths.deskMail({ recipient, kind: "resume-order" }),
    column: "Requested",
    row: /<a href="\/desk\/orders\/[^"]*">([^<]*)/g,
    rising: () => orders.map((number) => number.toLowerCase()),
  },
];

describe("a Desk list", () => {
  test.each(lists)("shows $list oldest first and back, page by page", async ({ at, column, row, rising }) => {
    const html = mainContentOf((await desk.get(at())).text);
    expect(headOf(html, column)).toContain('aria-sort="descending"');
    const oldest = sortLink(html, column);
    expect(await readAll(oldest, row)).toEqual(rising());
    const sorted = mainContentOf((await desk.get(oldest)).text);
    expect(headOf(sorted, column)).toContain('aria-sort="ascending"');
    expect(await readAll(sortLink(sorted, column), row)).toEqual(rising().toReversed());
  });

  test("shows customers by their names, ignoring case", async () => {
    const row = /<th scope="row"[^>]*><a[^>]*>([^<]*)/g;
    const html = mainContentOf((await desk.get(paths.deskCustomers({ search: word }))).text);
    expect(headOf(html, "Company")).not.toContain("aria-sort");
    const byName = sortLink(html, "Company");
    const named = names.map((name) => name.toLowerCase());
    expect(await readAll(byName, row)).toEqual(named);
    const sorted = mainContentOf((await desk.get(byName)).text);
    expect(headOf(sorted, "Company")).toContain('aria-sort="ascending"');
    expect(headOf(sorted, "Since")).not.toContain("aria-sort");
    expect(await readAll(sortLink(sorted, "Company"), row)).toEqual(named.toReversed());
  });

  test("keeps its order when filtered, and ignores an unknown one", async () => {
    const sorted = mainContentOf((await desk.get(paths.deskOrders({ sort: "started" }))).text);
    expect(sorted).toContain('<input type="hidden" name="sort" value="started"/>');
    const unknown = mainContentOf((await desk.get(paths.deskOrders({ sort: "total" }))).text);
    expect(headOf(unknown, "Started")).toContain('aria-sort="descending"');
  });
});
