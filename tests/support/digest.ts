/**
 * The database's content as one hash per table: equal hashes before and after mean that nothing was written. Leaves out what
 * every request may write: rate limits, when a session was last seen and that it was used, worker heartbeats, found versions of
 * vendors' agreements, the log of provider calls, and when each kind of webhook last arrived.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { expect } from "vitest";
import type { Db } from "#db/tables/index.ts";
import { storedJobs } from "./queue.ts";

const ignoredTables = [
  "agreement_versions",
  "call_paces",
  "provider_calls",
  "webhook_pulses",
  "rate_limit_windows",
  "worker_heartbeats",
  "kysely_migration",
  "kysely_migration_lock",
];
const ignoredColumns: Record<string, string[]> = { sessions: ["last_seen_at", "expires_at", "handover_key"] };

/** Table name to "rows:hash". Includes the queue: an added job counts as a write. */
export async function digestDatabase(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  const digest: Record<string, string> = {};
  for (const { name } of tables.filter((table) => !ignoredTables.includes(table.name))) {
    const ignored = ignoredColumns[name] ?? [];
    const { rows } = await sql<{ text: string }>`
      select (to_jsonb(t) - ${ignored}::text[])::text as text from ${sql.table(name)} t`.execute(db);
    digest[name] = hashOf(rows.map((row) => row.text));
  }
  digest.jobs = hashOf(await storedJobs(db));
  return digest;
}

/** Runs a function and expects an unchanged database. */
export async function expectNoWrites<Result>(db: Db, act: () => Promise<Result>): Promise<Result> {
  const before = await digestDatabase(db);
  const result = await act();
  expect(await digestDatabase(db), "something was written").toEqual(before);
  return result;
}

function hashOf(lines: string[]): string {
  const hash = createHash("sha256");
  for (const line of lines.sort()) hash.update(line).update("\n");
  return `${lines.length}:${hash.digest("hex").slice(0, 16)}`;
}
