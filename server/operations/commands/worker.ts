/** Process that runs jobs. `npm run worker` starts it through worker-supervisor.ts, which restarts it whenever it ends. */
import { setTimeout as sleep } from "node:timers/promises";
import { warnAboutCatalogue } from "#server/desk/vendor-catalogue/catalogue-status.ts";
import { limitEgress } from "#server/foundation/security/egress.ts";
import { createTasks } from "#server/operations/jobs/tasks.ts";
import { type RunningWorker, startWorker } from "#server/operations/jobs/worker.ts";
import { startInternalServer } from "#server/operations/monitoring/internal-server.ts";
import { createReadiness } from "#server/operations/monitoring/readiness.ts";
import { reportLostAccounts, requireReferenceTables } from "#server/operations/start-checks.ts";
import { createContext } from "#server/platform/context.ts";
import { destinationsOf } from "#server/platform/destinations.ts";
import { readWorkerEnv } from "#server/platform/env.ts";
import { migrationNames } from "../built-commands.mjs";

const goodbyeMs = 2_000;

const env = readWorkerEnv();
limitEgress(destinationsOf(env));
const context = createContext(env, "worker");
const { db, healthDb, log } = context;
const readiness = createReadiness(context, migrationNames());
let worker: RunningWorker | null = null;
let isStopRequested = false;
let givesUp = false;

/**
 * Ends the process on a failure that the queue's runner cannot survive: the database closes its session while a job's completion
 * is being written, as on a restart or failover, and the rejected promise is out of reach. Only a new process is in a known good
 * state.
 */
async function giveUp(error: unknown): Promise<void> {
  if (givesUp) return;
  givesUp = true;
  log.fatal({ err: error }, "the worker cannot go on");
  const goodbye = worker
    ?.abandon()
    .catch((failure: unknown) =>
      log.warn({ err: failure }, "the jobs under way are free when the heartbeats are missed"),
    );
  await Promise.race([goodbye, sleep(goodbyeMs)]);
  process.exit(1);
}
process.on("uncaughtException", giveUp);
process.on("unhandledRejection", giveUp);

const internal = await startInternalServer(context, readiness, {
  setting: "WORKER_METRICS_PORT",
  number: env.WORKER_METRICS_PORT,
});
await requireReferenceTables(context).catch(giveUp);
await reportLostAccounts(context).catch(giveUp);
await warnAboutCatalogue(context);
worker = await startWorker({
  databaseUrl: env.DATABASE_URL,
  db,
  healthDb,
  tasks: createTasks(context),
  log,
  concurrency: env.WORKER_CONCURRENCY,
  pollMs: env.WORKER_POLL_MS,
  heartbeatMs: env.HEARTBEAT_MS,
});
readiness.begin();
log.info("the worker is ready");

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  // A repeated signal, such as the supervisor's to itself and to us, must not cut a job off, so the shutdown just continues.
  process.on(signal, () => {
    isStopRequested = true;
    log.info({ signal }, "stopping when the running jobs are done");
    worker
      ?.stop()
      .catch((error: unknown) => log.error({ err: error }, "the worker did not stop in good order"));
  });
}

await worker.ended.catch(giveUp);
if (isStopRequested) {
  // Waits for the worker to sign off.
  await worker.stop();
  await context.calls.settled();
  await Promise.all([internal.close(), healthDb.destroy(), db.destroy()]);
} else {
  await giveUp(new Error("The queue runner exited unexpectedly"));
}
