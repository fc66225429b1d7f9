/** Migrates a database: our migrations by date, then the job queue's own. */
import { promises as fs } from "node:fs";
import path from "node:path";
import { runMigrations } from "graphile-worker";
import { FileMigrationProvider, Migrator, sql } from "kysely";
import type pg from "pg";
import { createDb } from "./client.ts";
import type { Db } from "./tables/index.ts";

/**
 * Runs all pending migrations. Safe to call from several processes at once, because the migrator takes a lock.
 * @param migrationFolder the sources, for commands that run with tsx; production passes the build's output
 * @returns the names of the migrations that ran
 * @throws the failing migration's error; earlier migrations stay applied
 */
export async function migrate(
  pool: pg.Pool,
  migrationFolder = path.resolve(import.meta.dirname, "../migrations"),
): Promise<string[]> {
  const migrator = new Migrator({
    db: createDb(pool),
    provider: new FileMigrationProvider({ fs, path, migrationFolder }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  await runMigrations({ pgPool: pool });
  await indexLockedJobs(pool);
  return results.map((result) => result.migrationName);
}

/**
 * For heartbeats, which ask every few seconds whose jobs are locked (db/workers.ts): without it each reads all jobs that wait. The queue makes
 * its tables after our migrations have run. Looked for first, since creating it waits for the queue's writers even where it exists.
 */
async function indexLockedJobs(pool: pg.Pool): Promise<void> {
  const name = "graphile_worker.jobs_locked";
  const { rows } = await pool.query<{ has: boolean }>("select to_regclass($1) is not null as has", [name]);
  if (rows[0]?.has === true) return;
  await pool.query(
    "create index if not exists jobs_locked on graphile_worker._private_jobs (locked_by) where locked_by is not null",
  );
}

/**
 * A build newer than its database would fail at every other request. The reverse is normal: a release migrates first, while
 * the old version still serves.
 * @param built the names of the build's migrations
 * @throws Error naming the migrations that have not run, or saying that the database does not answer
 */
export async function requireBuiltMigrations(pool: pg.Pool, built: readonly string[]): Promise<void> {
  const missing = await listMissingMigrations(createDb(pool), built).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The database at DATABASE_URL does not answer: ${reason}`, { cause });
  });
  if (missing.length === 0) return;
  throw new Error(
    `The database is older than this build, which needs ${missing.join(", ")}.\nRun this first: npm run migrate`,
  );
}

/** The build's migrations that have not run. @throws when the database does not answer */
export async function listMissingMigrations(db: Db, built: readonly string[]): Promise<string[]> {
  const run = await migrationsRun(db);
  return built.filter((name) => !run.includes(name));
}

async function migrationsRun(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    has: boolean;
  }>`select to_regclass('kysely_migration') is not null as has`.execute(db);
  if (rows[0]?.has !== true) return [];
  const run = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return run.rows.map(({ name }) => name);
}
