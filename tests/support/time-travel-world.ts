/** A running store with its embedded database and the sandbox, whose clock the test moves. */
import { sql } from "kysely";
import { insertJob } from "#db/platform/jobs.ts";
import type { Trx } from "#db/tables/index.ts";
import { type CronJobName, priorities } from "#server/foundation/outbox/jobs.ts";
import { trustHttpBrowser } from "./http-browser.ts";
import type { Sides } from "./outcome.ts";
import { postgresPrograms, startOwnPostgres } from "./own-postgres.ts";
import { providerState } from "./provider-state.ts";
import { sandboxControls } from "./sandbox-controls.ts";
import { type Stack, startStack } from "./stack.ts";
import { createTemplate } from "./template.ts";
import { startTestClock, type TestClock } from "./test-clock.ts";
import { until } from "./until.ts";
import { contextForStack } from "./world.ts";

export interface TimeTravelWorld extends Sides {
  stack: Stack;
  clock: TestClock;
  /** Jobs that were not done in time, and logged errors. */
  troubles(): Promise<string[]>;
  /**
   * Moves the clock of all processes, lets the vendors and then these cron jobs do everything due, and waits until nothing is.
   * The worker restarts: otherwise it would queue each cron job for every minute in between.
   */
  passTo(moment: Date, jobs: readonly CronJobName[]): Promise<void>;
  /** Resolves when no job is due, and all vendors' notices have arrived. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTimeTravelWorld(start: Date): Promise<TimeTravelWorld> {
  const clock = startTestClock(start);
  // The database has to be a process of this test, to follow the clock: a PostgreSQL where one is installed.
  const server = postgresPrograms() === undefined ? undefined : await startOwnPostgres(clock.env);
  const { template, destroy } = await createTemplate(server?.url ?? null);
  const stack = await startStack({ template, env: trustHttpBrowser, clockEnv: clock.env });
  const context = contextForStack(stack.env);
  const { db } = context;
  const provider = providerState(stack.sandboxUrl);

  const dueJobs = async () => {
    const { rows } = await sql<{ task: string; attempts: number; error: string | null }>`
      select task_identifier as task, attempts, last_error as error from graphile_worker.jobs
      where run_at <= now() or attempts > 0`.execute(db);
    return rows.map(({ task, attempts, error }) => `${task}, tried ${attempts} times: ${error}`);
  };
  async function settled(): Promise<void> {
    let left: string[] = [];
    await until(
      "nothing is due",
      async () => {
        const { notices } = await provider.state();
        const announcements = notices.deliveries.filter(({ done }) => !done).length;
        left = [...(await dueJobs()), ...(announcements > 0 ? [`${announcements} announcements`] : [])];
        return left.length === 0;
      },
      { timeoutMs: 120_000, everyMs: 100 },
    ).catch((error: unknown) => {
      throw new Error([...left, ...stack.logs("worker").slice(-20)].join("\n"), { cause: error });
    });
  }
  const queue = (trx: Trx, name: CronJobName) =>
    insertJob(trx, {
      name,
      payload: {},
      queueName: null,
      jobKey: name,
      delayMs: 0,
      maxAttempts: 1,
      priority: priorities[name],
      flags: [],
    });
  return {
    stack,
    clock,
    context,
    provider,
    controls: sandboxControls(stack.sandboxUrl),
    settled,
    async passTo(moment, jobs) {
      await stack.stopWorker();
      clock.moveTo(moment);
      await stack.startWorker();
      await settled();
      for (const name of jobs) {
        await db.transaction().execute((trx) => queue(trx, name));
        await settled();
      }
    },
    async troubles() {
      return [...stack.unexpectedErrors(), ...(await dueJobs())];
    },
    async stop() {
      await db.destroy();
      await stack.stop();
      await destroy();
      await server?.stop();
      clock.stop();
    },
  };
}
