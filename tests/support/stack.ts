/**
 * The whole product as separate processes, on free ports, for tests that use it from outside: browser and fault tests. Waits are
 * short, every log line is kept, and web and worker can be killed and started again.
 */

import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDb, createPool } from "#db/client.ts";
import { listLockHolders, unlockJobsOf } from "#db/platform/workers.ts";
import { createSecrets, sandboxEnvironment } from "#sandbox/local/environment.ts";
import { buildIfNeeded } from "#sandbox/local/install.mjs";
import { levelOf } from "#sandbox/local/log-folder.ts";
import { programArguments } from "#sandbox/local/programs.ts";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { type Child, startChild } from "#server/operations/child-process.ts";
import { webArguments } from "#server/operations/web-arguments.ts";
import { copyDatabase } from "./copy-database.ts";
import { freeze } from "./freeze-process.ts";
import { consentForStack } from "./partner-consent.ts";
import { freePorts } from "./ports.ts";
import { sandboxControls } from "./sandbox-controls.ts";
import { createTemplate, type Template } from "./template.ts";
import { unthrottled } from "./unthrottled.ts";

export interface StackOptions {
  /**
   * Vitest passes `inject("databaseTemplate")`. Without it: the template of the browser tests, or one that is created and
   * removed.
   */
  template?: Template;
  /** Added to the sandbox's environment, for web and worker. */
  env?: Record<string, string>;
  /** Added to every environment, for web, worker, sandbox and an embedded database: the clock they follow. */
  clockEnv?: Record<string, string>;
  /** False starts without a worker; `startWorker` starts it later. */
  worker?: boolean;
  /** False starts no web: the test has its own, behind `url`. */
  web?: boolean;
}

export interface Stack {
  /** Address of the store, as buyers type it. */
  url: string;
  sandboxUrl: string;
  databaseUrl: string;
  /** Environment of web and worker, for tests that start more of them. */
  env: NodeJS.ProcessEnv;
  /** "name: line", oldest first; of one process if named. */
  logs(name?: string): string[];
  /** Lines at error level, and unrequested exits of processes. */
  unexpectedErrors(): string[];
  /** Sends SIGKILL, like a power cut, and then calls `presumeWorkersDead`. */
  killWorker(): Promise<void>;
  /** Backdates the workers' heartbeats by an hour, so that the next one that starts releases their jobs without waiting. */
  presumeWorkersDead(): Promise<void>;
  startWorker(): Promise<void>;
  /** Sends SIGTERM, as for a replacement: it finishes its current work. */
  stopWorker(): Promise<void>;
  /** Freezes it, without it noticing. */
  pauseWorker(): Promise<void>;
  resumeWorker(): void;
  signalWeb(signal: NodeJS.Signals): void;
  /** Process id of the web, for the system's statistics about it. */
  webPid(): number;
  killWeb(): Promise<void>;
  /** Resolves when the store answers; does nothing while it runs. */
  startWeb(): Promise<void>;
  /** Stops the worker, and gives web and sandbox a fresh database, state and logs. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

const shortWaits = {
  INVITATION_POLL_MS: "300",
  RETRY_BASE_MS: "100",
  // A worker counts as dead after six missed heartbeats, which must not happen on a busy machine. See `presumeWorkersDead`.
  HEARTBEAT_MS: "1000",
  WORKER_POLL_MS: "100",
  PROVIDER_TIMEOUT_MS: "5000",
  // No delays except for tests about waiting: browsers and tests/integration/orders/unseen.test.ts set some.
  SANDBOX_DELAY_SCALE: "0",
  SANDBOX_STATE: "memory",
  ...unthrottled,
};
const error = 50;

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  await buildIfNeeded();
  const cleanUps: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (let last = cleanUps.pop(); last !== undefined; last = cleanUps.pop()) await last();
  };
  try {
    return { ...(await startParts(options, cleanUps)), stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

async function startParts(
  options: StackOptions,
  cleanUps: (() => Promise<unknown>)[],
): Promise<Omit<Stack, "stop">> {
  const lines: { name: string; line: string }[] = [];
  const unexpectedCalls: string[] = [];
  const running = new Map<string, Child>();

  const template = options.template ?? templateOfRun() ?? (await ownTemplate(cleanUps));
  const dataDir = await mkdtemp(path.join(template.folder, "stack-"));
  const database = await copyDatabase(template, options.clockEnv);
  cleanUps.push(() => database.destroy());
  // Stopped first, before their database and folder are removed.
  cleanUps.push(async () => {
    for (const name of ["web", "worker", "sandbox"]) await end(name, (child) => child.stop());
  });

  const [port = 0, sandboxPort = 0, smtpPort = 0] = await freePorts(3);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...sandboxEnvironment({
      port,
      sandboxPort,
      smtpPort,
      databaseUrl: database.url,
      dataDir,
      secrets: createSecrets(),
    }),
    ...shortWaits,
    ...options.env,
    ...options.clockEnv,
    NODE_ENV: "production",
    // The product's processes must not see Vitest's variable.
    VITEST: undefined,
  };
  const url = `http://localhost:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;

  function begin(name: string, args: readonly string[]): Child {
    const child = startChild({ name, args, env, onLine: (line) => lines.push({ name, line }) });
    running.set(name, child);
    void child.ended.then((how) => {
      if (running.get(name) !== child) return;
      running.delete(name);
      if (how !== "code 0") unexpectedCalls.push(`${name}: ended with ${how}`);
    });
    return child;
  }

  async function end(name: string, how: (child: Child) => Promise<void>): Promise<void> {
    const child = running.get(name);
    running.delete(name);
    if (child !== undefined) await how(child);
  }

  async function startWorker(): Promise<void> {
    const earlier = lines.length;
    begin("worker", builtCommandArguments("worker"));
    const isReady = () =>
      lines.slice(earlier).some(({ name, line }) => name === "worker" && line.includes("is ready"));
    await until(isReady, () => `the worker did not start:\n${tail(lines)}`);
  }

  async function killWorker(): Promise<void> {
    if (!running.has("worker")) return;
    await end("worker", (child) => child.kill());
    await presumeWorkersDead(database.url);
  }

  function pidOf(name: string): number {
    const pid = running.get(name)?.pid;
    if (pid === undefined) throw new Error(`no ${name} is running`);
    return pid;
  }

  const signalTo = (name: string, signal: NodeJS.Signals) => process.kill(pidOf(name), signal);

  async function startWeb(): Promise<void> {
    // A second one would exit because its port is taken, and be mistaken for the running one.
    if (!running.has("web")) begin("web", webArguments());
    await storeAnswers();
  }

  const storeAnswers = () =>
    until(
      () => answers(`${url}/health`),
      () => `the store does not answer:\n${tail(lines)}`,
    );

  async function startSandbox(): Promise<void> {
    begin("sandbox", programArguments("sandbox"));
    await until(
      () => answers(`${sandboxUrl}/health`),
      () => `the sandbox did not start:\n${tail(lines)}`,
    );
  }

  // The template is migrated and has the catalogue.
  await Promise.all([
    startSandbox(),
    options.web === false ? undefined : startWeb(),
    options.worker === false ? undefined : startWorker(),
  ]);
  await consentForStack(env);

  return {
    url,
    sandboxUrl,
    databaseUrl: database.url,
    env,
    logs: (name) =>
      lines.filter((entry) => name === undefined || entry.name === name).map((e) => `${e.name}: ${e.line}`),
    unexpectedErrors: () => [
      ...lines.filter(({ line }) => levelOf(line) >= error).map((entry) => `${entry.name}: ${entry.line}`),
      ...unexpectedCalls,
    ],
    killWorker,
    presumeWorkersDead: () => presumeWorkersDead(database.url),
    startWorker,
    pauseWorker: () => freeze((signal) => signalTo("worker", signal), database.url),
    stopWorker: () => end("worker", (child) => child.stop()),
    resumeWorker: () => signalTo("worker", "SIGCONT"),
    signalWeb: (signal) => signalTo("web", signal),
    webPid: () => pidOf("web"),
    killWeb: () => end("web", (child) => child.kill()),
    startWeb,
    async renew() {
      await killWorker();
      await database.renew();
      await sandboxControls(sandboxUrl).reset();
      await consentForStack(env);
      await storeAnswers();
      lines.length = 0;
      unexpectedCalls.length = 0;
    },
  };
}

/** Releases dead workers' jobs at once, which a worker does only after six missed heartbeats: worker.test.ts covers that. */
async function presumeWorkersDead(databaseUrl: string): Promise<void> {
  const db = createDb(createPool(databaseUrl, 1));
  try {
    await db.transaction().execute(async (trx) => {
      const holders = await listLockHolders(trx, 0);
      await unlockJobsOf(
        trx,
        holders.map(({ workerId }) => workerId),
      );
    });
  } finally {
    await db.destroy();
  }
}

/** The variable in which tests/e2e/global-setup.ts leaves the template for stacks in other processes. */
export const templateVariable = "TEST_TEMPLATE";

function templateOfRun(): Template | null {
  const template: Template | null = JSON.parse(process.env[templateVariable] ?? "null");
  return template;
}

async function ownTemplate(cleanUps: (() => Promise<unknown>)[]): Promise<Template> {
  const { template, destroy } = await createTemplate();
  cleanUps.push(destroy);
  return template;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).status < 500;
  } catch {
    return false;
  }
}

async function until(isSo: () => boolean | Promise<boolean>, complaint: () => string): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(complaint());
    await sleep(50);
  }
}

function tail(lines: readonly { name: string; line: string }[]): string {
  return lines
    .slice(-30)
    .map(({ name, line }) => `${name}: ${line}`)
    .join("\n");
}
