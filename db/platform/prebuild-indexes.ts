/**
 * Builds a migration's indexes before it runs, while the store continues to write. In the migration's own transaction an index of
 * a big table would block writes until it is built; there it already exists, and nothing is left to do.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** Unit: bytes. The index of a smaller table is built in an instant. */
const bigTable = 16 * 1024 * 1024;
/** Advisory lock number that nothing else of ours uses. */
const turn = 7_214_003_961;
const everyMs = 500;

/** PostgreSQL's codes for a column, a table or a function that the migration itself creates. */
const notYetThere = new Set(["42703", "42P01", "42883"]);

const statement =
  /^\s*create\s+(?<unique>unique\s+)?index\s+if\s+not\s+exists\s+"?(?<name>\w+)"?\s+on\s+"?(?<table>\w+)"?(?<rest>[\s\S]*)$/i;

/** @returns the names of the indexes that were built */
export async function prebuildIndexes(pool: pg.Pool, statements: readonly string[]): Promise<string[]> {
  const built: string[] = [];
  const indexes = statements.map((each) => statement.exec(each)?.groups).filter((each) => each !== undefined);
  if (indexes.length === 0) return built;
  const client = await pool.connect();
  try {
    await takeTurn(client);
    for (const { unique = "", name = "", table = "", rest = "" } of indexes) {
      if (!(await isWanted(client, name, table))) continue;
      try {
        await client.query(`create ${unique} index concurrently ${name} on ${table}${rest}`);
        built.push(name);
      } catch (error) {
        // A failed build leaves an invalid index, which would be taken for the real one.
        await client.query(`drop index concurrently if exists ${name}`);
        if (!(error instanceof Error && "code" in error && notYetThere.has(String(error.code)))) throw error;
      }
    }
  } finally {
    await client.query("select pg_advisory_unlock($1)", [turn]);
    client.release();
  }
  return built;
}

/** Polls for the lock, because the index build would wait for a statement that waits. */
async function takeTurn(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is: boolean }>("select pg_try_advisory_lock($1) as is", [turn]);
    if (rows[0]?.is === true) return;
    await sleep(everyMs);
  }
}

async function isWanted(client: pg.PoolClient, name: string, table: string): Promise<boolean> {
  const { rows } = await client.query<{ is_big: boolean | null; is_valid: boolean | null }>(
    `select pg_relation_size(to_regclass($1)) >= $2 as is_big,
       (select indisvalid from pg_index where indexrelid = to_regclass($3)) as is_valid`,
    [table, bigTable, name],
  );
  const [found] = rows;
  if (found?.is_big !== true || found.is_valid === true) return false;
  // A killed build has left an invalid index.
  if (found.is_valid === false) await client.query(`drop index concurrently if exists ${name}`);
  return true;
}
