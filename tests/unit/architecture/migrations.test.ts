/** Migrations are safe for the previous version and for large tables. The exceptions are listed and have already run. */
import path from "node:path";
import type { Migration } from "kysely";
import { describe, expect, test } from "vitest";
import { statementsOf } from "#db/platform/migration-statements.ts";
import {
  findRuleViolations,
  type Rule,
  type RuleViolation,
  rules,
  smallTables,
} from "#tests/support/migration-rules.ts";
import { filesUnder, projectFolder } from "#tests/support/tree.ts";

const beforeRelease = "no store was live when it ran";
const young = "it ran when tables were young: each of its statements took less than a second";

/** Migrations older than the rules. Add a later one only after timing it on a million rows. */
const allowed: Readonly<Record<string, { rules: readonly Rule[]; because: string }>> = {
  "2026-11-20T05-invites": { rules: ["scan", "index", "index-too-early"], because: beforeRelease },
  "2026-11-20T06-subscription-changes": {
    rules: ["scan", "index", "index-too-early"],
    because: beforeRelease,
  },
  "2026-11-20T08-lists": { rules: ["index"], because: beforeRelease },
  "2026-11-22T02-looked-at": {
    rules: ["rows", "index", "index-too-early"],
    because: "a week has few new payments, and the index covers only the waiting ones",
  },
  "2026-11-22T03-proof-of-control": {
    rules: ["index", "scan", "drop"],
    because: "invitations and tokens are few, and a wider index of the same name replaces the dropped one",
  },
  "2026-11-22T04-accounts": {
    rules: ["index", "index-too-early"],
    because: "the index covers handed-over sessions, and there were none yet",
  },
  "2026-11-22T06-refunds": { rules: ["scan"], because: young },
  "2026-11-22T07-add-on-orders": {
    rules: ["drop"],
    because: "a wider index serves the queries of the dropped one",
  },
  "2026-11-22T08-payment-providers": {
    rules: ["scan", "drop", "unique"],
    because: "adds uniqueness of provider and id; the previous version still uses the old constraint",
  },
  "2026-11-22T09-reference-tables": {
    rules: ["drop", "validate"],
    because: "foreign keys replaced the checks; the first lines explain how to run it on a large store",
  },
  "2026-11-22T10-partner-accounts": {
    rules: ["rows"],
    because: "it fills the tenants of a store with one partner account",
  },
  "2026-11-22T11-refusals-and-pauses": { rules: ["index", "index-too-early"], because: young },
  "2026-11-22T13-checkouts": { rules: ["index"], because: young },
  "2026-11-23T01-refreshes": { rules: ["scan"], because: young },
  "2026-11-23T12-order-numbers": {
    rules: ["rewrite", "index", "index-too-early"],
    because: "every order needed a number immediately; 100,000 take a second",
  },
  "2026-11-25T04-bank-transfer": {
    rules: ["drop", "scan"],
    because: "no release since the last but one used the dropped defaults and constraint",
  },
  "2026-11-25T06-refunds-and-disputes": {
    rules: ["scan", "index", "drop", "index-too-early"],
    because: "refunds are few, and the wider index serves the previous version's queries",
  },
  "2026-11-25T11-payment-links": {
    rules: ["rows", "index", "index-too-early", "drop"],
    because: "transfers were a week old, and the wider index serves the previous version's queries",
  },
  "2026-11-25T21-divided-refunds": {
    rules: ["scan", "index", "index-too-early"],
    because: "refunds are few",
  },
  "2026-11-25T23-tds-certificates": { rules: ["index"], because: "proformas are few" },
  "2026-11-26T11-desk": { rules: ["index", "index-too-early"], because: young },
  "2026-11-26T31-customers": { rules: ["index"], because: young },
  "2026-11-26T33-tenants-by-staff": { rules: ["scan", "index"], because: "proofs are few" },
  "2026-11-26T61-operations": {
    rules: ["rows", "drop"],
    because: "withheld mails were a day old, and the wider index serves the queries of the dropped one",
  },
  "2026-11-27T22-certified-proformas": {
    rules: ["rows"],
    because: "proformas with withheld tax are few",
  },
  "2026-11-28T23-approvers": {
    rules: ["drop"],
    because: "wider checks replace them and allow all that the previous version writes",
  },
};

const files = filesUnder("migrations", /\.ts$/);
const nameOf = (file: string) => path.basename(file, ".ts");

async function statementsIn(file: string): Promise<string[]> {
  const migration: Pick<Migration, "up"> = await import(path.join(projectFolder, file));
  return statementsOf(migration);
}

const found = new Map<string, RuleViolation[]>();
for (const file of files) found.set(nameOf(file), findRuleViolations(await statementsIn(file)));

test("obeys the rules in every migration, apart from the listed exceptions", () => {
  expect(found.size).toBeGreaterThan(50);
  const broken = [...found].flatMap(([name, breaches]) =>
    breaches
      .filter(({ rule }) => allowed[name]?.rules.includes(rule) !== true)
      .map(({ rule, at }) => `${name}: ${at}\n  ${rules[rule]}`),
  );
  expect(broken).toEqual([]);
});

test("needs every exception", () => {
  const idle = Object.entries(allowed).flatMap(([name, { rules: few }]) =>
    few
      .filter((rule) => found.get(name)?.some((one) => one.rule === rule) !== true)
      .map((rule) => `${name}: ${rule}`),
  );
  expect(idle).toEqual([]);
});

test("lists as small only tables that exist", async () => {
  const all = (await Promise.all(files.map(statementsIn))).flat().join("\n");
  expect(
    smallTables.filter((table) => !new RegExp(`create table (if not exists )?${table}\\b`).test(all)),
  ).toEqual([]);
});

describe("findRuleViolations", () => {
  test.each<[string, Rule, ...string[]]>([
    ["a table that is dropped", "drop", "drop table prices"],
    ["a column that is dropped", "drop", "alter table orders drop column language"],
    ["a column that is renamed", "drop", "alter table orders rename column language to tongue"],
    ["a table that is renamed", "drop", "alter table orders rename to purchases"],
    ["an index that is dropped", "drop", "drop index orders_left"],
    ["a constraint that goes", "drop", "alter table payments drop constraint payments_key"],
    ["a default that goes", "drop", "alter table refunds alter column provider drop default"],
    ["a column that must be given", "not-null", "alter table orders add column colour text not null"],
    ["one of a small table", "not-null", "alter table staff add column colour text not null"],
    [
      "a column that must be given from now on",
      "not-null",
      "alter table orders alter column language set not null",
    ],
    ["a wider number", "type", "alter table orders alter column version type bigint"],
    [
      "a key made for each row",
      "rewrite",
      "alter table orders add column key uuid default gen_random_uuid()",
    ],
    [
      "a number for each row",
      "rewrite",
      "alter table orders add column place bigint generated by default as identity",
    ],
    ["a check", "scan", "alter table orders add constraint few check (version < 9)"],
    [
      "a check with a comma",
      "scan",
      "alter table orders add column a text, add constraint b check (a in ('x', 'y'))",
    ],
    ["a check of a new column", "scan", "alter table orders add column colour text check (colour <> '')"],
    ["a key", "scan", "alter table mails add constraint of foreign key (order_id) references orders (id)"],
    [
      "a filled key",
      "scan",
      "alter table payments add column by text default 'x' references payment_providers (id)",
    ],
    [
      "a check that is validated at once",
      "validate",
      "alter table orders add constraint few check (version < 9) not valid",
      "alter table orders validate constraint few",
    ],
    ["a unique column", "unique", "alter table orders add constraint once unique (draft_key)"],
    ["an index that cannot be built ahead", "index", "create index orders_language on orders (language)"],
    [
      "an index of a new column",
      "index-too-early",
      "alter table orders add column colour text",
      "create index if not exists orders_colour on orders (colour) where colour is not null",
    ],
    ["rows that are filled", "rows", "update orders set language = 'en'"],
    ["rows that are deleted", "rows", "delete from mails where sent_at is null"],
    ["a lock", "lock", "lock table orders in exclusive mode"],
  ])("finds %s", (_what, rule, ...statements) => {
    expect(findRuleViolations(statements).map((one) => one.rule)).toEqual([rule]);
  });
});

test.each([
  ["a column that may be left out", "alter table orders add column colour text"],
  ["a column with one default", "alter table orders add column colour text not null default 'red'"],
  [
    "a time that is the same for every row",
    "alter table orders add column at timestamptz not null default now()",
  ],
  ["a key of an empty column", "alter table orders add column staff_id uuid references staff (id)"],
  [
    "a check for what is written from now on",
    "alter table orders add constraint few check (version < 9) not valid",
  ],
  ["a constraint that was added earlier", "alter table orders validate constraint few"],
  ["an index that can be built ahead", "create index if not exists orders_language on orders (language)"],
  ["a unique index that is used", "alter table orders add constraint once unique using index orders_once"],
  ["a small table's rows", "update staff set role = 'viewer'"],
  ["a small table's check", "alter table catalogue_items add constraint few check (position < 999)"],
  [
    "a state more",
    `alter table "vendor_items" drop constraint states, add constraint states check (state in ('a', 'b'))`,
  ],
])("allows %s", (_what, statement) => {
  expect(findRuleViolations([statement])).toEqual([]);
});

test("allows any change to a table that the same migration creates", () => {
  expect(
    findRuleViolations([
      "create table gifts (id uuid primary key, order_id uuid not null references orders (id))",
      "create index gifts_order on gifts (order_id)",
      "alter table gifts add constraint few check (id is not null), add column colour text not null",
      "update gifts set colour = 'red'",
    ]),
  ).toEqual([]);
});
