/**
 * `npm run worker`: keeps one worker running, and restarts it after growing delays whenever it ends. Start as many as the
 * load needs, on as many machines.
 */

import { createLog } from "#server/foundation/log.ts";
import { readWorkerEnv } from "#server/platform/env.ts";
import { builtCommandArguments } from "../built-commands.mjs";
import { superviseChild } from "../child-process.ts";

/** Running jobs may be waiting for providers. To stop a worker sooner, kill it: its jobs go to another worker. */
const graceMs = 600_000;

// Reports a missing setting once, instead of restarting a worker that fails on it forever.
const { LOG_LEVEL } = readWorkerEnv();
const log = createLog(LOG_LEVEL, "worker-supervisor");

const keeper = superviseChild(
  {
    name: "worker",
    args: builtCommandArguments("worker"),
    env: process.env,
    onLine: (line) => process.stdout.write(`${line}\n`),
  },
  (how, inMs) => log.error({ how, inMs }, "the worker ended and is started again"),
);
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    keeper
      .stop(graceMs)
      .catch((error: unknown) => log.error({ err: error }, "the worker did not stop in good order"));
  });
}
