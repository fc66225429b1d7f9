/** The whole product on one machine: database, sandbox, web and worker as child processes, stopped together and in order. */
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { createDb, createPool } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { demoEmails, demoPassword, demoStaffEmail } from "#sandbox/demo/login.ts";
import * as paths from "#server/foundation/paths.ts";
import { builtCommandArguments, type builtCommands } from "#server/operations/built-commands.mjs";
import {
  type Child,
  type ChildOptions,
  startChild,
  superviseChild,
  tsxArguments,
  waitForSuccess,
} from "#server/operations/child-process.ts";
import { devWebArguments, webArguments } from "#server/operations/web-arguments.ts";
import { startEmbeddedChild } from "./embedded-child.ts";
import { loadOrCreateSecrets, sandboxEnvironment } from "./environment.ts";
import { openLogFolder } from "./log-folder.ts";
import { demandFreePort } from "./ports.ts";
import { programArguments } from "./programs.ts";

const port = z.coerce.number().int().min(1).max(65_535);
const settingsSchema = z.object({
  PORT: port.default(3000),
  SANDBOX_PORT: port.default(3100),
  SANDBOX_SMTP_PORT: port.optional(),
  /** The embedded database's port. Any free one unless given. */
  DATABASE_PORT: port.optional(),
  DATABASE_URL: z.string().optional(),
  DATA_DIR: z.string().default(".data"),
});
type Settings = z.infer<typeof settingsSchema>;

type Mode = "start" | "dev";
/** A lost connection is reported by the query in progress, and the database's death by its process. */
const heardElsewhere = () => undefined;

/**
 * Runs until Ctrl-C or SIGTERM, or until a part ends that cannot simply be restarted. Sets the exit code.
 * @param mode "start" serves the build; "dev" compiles pages on demand
 */
export async function runStack(mode: Mode): Promise<void> {
  const stack = new Stack();
  // The handlers stay installed: npm forwards a signal that the terminal has already sent, and the second one must not cut
  // the shutdown short.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => stack.end(`received ${signal}`));
  const watch = endWithNpm(stack);
  try {
    await Promise.race([startAll(stack, mode), stack.ending]);
    await stack.ending;
  } catch (error) {
    process.exitCode = 1;
    console.error(`\n${error instanceof Error ? error.message : error}`);
  }
  clearInterval(watch);
  console.log("\nStopping…");
  await stack.stopAll();
  console.log("Stopped.");
}

/**
 * A signal sent only to npm ends npm and its shell but never reaches this process, so their disappearance has to count as
 * one.
 */
function endWithNpm(stack: Stack): NodeJS.Timeout | undefined {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) stack.end("npm has ended");
  }, 500);
}

/** The running parts in start order, and their shutdown. */
class Stack {
  /** Resolves when a stop was requested, and rejects when a part that the others need has ended. */
  readonly ending: Promise<void>;
  #end: (error?: Error) => void = () => undefined;
  #ended = false;
  readonly #running: { stop(): Promise<void> }[] = [];

  constructor() {
    this.ending = new Promise((resolve, reject) => {
      this.#end = (error) => (error === undefined ? resolve() : reject(error));
    });
    this.ending.catch(() => undefined);
  }

  end(reason: string): void {
    if (!this.#ended) console.log(`\nStopping: ${reason}.`);
    this.#ended = true;
    this.#end();
  }

  /** Starts a part unless the shutdown has begun. Parts are stopped in reverse order. */
  start<Part extends { stop(): Promise<void> }>(start: () => Part): Part {
    if (this.#ended) throw new Error("Startup was interrupted.");
    const part = start();
    this.#running.push(part);
    return part;
  }

  /** Stops everything when this process ends. */
  need(child: Child): void {
    void child.ended.then((how) => {
      this.#end(new Error(`The ${child.name} exited unexpectedly (${how}). The store can't run without it.`));
    });
  }

  async stopAll(): Promise<void> {
    this.#ended = true;
    for (let last = this.#running.pop(); last !== undefined; last = this.#running.pop()) await last.stop();
  }
}

async function startAll(stack: Stack, mode: Mode): Promise<void> {
  const settings = readSettings();
  const { PORT, SANDBOX_PORT, DATABASE_PORT, DATA_DIR } = settings;
  const smtpPort = settings.SANDBOX_SMTP_PORT ?? SANDBOX_PORT + 1;
  await demandFreePort(PORT, "PORT");
  await demandFreePort(SANDBOX_PORT, "SANDBOX_PORT");
  await demandFreePort(smtpPort, "SANDBOX_SMTP_PORT");
  if (DATABASE_PORT !== undefined) await demandFreePort(DATABASE_PORT, "DATABASE_PORT");

  // Keeps database, mail and logs private to this user, because the embedded database creates its files with all permissions.
  process.umask(0o077);
  const secrets = loadOrCreateSecrets(DATA_DIR);
  chmodSync(DATA_DIR, 0o700);
  const onLine = openLogFolder(path.join(DATA_DIR, "logs"));
  const part = (name: string, args: readonly string[], databaseUrl: string): ChildOptions => ({
    name,
    args,
    env: {
      ...process.env,
      ...sandboxEnvironment({
        port: PORT,
        sandboxPort: SANDBOX_PORT,
        smtpPort,
        databaseUrl,
        dataDir: DATA_DIR,
        secrets,
      }),
      // The sandbox's vendors are faster than the real ones, so retries can come sooner.
      RETRY_BASE_MS: "1000",
      ...(mode === "dev" ? { NODE_ENV: "development" as const } : {}),
    },
    onLine,
  });

  const commandOf = (name: (typeof builtCommands)[number], ...args: string[]) =>
    mode === "dev"
      ? tsxArguments(`server/operations/commands/${name}.ts`, ...args)
      : builtCommandArguments(name, ...args);

  const database = settings.DATABASE_URL ?? startDatabase(stack, settings, onLine);
  // The sandbox does not use the store's database, so it need not wait for it.
  const sandbox = stack.start(() => startChild(part("sandbox", programArguments("sandbox"), "")));
  const databaseUrl = await database;
  await migrateTo(databaseUrl);
  keepSettings(path.join(DATA_DIR, "store.env"), part("", [], databaseUrl).env);

  const sandboxUrl = `http://127.0.0.1:${SANDBOX_PORT}`;
  const seed = part("seed", programArguments("demo-seed", sandboxUrl), databaseUrl);
  const worker = part("worker", commandOf("worker"), databaseUrl);
  const web = part("web", mode === "dev" ? devWebArguments(PORT) : webArguments(), databaseUrl);
  // Web and worker may crash without stopping the rest: they hold no state, and orders wait in the database.
  const again = (name: string) => (how: string, inMs: number) =>
    console.error(`The ${name} exited (${how}). Restarting in ${inMs} ms.`);
  stack.need(sandbox);
  stack.start(() => superviseChild(web, again("web server")));
  // The seed loads the demo company into the sandbox, so it waits for it. The worker waits for the seed, because its catalogue
  // needs the ids that the seed looks up.
  const seeded = answers(`${sandboxUrl}/health`, "sandbox")
    .then(() => waitForSuccess(stack.start(() => startChild(seed))))
    .then(() => stack.start(() => superviseChild(worker, again("worker"))));
  await Promise.all([seeded, answers(`http://localhost:${PORT}/health`, "store")]);
  console.log(await welcome(settings, databaseUrl));
}

/** Writes a file for the operator's commands, to be loaded by a shell: the variables that differ from its own environment. */
function keepSettings(file: string, env: NodeJS.ProcessEnv): void {
  const lines = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || value === process.env[name]
      ? []
      : [`${name}='${value.replaceAll("'", String.raw`'\\''`)}'\n`],
  );
  writeFileSync(file, lines.join(""), { mode: 0o600 });
}

function readSettings(): Settings {
  const settings = settingsSchema.safeParse(process.env);
  if (!settings.success) throw new Error(`Invalid settings:\n${z.prettifyError(settings.error)}`);
  return settings.data;
}

async function startDatabase(
  stack: Stack,
  { DATA_DIR, DATABASE_PORT }: Settings,
  onLine: ChildOptions["onLine"],
): Promise<string> {
  const args = ["--data-dir", path.join(DATA_DIR, "postgres"), "--port", String(DATABASE_PORT ?? 0)];
  const embedded = stack.start(() => startEmbeddedChild({ args, onLine }));
  const databaseUrl = await embedded.ready;
  stack.need(embedded);
  return databaseUrl;
}

async function migrateTo(databaseUrl: string): Promise<void> {
  const pool = createPool(databaseUrl, 2, heardElsewhere);
  try {
    await migrate(pool);
  } finally {
    await pool.end();
  }
}

/** Waits until the address answers, with any status. */
async function answers(url: string, name: string): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (performance.now() < giveUpAt) {
    try {
      await fetch(url, { signal: AbortSignal.timeout(10_000), redirect: "manual" });
      return;
    } catch {
      await sleep(100);
    }
  }
  throw new Error(`The ${name} didn't respond at ${url} within a minute.`);
}

async function welcome({ PORT, SANDBOX_PORT, DATA_DIR }: Settings, databaseUrl: string): Promise<string> {
  const demo = (await demoUserExists(databaseUrl))
    ? [
        `  Sign in as  ${demoEmails.owner} / ${demoPassword}`,
        `  Desk       http://localhost:${PORT}${paths.desk()} as ${demoStaffEmail} / ${demoPassword}`,
      ]
    : [];
  return [
    "",
    `  Store      http://localhost:${PORT}`,
    `  Mail       http://127.0.0.1:${SANDBOX_PORT}/inbox`,
    ...demo,
    `  Data       ${DATA_DIR} (logs in ${path.join(DATA_DIR, "logs")})`,
    "  Stop       Ctrl-C",
    "",
  ].join("\n");
}

async function demoUserExists(databaseUrl: string): Promise<boolean> {
  const db = createDb(createPool(databaseUrl, 1, heardElsewhere));
  try {
    const user = await db
      .selectFrom("users")
      .select("id")
      .where("email", "=", demoEmails.owner)
      .executeTakeFirst();
    return user !== undefined;
  } finally {
    await db.destroy();
  }
}
