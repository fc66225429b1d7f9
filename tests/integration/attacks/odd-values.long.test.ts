/**
 * Dates, numbers and texts that no form sends, in every list, file, address and call: each gets a response or an error message,
 * never an internal error.
 */
import { afterEach, describe, expect, test } from "vitest";
import { listEndpoints } from "#app/api/shared/list-endpoints.ts";
import { z } from "#app/api/shared/route.ts";
import { moneyListIds } from "#server/desk/lists/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { type HttpBrowser, trustHttpBrowser } from "#tests/support/http-browser.ts";
import { makeCompany, makePerson, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const seed = Number(process.env.ODD_SEED ?? 0);
const { stack, context } = await startStore({ env: trustHttpBrowser });
afterEach(() => expect(stack.unexpectedErrors()).toEqual([]));

const oddValues = [
  ...[
    "",
    " ",
    "0",
    "-1",
    "1.5",
    "1e9",
    "NaN",
    "Infinity",
    "0x10",
    "٣",
    "9007199254740993",
    "99999999999999999999",
  ],
  ...["9999-12-31", "0000-01-01", "0001-01-01", "2026-02-30", "2026-13-01", "+010000-01-01", "275760-09-14"],
  ...["9999-12", "0000-00", "9999", "0000", "2026-11-24T00:00:00Z"],
  ...["\0", "a\0b", "\ud800", "\u202e", "%", "%00", "'", "{}", "[]", "__proto__", "null", "undefined"],
  ...["../..", "00000000-0000-0000-0000-000000000000", crypto.randomUUID(), "x".repeat(3_000)],
];

/** Encodes a value for an address. A lone surrogate has no encoding, so this uses the bytes that faulty clients send. */
const encoded = (value: string) => (value === "\ud800" ? "%ED%A0%80" : encodeURIComponent(value));

type Address = readonly [path: string, ...params: string[]];

const ownersLists: Address[] = [
  ...[paths.documents(), paths.documentsFile(), paths.documentsZip()],
  ...[paths.statement(), paths.statementFile(), paths.statementPdf()],
  ...[paths.licences(), paths.licencesFile()],
].map((path) => [path, "from", "to", "year", "page"] as const);
ownersLists.push(
  [paths.subscriptions(), "service", "search", "page", "completed"],
  [paths.myOrders(), "service", "search", "page"],
  [paths.cart(), "service", "search", "page", "removed"],
  [paths.renewals(), "page", "service"],
  [paths.search(), "query", "page", "country", "TUP"],
  [paths.compare(), "service", "country", "plan", "with", "fits"],
  [paths.choose(), "service", "country"],
  [paths.home(), "service", "country", "TUP"],
  [paths.login(), "next"],
);

const listFilters = ["search", "state", "from", "to", "month", "kind", "page", "after", "country", "seller"];
const staffLists: Address[] = [
  [paths.desk(), "after", "kind", "unit", "on"],
  [paths.deskWorkQueueCsv(), "kind"],
  [paths.deskOrders(), "search", "only", "page"],
  [paths.deskOrdersCsv(), "search", "only"],
  [paths.deskCustomers(), "search", "page"],
  [paths.deskCustomersCsv(), "search"],
  [paths.deskGstr1(), "month", "show", "gstin", "from"],
  [paths.deskMail(), "recipient", "order", "kind", "state", "page"],
  [paths.deskJobs(), "state", "name", "page"],
  [paths.deskPrices(), "page"],
  [paths.deskPriceList(1), "show", "after"],
  [paths.deskAudit(), "staff", "action", "subject", "page"],
  [paths.deskAuditCsv(), "staff", "action", "subject"],
  ...[paths.deskDocuments(), paths.deskDocumentsCsv(), paths.deskDocumentsZip()].map(
    (path) => [path, ...listFilters] as const,
  ),
  ...moneyListIds.flatMap((list) =>
    [paths.deskMoneyList(list), paths.deskMoneyCsv(list)].map((path) => [path, ...listFilters] as const),
  ),
];

/** Paths in which `#` is replaced by the odd value. */
const ownersIds = [
  ...[
    "/orders/#/invoice",
    "/orders/#/invoice.pdf",
    "/orders/#/pay",
    "/orders/#/proforma",
    "/orders/#/proforma.pdf",
  ],
  ...[
    "/orders/#/quote",
    "/orders/#/references",
    "/quotes/#",
    "/quotes/#/pdf",
    "/credit-notes/#",
    "/credit-notes/#/pdf",
  ],
  ...[
    "/subscriptions/#/cancel",
    "/subscriptions/#/renewal",
    "/buy/more/#",
    "/renew/#",
    "/contract/#",
    "/company/places/#",
  ],
  ...[
    "/order/#/microsoft/microsoft-365-business-basic/IN",
    "/calendar/#.ics",
    "/renewal/#",
    "/resume/#",
    "/invite/#",
  ],
  ...[
    "/approve/#",
    "/billing/#",
    "/unsubscribe/#",
    "/set-password/#",
    "/keep-account/#",
    "/account/my-data/#/zip",
  ],
];
const staffIds = [
  ...[
    "/desk/orders/#",
    "/desk/customers/#",
    "/desk/documents/#",
    "/desk/documents/#/pdf",
    "/desk/prices/items/#",
  ],
  ...[
    "/desk/texts/items/#",
    "/desk/texts/slides/#",
    "/desk/gstr1/#/29AABCH9876K1ZR/all.zip",
    "/desk/set-up/#",
  ],
  ...["/desk/acts/order.note/#", "/desk/acts/#/x", "/desk/money/#", "/desk/prices/#"],
];

async function owner(): Promise<HttpBrowser> {
  const person = await makePerson(context.db);
  await makeCompany(context.db, person);
  return signedIn(context, stack.url, person);
}
const staff = async () => staffBrowser(context, stack.url, await makeStaff(context, "admin"));

/** Requests each address from another network, so that rate limits do not respond instead. */
async function faultsAt(browser: HttpBrowser, addresses: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const address of addresses) {
    const { status } = await browser.fromElsewhere().get(address);
    if (status >= 500) faults.push(`${status} ${address}`);
  }
  return faults;
}

/** Returns a ninth of the values for a place, depending on the seed, so that all places together cover every value often. */
const someValues = (place: number) => oddValues.filter((_, at) => (at + place + seed) % 9 === 0);
const withParams = (lists: readonly Address[]) =>
  lists
    .flatMap(([path, ...params]) => params.map((name) => `${path}?${name}=`))
    .flatMap((place, at) => someValues(at).map((value) => `${place}${encoded(value)}`));
const withIds = (templates: readonly string[]) =>
  templates.flatMap((template, at) => someValues(at).map((value) => template.replace("#", encoded(value))));

describe(`ODD_SEED=${seed}`, () => {
  test("handles odd filter values in an owner's lists and files", async () => {
    expect(await faultsAt(await owner(), withParams(ownersLists))).toEqual([]);
  });

  test("handles two odd dates at once in an owner's lists", async () => {
    const both = ownersLists
      .filter((list) => list.includes("to"))
      .flatMap(([path], at) =>
        someValues(at).map((value) => `${path}?from=${encoded(value)}&to=${encoded(value)}`),
      );
    expect(await faultsAt(await owner(), both)).toEqual([]);
  });

  test("handles odd ids in an owner's pages", async () => {
    expect(await faultsAt(await owner(), withIds(ownersIds))).toEqual([]);
  });

  test("handles odd filter values in the Desk's lists and files", async () => {
    expect(await faultsAt(await staff(), withParams(staffLists))).toEqual([]);
  });

  test("handles odd ids in the Desk's pages", async () => {
    expect(await faultsAt(await staff(), withIds(staffIds))).toEqual([]);
  });

  const calls = listEndpoints().map(({ path, call }) => [`${call.method} ${path}`, path, call] as const);

  test.each(calls)(
    "%s: handles odd values of its fields",
    async (_name, path, call) => {
      const browser = await owner();
      const fields = call.input instanceof z.ZodObject ? Object.keys(call.input.shape) : [];
      const faults: string[] = [];
      for (const [place, field] of (fields.length === 0 ? ["any"] : fields).entries())
        for (const value of [...someValues(place + path.length), null, -1, 1.5, 1e21, true, [], {}, [[]]]) {
          const from = browser.fromElsewhere();
          const target = path.replaceAll(/\{\w+\}/g, () => encoded(String(value)));
          const answer =
            call.method === "post"
              ? await from.ask(target, {
                  method: "POST",
                  headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
                  body: JSON.stringify({ [field]: value }),
                })
              : await from.get(`${target}?${field}=${encoded(String(value))}`);
          if (answer.status >= 500)
            faults.push(`${answer.status} ${target} ${field}=${JSON.stringify(value)}`);
        }
      expect(faults).toEqual([]);
    },
    900_000,
  );
});
