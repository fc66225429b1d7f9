/** The whole product on one machine: database, sandbox, web and worker as child processes, ended together and in order. */
import { chmodSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { createDb, createPool } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { built, type builtCommands } from "./built.mjs";
import { type Child, type ChildOptions, keepRunning, program, startChild, succeeds } from "./children.ts";
import { demoEmails, demoPassword } from "./demo-login.ts";
import { startEmbeddedChild } from "./embedded-child.ts";
import { openLogFolder } from "./log-folder.ts";
import { demandFreePort } from "./ports.ts";
import { keepSecrets, sandboxEnvironment } from "./sandbox-environment.ts";
import { devWebArguments, webArguments } from "./web-arguments.ts";

const port = z.coerce.number().int().min(1).max(65_535);
const settingsSchema = z.object({
  PORT: port.default(3000),
  SANDBOX_PORT: port.default(3100),
  SANDBOX_SMTP_PORT: port.optional(),
  /** The embedded database's; any free one unless given. */
  DATABASE_PORT: port.optional(),
  DATABASE_URL: z.string().optional(),
  DATA_DIR: z.string().default(".data"),
});
type Settings = z.infer<typeof settingsSchema>;

type Mode = "start" | "dev";
/** A lost connection shows in the query that was under way, and the database's own end in its process. */
const heardElsewhere = () => undefined;

/**
 * Runs until Ctrl-C or SIGTERM, or until a part is gone that cannot simply be started again. Sets the exit code.
 * @param mode "start" serves the build; "dev" compiles pages as they are asked for
 */
export async function runStack(mode: Mode): Promise<void> {
  const stack = new Stack();
  // Kept for good: npm passes on what the terminal has sent already, and a second signal must not cut the end short.
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
  console.log("Everything has stopped.");
}

/** A signal sent to npm alone ends npm and its shell and never arrives here: that they are gone must do. */
function endWithNpm(stack: Stack): NodeJS.Timeout | undefined {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) stack.end("npm has ended");
  }, 500);
}

/** What runs, in the order it was started, and the end of it all. */
class Stack {
  /** Resolves when the end was asked for, rejects when a part that the others need is gone. */
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
    if (!this.#ended) console.log(`\nEnding: ${reason}.`);
    this.#ended = true;
    this.#end();
  }

  /** Starts a part unless the end has come; it is stopped before all parts that were started earlier. */
  start<Part extends { stop(): Promise<void> }>(start: () => Part): Part {
    if (this.#ended) throw new Error("The start was broken off.");
    const part = start();
    this.#running.push(part);
    return part;
  }

  /** Ends everything when this process ends. */
  need(child: Child): void {
    void child.ended.then((how) => {
      this.#end(new Error(`The ${child.name} ended unexpectedly (${how}), and nothing works without it.`));
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

  // Database, mail and logs are this user's alone: the embedded database gives its files every right there is.
  process.umask(0o077);
  const secrets = keepSecrets(DATA_DIR);
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
      ...(mode === "dev" ? { NODE_ENV: "development" as const } : {}),
    },
    onLine,
  });

  const commandOf = (name: (typeof builtCommands)[number], ...args: string[]) =>
    mode === "dev" ? program(`server/commands/${name}.ts`, ...args) : built(name, ...args);

  const database = settings.DATABASE_URL ?? startDatabase(stack, settings, onLine);
  // The outside world has no business in the store's database, and so need not wait for it.
  const sandbox = stack.start(() => startChild(part("sandbox", commandOf("sandbox"), "")));
  const databaseUrl = await database;
  await migrateTo(databaseUrl);

  const sandboxUrl = `http://127.0.0.1:${SANDBOX_PORT}`;
  const seed = part("seed", commandOf("seed", "--demo", sandboxUrl), databaseUrl);
  const worker = part("worker", commandOf("worker"), databaseUrl);
  const web = part("web", mode === "dev" ? devWebArguments(PORT) : webArguments(), databaseUrl);
  // Web and worker may die without taking the others along: they keep nothing, and orders wait in the database.
  const again = (name: string) => (how: string, inMs: number) =>
    console.error(`The ${name} ended (${how}); it starts again in ${inMs} ms.`);
  stack.need(sandbox);
  stack.start(() => keepRunning(worker, again("worker")));
  stack.start(() => keepRunning(web, again("web server")));
  // The seed tells the sandbox of the demo company, and so waits for it.
  const seeded = answers(`${sandboxUrl}/health`, "sandbox").then(() =>
    succeeds(stack.start(() => startChild(seed))),
  );
  await Promise.all([seeded, answers(`http://localhost:${PORT}/health`, "store")]);
  console.log(await welcome(settings, databaseUrl));
}

function readSettings(): Settings {
  const settings = settingsSchema.safeParse(process.env);
  if (!settings.success) throw new Error(`The settings are not right:\n${z.prettifyError(settings.error)}`);
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

/** Waits until something answers there, whatever it says. */
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
  throw new Error(`The ${name} did not answer at ${url} within a minute.`);
}

async function welcome({ PORT, SANDBOX_PORT, DATA_DIR }: Settings, databaseUrl: string): Promise<string> {
  const demo = (await demoUserExists(databaseUrl))
    ? [`  Log in as  ${demoEmails.owner} / ${demoPassword}`]
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
