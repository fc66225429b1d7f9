/**
 * A store as it runs in production: two webs behind a proxy and two workers, each restarted when it ends, with the sandbox and a
 * separate database. Everything in it can be killed, frozen or cut off.
 */
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { projectFolder } from "#server/operations/built-commands.mjs";
import { type Child, startChild } from "#server/operations/child-process.ts";
import type { Context } from "#server/platform/context.ts";
// For the type of the value from the global set-up.
import type {} from "./database-server.ts";
import { trustHttpBrowser } from "./http-browser.ts";
import { type FrontProxy, startProxy } from "./load-balancer.ts";
import type { Sides } from "./outcome.ts";
import { type OwnPostgres, postgresPrograms, startOwnPostgres } from "./own-postgres.ts";
import { freePorts } from "./ports.ts";
import { providerState } from "./provider-state.ts";
import { sandboxControls } from "./sandbox-controls.ts";
import { type Stack, startStack } from "./stack.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { createTemplate, onServer, type Template } from "./template.ts";
import { until } from "./until.ts";
import { contextForStack } from "./world.ts";

/** A process that a supervisor restarts. */
export interface SupervisedProcess {
  name: string;
  pid(): number | undefined;
  /** Sends SIGKILL. The supervisor restarts it a moment later. */
  kill(): void;
  /** Whether it was started but is not ready yet. */
  isStarting(): boolean;
  /** Duration of its last start, in milliseconds; 0 before the first has ended. */
  startMs(): number;
  /** Stops it for this time, after which it continues unaware. */
  freeze(ms: number): Promise<void>;
  /** Exits that the drill did not cause, each with its code or signal. */
  endings: readonly string[];
  /** Its whole output, oldest first. */
  lines: readonly string[];
  /** Sends SIGTERM. It stays down until `begin`. */
  end(): Promise<void>;
  /**
   * Resolves when it is ready.
   * @param release the folder of the project whose build it uses from now on; left out for the same one
   */
  begin(release?: string): Promise<void>;
}

export interface Fleet {
  stack: Stack;
  /** Access behind the store: a separate process's context, whose database sessions are not cut. */
  context: Context;
  sides: Sides;
  webs: readonly SupervisedProcess[];
  workers: readonly SupervisedProcess[];
  proxy: FrontProxy;
  /** Connection between the store's processes and their database. */
  wire: TcpProxy;
  /** Ends all sessions of the store's processes. @returns their number; null on the embedded database, which has only one */
  cutSessions(): Promise<number | null>;
  /** Stops the database and starts it again after a while. Only with the fleet's own server. */
  restartDatabase(awayMs: number): Promise<void>;
  /** The fleet's own server; null where it has none. */
  database: OwnPostgres | null;
  stop(): Promise<void>;
}

export interface FleetOptions {
  /** Added to the stack's environment. */
  env?: Record<string, string>;
  /** Uses a separate database server, which the drill may restart, and restore where it is archived. */
  ownDatabase?: boolean | "archived";
  /** A build other than this project's, and a database as its migrations leave it. */
  release?: { folder: string; template: Template };
  /** Number of webs, and of workers; two when left out. */
  each?: number;
}

/** Name of the drill's own database sessions. */
const watcher = "drill";
const restartMs = 300;

/** @throws Error when a separate server is requested and PostgreSQL is not installed */
export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
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
  { env = {}, ownDatabase = false, each = 2, release }: FleetOptions,
  cleanUps: (() => Promise<unknown>)[],
): Promise<Omit<Fleet, "stop">> {
  const { template, server } =
    release === undefined
      ? await databaseFor(ownDatabase, cleanUps)
      : { template: release.template, server: undefined };
  const folder = release?.folder ?? projectFolder;
  const stack = await startStack({
    template,
    env: { ...trustHttpBrowser, ...env },
    worker: false,
    web: false,
  });
  cleanUps.push(() => stack.stop());
  const [wirePort = 0, ...ports] = await freePorts(each + 1);
  const onWire = new URL(stack.databaseUrl);
  const wire = await startTcpProxy(wirePort, { host: onWire.hostname, port: Number(onWire.port || 5432) });
  cleanUps.push(() => wire.stop());
  onWire.host = `127.0.0.1:${wirePort}`;
  const own = { ...stack.env, DATABASE_URL: onWire.href };
  const webs = ports.map((port, index) =>
    keep(
      `web ${index + 1}`,
      {
        folder,
        argumentsIn: webIn,
        saysReady: webSaysReady,
        isReady: () => answers(`http://127.0.0.1:${port}/health`),
      },
      { ...own, PORT: String(port) },
    ),
  );
  const workers = Array.from({ length: each }, (_, index) =>
    keep(
      `worker ${index + 1}`,
      { folder, argumentsIn: workerIn, saysReady: workerSaysReady, isReady: workerSaysReady },
      own,
    ),
  );
  cleanUps.push(() => Promise.all([...webs, ...workers].map((kept) => kept.stop())));
  const proxy = await startProxy(Number(new URL(stack.url).port), ports);
  cleanUps.push(() => proxy.stop());

  const watched = new URL(stack.databaseUrl);
  watched.searchParams.set("application_name", watcher);
  const context = contextForStack({ ...stack.env, DATABASE_URL: watched.href });
  cleanUps.push(() => context.db.destroy());
  for (const port of ports) await until("the web answers", () => answers(`http://127.0.0.1:${port}/health`));
  for (const { name, lines } of workers) await until(`${name} is ready`, () => workerSaysReady(lines));

  return {
    stack,
    context,
    sides: {
      context,
      provider: providerState(stack.sandboxUrl),
      controls: sandboxControls(stack.sandboxUrl),
    },
    webs,
    workers,
    proxy,
    wire,
    async cutSessions() {
      if (template.kind === "embedded") return null;
      const cut = await onServer(
        template.adminUrl,
        `select pg_terminate_backend(pid), datname from pg_stat_activity
         where datname = '${watched.pathname.slice(1)}' and application_name <> '${watcher}'`,
      );
      return cut.length;
    },
    async restartDatabase(awayMs) {
      if (server === undefined) throw new Error("The database is not the drill's own");
      await server.restart(awayMs);
    },
    database: server ?? null,
  };
}

/** The command of `npm run serve` in a project. */
const webIn = (folder: string) => [
  "--import",
  path.join(folder, "build/commands/preload.js"),
  "node_modules/@remix-run/serve/dist/cli.js",
  "build/server/index.js",
];
const workerIn = (folder: string) => ["--enable-source-maps", path.join(folder, "build/commands/worker.js")];

interface Program {
  /** Folder of the project whose build it uses. */
  folder: string;
  argumentsIn: (folder: string) => string[];
  /** @param lines its output since its start */
  saysReady: (lines: readonly string[]) => boolean;
  /** Whether the process itself reports readiness, where it can. @param lines as above */
  isReady: (lines: readonly string[]) => boolean | Promise<boolean>;
}

const says = (words: string) => (lines: readonly string[]) => lines.some((line) => line.includes(words));
const workerSaysReady = says("is ready");
const webSaysReady = says("[remix-serve]");

async function databaseFor(
  isOwn: boolean | "archived",
  cleanUps: (() => Promise<unknown>)[],
): Promise<{ template: Template; server: OwnPostgres | undefined }> {
  const given = inject("databaseTemplate");
  if (!isOwn && given.kind === "server") return { template: given, server: undefined };
  // The embedded database has one session for all, unlike production: use a PostgreSQL where one is installed.
  if (!isOwn && postgresPrograms() === undefined) return { template: given, server: undefined };
  const server = await startOwnPostgres({}, { archives: isOwn === "archived" });
  cleanUps.push(() => server.stop());
  const { template, destroy } = await createTemplate(server.url);
  cleanUps.push(destroy);
  return { template, server };
}

/** Restarts a process whenever it ends, as systemd would. */
function keep(
  name: string,
  program: Program,
  env: NodeJS.ProcessEnv,
): SupervisedProcess & { stop(): Promise<void> } {
  const { argumentsIn, saysReady, isReady } = program;
  let { folder } = program;
  let held: Promise<void> | null = null;
  let goOn = () => {};
  const lines: string[] = [];
  const endings: string[] = [];
  let isStopping = false;
  let isKilled = false;
  let begunAt = 0;
  let startMs = 0;
  let child: Child = start();
  function start(): Child {
    begunAt = lines.length;
    const from = performance.now();
    const onLine = (line: string) => {
      lines.push(line);
      if (saysReady([line])) startMs = performance.now() - from;
    };
    return startChild({ name, args: argumentsIn(folder), folder, env, onLine });
  }
  const keeping = (async () => {
    while (true) {
      const how = await child.ended;
      if (isStopping) return;
      if (!isKilled && held === null) endings.push(how);
      isKilled = false;
      if (held === null) await sleep(restartMs);
      if (held !== null) await held;
      if (isStopping) return;
      child = start();
    }
  })();
  const signal = (which: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(child.pid, which);
    } catch (error) {
      // It has just ended.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  };
  return {
    name,
    pid: () => child.pid,
    lines,
    endings,
    kill() {
      isKilled = true;
      signal("SIGKILL");
    },
    isStarting: () => !saysReady(lines.slice(begunAt)),
    startMs: () => startMs,
    async freeze(ms) {
      signal("SIGSTOP");
      try {
        await sleep(ms);
      } finally {
        signal("SIGCONT");
      }
    },
    async end() {
      held = new Promise((resolve) => {
        goOn = resolve;
      });
      await child.stop();
    },
    async begin(release = folder) {
      const earlier = lines.length;
      folder = release;
      held = null;
      goOn();
      await until(`${name} is at work`, () => isReady(lines.slice(earlier)));
    },
    async stop() {
      isStopping = true;
      goOn();
      signal("SIGCONT");
      await child.stop();
      await keeping;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).status < 500;
  } catch {
    return false;
  }
}
