/** Every database table declares what exports and deletions do with it, and each of their statements runs. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { type CustomerId, newId, type UserId } from "#db/ids.ts";
import { erasePerson } from "#db/privacy/account-deletions.ts";
import { exportedTables, readExportRows } from "#db/privacy/data-exports.ts";
import { personalData, personalTables } from "#db/privacy/personal-data.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const { db } = await createTestDatabase();

const nobody = {
  userId: newId<UserId>(),
  email: "nobody@example.com",
  customerIds: [newId<CustomerId>()],
  names: ["nobody@example.com", "Nemo Nobody"],
};
/** Kysely's tables, and a table that only an earlier version reads. */
const notOurs = ["kysely_migration", "kysely_migration_lock", "prices"];

test("lists every table of the database for exports and deletions", async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const names = rows.map(({ name }) => name).filter((name) => !notOurs.includes(name));
  expect(names.sort()).toEqual([...personalTables].sort());
});

/** Columns whose names suggest personal data. */
const personal =
  /(^|_)(email|recipient|first_name|last_name|phone|username|client|address|names?|user_agent)$/;

test("lists no table with a name, email or phone column as free of personal data", async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')`.execute(db);
  const passedOver = rows
    .filter(({ table, column }) => {
      const known = personalTables.find((each) => each === table);
      return known !== undefined && personalData[known].erase === "nothing personal" && personal.test(column);
    })
    .map(({ table, column }) => `${table}.${column}`);
  // Names of things, and the store's staff.
  expect(passedOver.sort()).toEqual([
    "call_paces.name",
    "catalogue_items.name",
    "clock_jobs.name",
    "data_export_files.name",
    "order_lines.name",
    "provider_secrets.user_name",
    "staff.email",
    "staff_sessions.client",
  ]);
});

test.each(["own", "company"] as const)(
  "reads each table of the %s export, without secrets",
  async (scope) => {
    const tables = exportedTables(scope);
    expect(tables.length).toBeGreaterThan(10);
    for (const table of tables) {
      const { rows, next } = await readExportRows(db, table, { scope, of: nobody, after: "x", limit: 1 });
      expect([rows, next], table).toEqual([[], null]);
      const { rows: columns } = await sql<{ column: string }>`
      select column_name as "column" from information_schema.columns
      where table_schema = 'public' and table_name = ${table}`.execute(db);
      const reported = columns
        .map(({ column }) => column)
        .filter((column) => !personalData[table].hidden?.includes(column));
      expect(
        reported.filter((column) => /hash|ciphertext|secret|token/.test(column)),
        table,
      ).toEqual([]);
    }
  },
);

test("runs each statement of a deletion, and changes no other person's rows", async () => {
  await db.transaction().execute((trx) => erasePerson(trx, nobody));
});
