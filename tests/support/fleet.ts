/**
 * A store as it runs in production: two webs behind a proxy, two workers, each restarted when it ends, with the sandbox and a
 * database of its own. Everything in it can be killed, frozen or cut off.
 */
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { projectFolder } from "#server/operations/built-commands.mjs";
import { type Child, startChild } from "#server/operations/child-process.ts";
import type { Context } from "#server/platform/context.ts";
// For the type of what the global set-up provides.
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

/** A process that a supervisor keeps. */
export interface SupervisedProcess {
  name: string;
  pid(): number | undefined;
  /** SIGKILL. It is started again a moment later. */
  kill(): void;
  /** Whether it was started and has not said yet that it is at work. */
  isStarting(): boolean;
  /** Milliseconds that its last start took; 0 before the first has ended. */
  startMs(): number;
  /** Stopped for so long, and then going on as if nothing had happened. */
  freeze(ms: number): Promise<void>;
  /** How it ended, each time that nobody in the drill asked for it. */
  endings: readonly string[];
  /** Whatever it has said, oldest first. */
  lines: readonly string[];
  /** SIGTERM, and nothing is started in its place until it begins again. */
  end(): Promise<void>;
  /**
   * Resolves when it is at work.
   * @param release the folder of the project whose build it is from then on; the one that it was of when left out
   */
  begin(release?: string): Promise<void>;
}

export interface Fleet {
  stack: Stack;
  /** For looking behind the store: a process beside it whose database sessions are not cut. */
  context: Context;
  sides: Sides;
  webs: readonly SupervisedProcess[];
  workers: readonly SupervisedProcess[];
  proxy: FrontProxy;
  /** Between the store's processes and their database. */
  wire: TcpProxy;
  /** Ends all sessions of the store's processes. @returns how many; null on the embedded database, which has only one */
  cutSessions(): Promise<number | null>;
  /** Stops the database and starts it again a while later. Only with a server of the fleet's own. */
  restartDatabase(awayMs: number): Promise<void>;
  /** The server of the fleet's own; null where it has none. */
  database: OwnPostgres | null;
  stop(): Promise<void>;
}

export interface FleetOptions {
  /** On top of the stack's. */
  env?: Record<string, string>;
  /** The database is a server of the drill's own, which it may restart, and restore where it is archived. */
  ownDatabase?: boolean | "archived";
  /** Another build than this project's, and a database that is as that one's migrations leave it. */
  release?: { folder: string; template: Template };
  /** How many webs, and how many workers; two when left out. */
  each?: number;
}

/** Sessions with this name belong to the drill. */
const watcher = "drill";
const restartMs = 300;

/** @throws Error where a server of its own is asked for and PostgreSQL is not installed */
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

/** As `npm run serve` does it in a project. */
const webIn = (folder: string) => [
  "--import",
  path.join(folder, "build/commands/preload.js"),
  "node_modules/@remix-run/serve/dist/cli.js",
  "build/server/index.js",
];
const workerIn = (folder: string) => ["--enable-source-maps", path.join(folder, "build/commands/worker.js")];

interface Program {
  /** Of the project whose build it is. */
  folder: string;
  argumentsIn: (folder: string) => string[];
  /** @param lines what it has said since it began */
  saysReady: (lines: readonly string[]) => boolean;
  /** Asked of the process itself, where it answers. @param lines as above */
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
  // One session for all would be no production: a PostgreSQL where one is installed.
  if (!isOwn && postgresPrograms() === undefined) return { template: given, server: undefined };
  const server = await startOwnPostgres({}, { archives: isOwn === "archived" });
  cleanUps.push(() => server.stop());
  const { template, destroy } = await createTemplate(server.url);
  cleanUps.push(destroy);
  return { template, server };
}

/** As systemd would: whatever ends is started again. */
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
      // It has just ended by itself.
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
