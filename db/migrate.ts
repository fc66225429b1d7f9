/** Migrates a database: our migrations by date, then the job queue's own. */
import { promises as fs } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runMigrations } from "graphile-worker";
import { FileMigrationProvider, type Migration, type MigrationResult, Migrator, sql } from "kysely";
import type pg from "pg";
import { createDb } from "#db/client.ts";
import type { Db } from "#db/tables/index.ts";
import { statementsOf } from "./platform/migration-statements.ts";
import { prebuildIndexes } from "./platform/prebuild-indexes.ts";

/** Longest wait of a migration for a table lock, because all other queries wait behind it. */
const maxLockWaitMs = 500;
const pauseMs = 1_000;
/** Adds up to some minutes, longer than any transaction of the store. */
const maxAttempts = 200;

/**
 * Runs all pending migrations, each in a separate transaction, so that the locks of one do not wait for the others. Safe to call
 * from several processes at once, because the migrator takes a lock, and while the previous version serves: no table lock is
 * waited for longer than half a second at a time, and the indexes of big tables are built ahead.
 * @param migrationFolder the sources, for commands that run with tsx; production passes the build's output
 * @returns the names of the migrations that ran
 * @throws the failing migration's error; earlier migrations stay applied
 */
export async function migrate(
  pool: pg.Pool,
  migrationFolder = path.resolve(import.meta.dirname, "../migrations"),
): Promise<string[]> {
  const db = createDb(pool);
  const files = new FileMigrationProvider({ fs, path, migrationFolder });
  const migrations = await files.getMigrations();
  const patient = Object.fromEntries(
    Object.entries(migrations).map(([name, each]) => [name, withShortWaits(each)]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => patient } });
  const ran: string[] = [];
  for (;;) {
    const [next] = await listMissingMigrations(db, Object.keys(migrations).sort());
    const ahead = next === undefined ? undefined : migrations[next];
    if (ahead !== undefined) await prebuildIndexes(pool, await statementsOf(ahead));
    const results = await migrateUp(migrator);
    if (results.length === 0) break;
    ran.push(...results.map(({ migrationName }) => migrationName));
  }
  await runMigrations({ pgPool: pool });
  await indexLockedJobs(pool);
  return ran;
}

function withShortWaits({ up }: Migration): Migration {
  return {
    async up(db) {
      await sql`set local lock_timeout = ${sql.lit(maxLockWaitMs)}`.execute(db);
      await up(db);
    },
  };
}

/**
 * Runs the next migration, and retries while another transaction holds a table that it changes. @returns none when all have run
 */
async function migrateUp(migrator: Migrator): Promise<MigrationResult[]> {
  for (let tries = 1; ; tries += 1) {
    const { error, results = [] } = await migrator.migrateUp();
    if (error === undefined) return results;
    const isWaiting = error instanceof Error && "code" in error && error.code === "55P03";
    if (!isWaiting || tries === maxAttempts) throw error;
    await sleep(pauseMs);
  }
}

/**
 * Adds an index for heartbeats, which query the locked jobs every few seconds (db/platform/workers.ts) and would otherwise read
 * all waiting jobs. The queue creates its tables after our migrations. Checked first, since creating it waits for the queue's
 * writers even if it exists.
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
 * Refuses to start a build newer than its database, which would fail at every other request. The reverse is normal: a release
 * migrates first, while the old version still serves.
 * @param built the names of the build's migrations
 * @throws Error naming the migrations that have not run, or saying that the database does not respond
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

/** Lists the build's migrations that have not run. @throws when the database does not respond */
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
