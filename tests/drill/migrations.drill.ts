/** The newest migrations on tables of a million rows under constant writes: nobody waits for a second. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { createPool } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { statementsOf } from "#db/platform/migration-statements.ts";
import { builtMigrationsFolder, migrationNames } from "#server/operations/built-commands.mjs";
// For the type of the value from the global set-up.
import type {} from "#tests/support/database-server.ts";
import { reportDrillResult } from "#tests/support/drill-result.ts";
import { smallTables } from "#tests/support/migration-rules.ts";
import { postgresPrograms, startOwnPostgres } from "#tests/support/own-postgres.ts";
import { databaseOn, dropDatabase, onServer } from "#tests/support/template.ts";

/** The last migration before those under test. Advance it after each release. */
const baseline = "2026-11-26T92-money-at-scale";
const rows = 1_000_000;
const longestMs = 1_000;
/** Values for columns whose checks compare columns or require a format. */
const compared: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cancellations: { seats_after: "0" },
  e_invoices: { irn: "lpad(to_hex(n), 64, '0')" },
  one_time_tokens: { user_id: "gen_random_uuid()" },
};
const sampleMs = 25;
/** A slow machine fills a table of a million rows in half a minute. */
const timeout = 30 * 60_000;

const template = inject("databaseTemplate");
const hasServer = template.kind === "server" || postgresPrograms() !== undefined;

const names = migrationNames().sort();
const later = names.slice(names.indexOf(baseline) + 1);

const cleanUps: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (let last = cleanUps.pop(); last !== undefined; last = cleanUps.pop()) await last();
});

// The embedded database has one session, in which nobody could wait for the migration.
test.skipIf(!hasServer)(`${later.length} migrations after ${baseline}`, { timeout }, async () => {
  expect(names).toContain(baseline);
  expect(later.length).toBeGreaterThan(0);
  const url = await emptyDatabase();
  const pool = createPool(url, 4, () => undefined);
  cleanUps.push(() => pool.end());
  await migrate(pool, folderOf(names.slice(0, names.indexOf(baseline) + 1)));
  const there = await tablesIn(pool);
  const touched = [...new Set((await Promise.all(later.map(tablesOf))).flat())]
    .filter((table) => there.includes(table) && !smallTables.includes(table))
    .sort();
  expect(touched.length).toBeGreaterThan(0);
  const unfilled = [...touched];
  const fillOthers = async () => {
    for (let table = unfilled.pop(); table !== undefined; table = unfilled.pop()) await fill(pool, table);
  };
  await Promise.all([fillOthers(), fillOthers()]);

  const watch = await watchWriters(url, touched);
  const ran = await migrate(pool, builtMigrationsFolder);
  const { waitedMs, writes } = await watch.end();
  const longest = Math.round(Math.max(...Object.values(waitedMs)));
  const figures = { migrations: ran.length, "tables of a million rows": touched.length };
  reportDrillResult("migrations", { ...figures, "ms at most that a writer waited": longest }, null);
  expect(ran).toEqual(later);
  expect(Object.keys(writes).sort()).toEqual(touched);
  for (const table of touched) expect(writes[table], table).toBeGreaterThan(0);
  expect(Object.entries(waitedMs).filter(([, ms]) => ms >= longestMs)).toEqual([]);
});

async function emptyDatabase(): Promise<string> {
  const adminUrl = template.kind === "server" ? template.adminUrl : await ownServer();
  const name = `hubs_locks_${randomBytes(5).toString("hex")}`;
  await onServer(adminUrl, `create database ${name}`);
  cleanUps.push(() => dropDatabase(adminUrl, name));
  await onServer(adminUrl, `alter database ${name} set synchronous_commit = off`);
  return databaseOn(adminUrl, name);
}

async function ownServer(): Promise<string> {
  const server = await startOwnPostgres({});
  cleanUps.push(() => server.stop());
  return server.url;
}

/** A folder with only these built migrations. */
function folderOf(few: readonly string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), "hubs-migrations-"));
  cleanUps.push(async () => rmSync(folder, { recursive: true }));
  for (const name of few)
    symlinkSync(path.join(builtMigrationsFolder, `${name}.js`), path.join(folder, `${name}.js`));
  return folder;
}

/** The tables that a migration alters, indexes or writes. */
async function tablesOf(name: string): Promise<string[]> {
  const migration = await import(path.join(builtMigrationsFolder, `${name}.js`));
  const statements = await statementsOf(migration);
  return statements.flatMap((statement) => {
    const [, altered, indexed, written] =
      /^\s*(?:alter table (?:if exists )?"?(\w+)|create (?:unique )?index [^(]*? on "?(\w+)|(?:update|delete from|insert into) "?(\w+))/i.exec(
        statement,
      ) ?? [];
    return [altered ?? indexed ?? written].filter((table) => table !== undefined);
  });
}

async function tablesIn(pool: pg.Pool): Promise<string[]> {
  const found = await pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  return found.rows.map(({ name }) => name);
}

/** Inserts rows that satisfy the table's types and checks, without its foreign keys. */
async function fill(pool: pg.Pool, table: string): Promise<void> {
  const { rows: columns } = await pool.query<{ name: string; type: string; one: string | null }>(
    `select attname as name, format_type(atttypid, null) as type,
       (select substring(pg_get_constraintdef(c.oid) from '''([^'']+)''::text') from pg_constraint c
         where c.conrelid = a.attrelid and c.contype = 'c' and c.conkey = array[a.attnum]
           and pg_get_constraintdef(c.oid) like '%= ANY (ARRAY[%' limit 1) as one
     from pg_attribute a
     where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and (attnotnull and not atthasdef and attidentity = '' or attname = any($2))`,
    [table, Object.keys(compared[table] ?? {})],
  );
  const valueFor = ({ name, type, one }: (typeof columns)[number]) => {
    const given = compared[table]?.[name];
    if (given !== undefined) return given;
    if (one !== null) return `'${one}'`;
    if (type === "uuid") return "gen_random_uuid()";
    if (type === "text") return "lpad(n::text, 15, '0')";
    if (type === "boolean") return "n % 2 = 0";
    if (type === "jsonb") return "'{}'::jsonb";
    if (type === "date") return "current_date";
    return type.startsWith("timestamp") ? "now() - n * interval '1 second'" : "n";
  };
  const client = await pool.connect();
  try {
    await client.query("set session_replication_role = replica");
    await client.query(
      `insert into ${table} (${columns.map(({ name }) => name).join(", ")})
       select ${columns.map(valueFor).join(", ")} from generate_series(1, ${rows}) n`,
    );
    await client.query(`analyze ${table}`);
  } finally {
    client.release(true);
  }
}

/** Starts a writer for each table, and a monitor of how long they wait. */
async function watchWriters(url: string, tables: readonly string[]) {
  const waitedMs: Record<string, number> = {};
  const writes: Record<string, number> = {};
  let isOver = false;
  const connect = async (name: string) => {
    const client = new pg.Client({ connectionString: url, application_name: name });
    await client.connect();
    return client;
  };
  const write = async (table: string) => {
    const client = await connect(table);
    while (!isOver) {
      // Changes nothing, but takes the lock of a write.
      await client.query(`delete from ${table} where false`);
      writes[table] = (writes[table] ?? 0) + 1;
      await sleep(sampleMs);
    }
    await client.end();
  };
  const look = async () => {
    const client = await connect("watcher");
    while (!isOver) {
      const { rows: waiting } = await client.query<{ name: string; ms: number }>(
        `select application_name as name, extract(epoch from clock_timestamp() - query_start) * 1000 as ms
         from pg_stat_activity where wait_event_type = 'Lock' and application_name = any($1)`,
        [tables],
      );
      for (const { name, ms } of waiting) waitedMs[name] = Math.max(waitedMs[name] ?? 0, Number(ms));
      await sleep(sampleMs);
    }
    await client.end();
  };
  const all = [...tables.map(write), look()];
  // Wait until each has begun, before the migrations do.
  while (tables.some((table) => writes[table] === undefined)) await sleep(sampleMs);
  return {
    async end() {
      isOver = true;
      await Promise.all(all);
      return { waitedMs, writes };
    },
  };
}
