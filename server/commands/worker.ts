/** `npm run worker`: the process that runs jobs. Start as many as the load needs, on as many machines. */
import { createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";
import { createTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";

const env = readEnv();
const context = createContext(env, "worker");
const { db, log } = context;

const worker = await startWorker({
  databaseUrl: env.DATABASE_URL,
  db,
  tasks: createTasks(context),
  log,
  concurrency: env.WORKER_CONCURRENCY,
  pollMs: env.WORKER_POLL_MS,
  heartbeatMs: env.HEARTBEAT_MS,
});
log.info("the worker is ready");

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    log.info({ signal }, "stopping when the running jobs are done");
    worker
      .stop()
      .catch((error: unknown) => log.error({ err: error }, "the worker did not stop in good order"));
  });
}

try {
  await worker.ended;
  // Asked to stop, this waits for the signing off; ended on its own, it does the same.
  await worker.stop();
} catch (error) {
  log.error({ err: error }, "the worker cannot go on");
  process.exitCode = 1;
} finally {
  await db.destroy();
}
