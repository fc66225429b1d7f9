/**
 * `npm run worker`: keeps one worker running, and starts it again, each time after a longer wait, whenever it ends. Start as
 * many as the load needs, on as many machines.
 */
import { readEnv } from "#server/env.ts";
import { createLog } from "#server/log.ts";
import { built } from "./built.mjs";
import { keepRunning } from "./children.ts";

/** Jobs under way wait for providers: who wants a worker gone sooner kills it, and its jobs go to another. */
const graceMs = 600_000;

// A setting that is missing is told once, and not by a worker that is started for ever.
const { LOG_LEVEL } = readEnv();
const log = createLog(LOG_LEVEL, "worker-keeper");

const keeper = keepRunning(
  {
    name: "worker",
    args: built("worker"),
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
