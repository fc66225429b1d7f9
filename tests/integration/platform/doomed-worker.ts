/**
 * A worker whose jobs never end: `<database url> <heartbeat ms>`. Sends "running <job>" when one begins; the test then kills it.
 */
import { createDb, createPool } from "#db/client.ts";
import { createLog } from "#server/foundation/log.ts";
import { startWorker } from "#server/operations/jobs/worker.ts";

const [databaseUrl = "", heartbeatMs = "200"] = process.argv.slice(2);
const db = createDb(createPool(databaseUrl, 2, () => undefined));

await startWorker({
  databaseUrl,
  db,
  healthDb: db,
  tasks: {
    async linger(_payload, helpers) {
      process.send?.(`running ${helpers.job.id}`);
      await new Promise(() => undefined);
    },
  },
  log: createLog("silent", "doomed"),
  concurrency: 2,
  pollMs: 50,
  heartbeatMs: Number(heartbeatMs),
  crons: {},
});
