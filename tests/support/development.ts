/** Runs `npm run dev` for a test: on free ports, with its own data folder and database. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { levelOf } from "#sandbox/local/log-folder.ts";
import { startChild, tsxArguments } from "#server/operations/child-process.ts";
import { freePorts } from "./ports.ts";
import { databaseOn, dropDatabase, onServer } from "./template.ts";
import { testServer } from "./test-server.mjs";

export interface Development {
  /** Address of the store, as a developer opens it. */
  url: string;
  /** Errors that the servers logged, including Vite's. */
  errors(): Promise<string[]>;
  /** Lines that the terminal showed so far. */
  terminal(): readonly string[];
  /** Everything the terminal showed, and the last lines of the store's log, to explain a failed test. */
  report(): Promise<string>;
  /** Files it has written that other users of this machine can read or change, as paths in its data folder. */
  openToOthers(): Promise<string[]>;
  /** Stops it with SIGINT, like Ctrl-C. @throws Error when it had to be killed, or a part of it had already ended */
  stop(): Promise<void>;
}

const error = 50;
const startMs = 120_000;

/** Resolves when the terminal shows the welcome text. Stops everything if it does not appear. */
export async function startDevelopment(): Promise<Development> {
  const [port = 0, sandboxPort = 0, smtpPort = 0] = await freePorts(3);
  const dataDir = await mkdtemp(path.join(tmpdir(), "hubs-dev-"));
  const database = await ownDatabase();
  const said: string[] = [];
  const child = startChild({
    name: "dev",
    args: tsxArguments("sandbox/local/dev.ts"),
    env: {
      ...process.env,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      DATA_DIR: dataDir,
      DATABASE_URL: database?.url,
    },
    onLine: (line) => said.push(line),
  });

  async function stop(): Promise<void> {
    await child.stop(60_000);
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    const isOrderly = said.includes("Stopped.");
    if (!isOrderly || said.some((line) => line.includes("Restarting in"))) throw new Error(reportOf());
  }
  const reportOf = () => `npm run dev did not go well:\n${said.join("\n")}`;

  let hasEnded = false;
  void child.ended.then(() => {
    hasEnded = true;
  });
  const giveUpAt = performance.now() + startMs;
  while (!said.some((line) => line.includes(`http://localhost:${port}`))) {
    if (hasEnded || performance.now() > giveUpAt) {
      await stop().catch(() => undefined);
      throw new Error(reportOf());
    }
    await sleep(100);
  }

  return {
    url: `http://localhost:${port}`,
    errors: () => errorsIn(path.join(dataDir, "logs")),
    terminal: () => said,
    report: async () => {
      const log = await readFile(path.join(dataDir, "logs/web.log"), "utf8").catch(() => "");
      return [...said, ...log.split("\n").slice(-40)].join("\n");
    },
    openToOthers: () => openToOthersIn(dataDir),
    stop,
  };
}

/** Null where tests run on the embedded database: dev starts its own. */
async function ownDatabase(): Promise<{ url: string; drop(): Promise<void> } | null> {
  const adminUrl = testServer();
  if (adminUrl === null) return null;
  const name = `hubs_dev_${randomBytes(5).toString("hex")}`;
  await onServer(adminUrl, `create database ${name}`);
  return { url: databaseOn(adminUrl, name), drop: () => dropDatabase(adminUrl, name) };
}

async function openToOthersIn(folder: string): Promise<string[]> {
  const open: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    // The database removes files during the walk.
    const mode = (await stat(path.join(folder, name)).catch(() => null))?.mode ?? 0;
    // The embedded database sets its own file modes; its folder, which is checked, keeps others out.
    if (name.startsWith(`postgres${path.sep}`)) continue;
    if ((mode & 0o077) !== 0) open.push(name);
  }
  return open;
}

async function errorsIn(logs: string): Promise<string[]> {
  const errors: string[] = [];
  for (const file of await readdir(logs)) {
    const lines = (await readFile(path.join(logs, file), "utf8")).split("\n");
    // Vite logs plain text, not JSON.
    const isError = (line: string) =>
      levelOf(line) >= error || (file === "web.log" && !line.startsWith("{") && /error|failed/i.test(line));
    errors.push(...lines.filter(isError).map((line) => `${file}: ${line}`));
  }
  return errors;
}
