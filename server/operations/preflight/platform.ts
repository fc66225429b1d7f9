/** The store's platform: its database with its migrations, connections, clock and backups, and its workers. */
import { listMissingMigrations } from "#db/migrate.ts";
import { readArchive, readConnections, readDatabaseTime } from "#db/platform/server-state.ts";
import { hasLiveWorker } from "#db/platform/workers.ts";
import { readServerTime } from "#server/integrations/http.ts";
import { silentAfterMs } from "#server/operations/jobs/heartbeats.ts";
import { type Check, type Finding, invalid, missing, ok, unknown } from "./check.ts";

const secondMs = 1_000;
/** Limit for our database's clock, by which orders are due, while sessions end by this machine's. */
const maxDatabaseClockSkewMs = 2 * secondMs;
/** Limit for an outside system's clock, whose response has whole seconds. */
const maxProviderClockSkewMs = 5 * secondMs;
const dayMs = 86_400 * secondMs;
const backUp = "docs/operate/backup.md";

export const migrationsRun: Check = {
  id: "migrations",
  name: "Migrations",
  look: async ({ context, built }) => {
    const left = await listMissingMigrations(context.db, built);
    return [
      left.length === 0
        ? ok(`All ${built.length} of this build have run.`)
        : missing(`${left.join(", ")} have not run.`, "npm run migrate"),
    ];
  },
};

/** Returns the largest number of connections of a process: docs/operate/deploy.md, "Connections". */
export const maxConnectionsOfProcess = {
  web: ({ DATABASE_POOL_SIZE: pool }: { DATABASE_POOL_SIZE: number }) => pool + 2,
  worker: (env: { DATABASE_POOL_SIZE: number; WORKER_CONCURRENCY: number }) =>
    env.DATABASE_POOL_SIZE + env.WORKER_CONCURRENCY + 4,
};

export const connections: Check = {
  id: "connections",
  name: "Connections",
  look: async ({ context: { db, env }, processes: { webs, workers: count } }) => {
    const wanted = webs * maxConnectionsOfProcess.web(env) + count * maxConnectionsOfProcess.worker(env);
    const { most, elsewhere } = await readConnections(db);
    const said = `${counted(webs, "web")} and ${counted(count, "worker")} take up to ${wanted} connections; PostgreSQL has ${most}, of which others have ${elsewhere}`;
    return [
      wanted + elsewhere <= most
        ? ok(`${said}.`)
        : invalid(
            `${said}.`,
            'Raise max_connections, or put a pooler before the webs: docs/operate/deploy.md, "Connections".',
          ),
    ];
  },
};

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

export const clock: Check = {
  id: "clock",
  name: "Clocks",
  look: async ({ context: { db, env } }) => [
    await comparedWith("The database's", () => readDatabaseTime(db), maxDatabaseClockSkewMs),
    await comparedWith(
      `${new URL(env.RAZORPAY_API_URL).hostname}'s`,
      () =>
        readServerTime({
          provider: "razorpay",
          url: env.RAZORPAY_API_URL,
          timeoutMs: env.PROVIDER_TIMEOUT_MS,
        }),
      maxProviderClockSkewMs,
    ),
  ],
};

/** @param ask returns null when the other system does not report its time */
async function comparedWith(whose: string, ask: () => Promise<Date | null>, maxMs: number): Promise<Finding> {
  const before = Date.now();
  const theirs = await ask();
  const after = Date.now();
  if (theirs === null)
    return unknown(`${whose} clock didn't return a time.`, "Check this machine's clock manually.");
  // Their clock was read at some moment in between.
  const behindMs = Math.max(0, before - theirs.getTime(), theirs.getTime() - after);
  const said = `${whose} clock and this machine's differ by ${(behindMs / secondMs).toFixed(1)} s`;
  return behindMs <= maxMs
    ? ok(`${said}.`)
    : invalid(`${said}.`, "Sync both to a time server (chrony, NTP).");
}

export const backups: Check = {
  id: "backups",
  name: "Backups",
  look: async ({ context, now }) => {
    const archive = await readArchive(context.db);
    if (archive === null)
      return [
        unknown(
          "The archive status can't be read from here.",
          `Check it with your database host: ${backUp}.`,
        ),
      ];
    if (!archive.isOn)
      return [
        missing(
          "The write-ahead log isn't archived, so you could lose everything since the last dump.",
          `Set archive_mode and archive_command, or see that your provider keeps point-in-time backups: ${backUp}.`,
        ),
      ];
    const { archivedAt, failedAt } = archive;
    if (failedAt !== null && (archivedAt === null || failedAt > archivedAt))
      return [
        invalid(
          `Archiving has failed since ${failedAt.toISOString()}.`,
          "See PostgreSQL's log for the reason.",
        ),
      ];
    if (archivedAt === null)
      return [unknown("Nothing has been archived yet.", "select pg_switch_wal(), then check again.")];
    if (now.getTime() - archivedAt.getTime() > dayMs)
      return [
        invalid(
          `Nothing has been archived since ${archivedAt.toISOString()}.`,
          `Set archive_timeout: ${backUp}.`,
        ),
      ];
    return [ok(`The write-ahead log was last archived ${archivedAt.toISOString()}.`)];
  },
};

export const workers: Check = {
  id: "workers",
  name: "Workers",
  look: async ({ context: { db, env } }) => [
    (await hasLiveWorker(db, silentAfterMs(env.HEARTBEAT_MS)))
      ? ok("A worker is running.")
      : missing(
          "No worker is running, so paid orders aren't fulfilled.",
          "npm run worker, under a supervisor.",
        ),
  ],
};
