/**
 * Desk in a store of 20,000 orders: each page's statements read little more than the page shows. A page that reads a whole table
 * is quick today and slow for everyone in a year. The test checks the plans of the actual statements.
 */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { makePlaces } from "#tests/bench/places.ts";
import type { Address } from "#tests/bench/scale/crawl-urls.ts";
import { findDeskAddresses } from "#tests/bench/scale/desk-urls.ts";
import { readExamples } from "#tests/bench/scale/examples.ts";
import { fillStore } from "#tests/bench/scale/fill.ts";
// For the type of the values that the global setup provides.
import type {} from "#tests/support/database-server.ts";
import { trustHttpBrowser } from "#tests/support/http-browser.ts";
import { rowsReadBy } from "#tests/support/rows-read.ts";
import { startStack } from "#tests/support/stack.ts";
import { type TappedStatement, tapStatements } from "#tests/support/statement-tap.ts";
import { contextForStack } from "#tests/support/world.ts";

const orders = 20_000;
/** Allowed in addition: fifty rows for each returned row, for joins and counts. */
const anyway = 1_000;
const forEach = 50;
/** Number of executions to check of a statement that a page sends many times. */
const mostOfEach = 3;

/** An index lookup reads a few pages per row. */
const pagesOfRow = 2;

/** Statements that may read more, each for a reason that holds for any number of orders. */
const excepted: readonly { statement: RegExp; because: string }[] = [
  {
    statement:
      /(count\(\*\)|sum\(amount_minor\)|percentile_cont)[\s\S]*"(settled_at|paid_at|fulfilled_at)" >= /,
    because: "Figures of a day, per month or a year count what is in that time, using only an index.",
  },
  {
    statement: /from price_list_rows where list_id = price_lists\.id/,
    because: "A page of price lists counts the lines of each, and lists are as long as the catalogue.",
  },
  {
    statement: /with "promises" as \(|\) as "held" group by/,
    because: "A price list shows its effect on all carts and running subscriptions.",
  },
  {
    statement: /select asked\.place, found\.cost_minor/,
    because: "What vendors charge is as long as the catalogue.",
  },
  {
    statement: /from vendor_bill_lines l\s+where l\.family = v\.family/,
    because: "A page of bills sums their lines, using only an index.",
  },
  {
    statement: /select count\(\*\) as count from \(select 1 from/,
    because: "Documents are counted up to the thousand that fit a zip, and no further.",
  },
  {
    statement: /lower\(u\.email\) like/,
    because:
      "A substring search reads every match, and a small table completely; large ones use the trigram indexes.",
  },
  {
    statement: /e\.number is null/,
    because: "Documents that need no registration have no row, so the query skips registered ones.",
  },
];

/** Tables that jobs and vendors fill, and those that the previous version writes. */
const mayBeEmpty = [
  "agreement_versions",
  "authenticator_set_ups",
  "call_paces",
  "clock_jobs",
  "domain_challenges",
  "idempotency_keys",
  "identity_proofs",
  "order_runs",
  "passkey_challenges",
  "prices",
  "provider_secrets",
  "rate_limits",
  "slide_titles",
  "spelling_collisions",
  "vendor_differences",
  "worker_heartbeats",
];

const stack = await startStack({
  template: inject("databaseTemplate"),
  env: trustHttpBrowser,
  worker: false,
});
const context = contextForStack(stack.env);
const tap = await tapStatements(stack.databaseUrl);
let addresses: Address[] = [];
const sent = new Map<string, TappedStatement[]>();

beforeAll(async () => {
  const places = await makePlaces(stack, context);
  await fillStore(context.db, { orders });
  // The result must not depend on whether autovacuum has analysed the tables.
  await sql`analyze`.execute(context.db);
  // From here on the store connects through the tap.
  await stack.killWeb();
  stack.env.DATABASE_URL = tap.url;
  await stack.startWeb();
  addresses = await findDeskAddresses(places, await readExamples(context.db));
  for (const { path, browser } of addresses) {
    tap.take();
    await browser.get(path);
    sent.set(path, tap.take());
  }
});

afterAll(async () => {
  await context.db.destroy();
  await stack.stop();
  await tap.stop();
});

test("visits every list and filter", () => {
  const paths = addresses.map(({ path }) => path);
  expect(paths).toContain("/desk/orders?search=shree");
  expect(paths.filter((path) => path.startsWith("/desk/orders?page="))).toHaveLength(2);
  expect(paths).toContain("/desk?kind=mail");
  const statements = sent.get("/desk/orders") ?? [];
  expect(statements.some((statement) => /from "orders"/.test(statement.sql))).toBe(true);
});

test("reads no more rows than each page needs", async () => {
  const over = new Map<string, string>();
  const used = new Set<RegExp>();
  for (const [path, statements] of sent) {
    for (const statement of someOfEach(statements)) {
      const rows = await rowsReadBy(context.pool, statement);
      const most = anyway + forEach * Math.max(1, rows?.given ?? 0);
      if (rows === null || (rows.read <= most && rows.pages <= most * pagesOfRow)) continue;
      const exception = excepted.find((each) => each.statement.test(statement.sql));
      if (exception !== undefined) used.add(exception.statement);
      else if (!over.has(statement.sql))
        over.set(
          statement.sql,
          `${path} reads ${rows.read} rows on ${rows.pages} pages for ${rows.given} (${rows.most}): ${short(statement)}`,
        );
    }
  }
  expect([...over.values()]).toEqual([]);
  expect(excepted.map((each) => each.statement).filter((statement) => !used.has(statement))).toEqual([]);
});

test("uses no offset for paging", () => {
  const counting = [...sent].flatMap(([path, statements]) =>
    statements
      .filter((statement) => /\boffset\s+(?!0\b)/i.test(statement.sql))
      .map((statement) => `${path}: ${short(statement)}`),
  );
  expect(counting).toEqual([]);
});

test("fills every table of the store", async () => {
  const { rows } = await sql<{ table: string }>`
    select table_name as table from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(context.db);
  const empty: string[] = [];
  for (const { table } of rows) {
    const { rows: found } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(context.db);
    if (found.length === 0) empty.push(table);
  }
  expect(empty.filter((table) => !mayBeEmpty.includes(table))).toEqual([]);
  expect(mayBeEmpty.filter((name) => !rows.some(({ table }) => table === name))).toEqual([]);
});

function someOfEach(statements: readonly TappedStatement[]): TappedStatement[] {
  const met = new Map<string, number>();
  return statements.filter((statement) => {
    const times = (met.get(statement.sql) ?? 0) + 1;
    met.set(statement.sql, times);
    return times <= mostOfEach;
  });
}

const short = ({ sql: text, values }: TappedStatement) =>
  `${text.replaceAll(/\s+/g, " ").slice(0, 400)} with ${JSON.stringify(values).slice(0, 200)}`;
