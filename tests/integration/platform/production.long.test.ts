/**
 * Production contains what the image of docs/operate/reference-deployment contains: the build and the packages of
 * `npm prune --omit=dev`, and nothing else of this project: no TypeScript, no embedded database, no sandbox. The test runs the
 * Dockerfile's build on the files that its context allows, copies the image's files into a folder, migrates and seeds an empty
 * database, and starts web and worker there.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedChild, startEmbeddedChild } from "#sandbox/local/embedded-child.ts";
import { createSecrets, sandboxEnvironment } from "#sandbox/local/environment.ts";
import { projectFolder } from "#server/operations/built-commands.mjs";
import { freePorts } from "#tests/support/ports.ts";
import { buildContext, filesOfImage } from "#tests/support/reference-deployment.ts";
import { until } from "#tests/support/until.ts";

const timeLimit = 300_000;
const sources = mkdtempSync(path.join(tmpdir(), "hubs-sources-"));
const folder = mkdtempSync(path.join(tmpdir(), "hubs-production-"));
const started: { pid: number | undefined; code: Promise<number> }[] = [];
let database: EmbeddedChild;
let env: NodeJS.ProcessEnv;
let url: string;

beforeAll(async () => {
  for (const part of buildContext().taken)
    cpSync(path.join(projectFolder, part), path.join(sources, part), { recursive: true });
  // Replaces `npm ci`.
  symlinkSync(path.join(projectFolder, "node_modules"), path.join(sources, "node_modules"), "dir");
  await promisify(execFile)("npm", ["run", "build"], {
    cwd: sources,
    env: { ...process.env, NODE_ENV: "production", VITEST: undefined },
  });
  for (const part of filesOfImage().filter((name) => name !== "node_modules"))
    cpSync(path.join(sources, part), path.join(folder, part), { recursive: true });
  for (const name of await productionPackages()) linkPackage(name);

  database = startEmbeddedChild({ args: [], onLine: () => undefined });
  const [port = 0, sandboxPort = 0, smtpPort = 0] = await freePorts(3);
  url = `http://localhost:${port}`;
  env = {
    ...process.env,
    ...sandboxEnvironment({
      port,
      sandboxPort,
      smtpPort,
      databaseUrl: await database.ready,
      dataDir: folder,
      secrets: createSecrets(),
    }),
    NODE_ENV: "production",
    NODE_PATH: undefined,
    VITEST: undefined,
  };
}, timeLimit);
afterAll(async () => {
  for (const { pid, code } of started) {
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    await code;
  }
  await database?.kill();
  for (const made of [sources, folder]) rmSync(made, { recursive: true, force: true });
}, timeLimit);

test("runs the built store with production packages only", async () => {
  expect(await ended("migrate")).toMatch(/^Ran \d+: 2026-11-20T01-accounts, /m);
  expect(await ended("migrate")).toContain("Already up to date.");
  await ended("seed");

  const web = begin("serve");
  const worker = begin("worker");
  await until("the store responds", () => answers(`${url}/health`));
  await until("the worker is ready", () => worker.lines.some((line) => line.includes("is ready"))).catch(
    (error: unknown) => {
      throw new Error(worker.lines.join("\n"), { cause: error });
    },
  );
  const home = await (await fetch(url)).text();
  expect(home).toContain("Microsoft 365 Business Basic");
  expect([...web.lines, ...worker.lines].filter((line) => line.includes('"level":50'))).toEqual([]);
});

/** Lists the paths at which npm would install production packages, including nested "node_modules/a/node_modules/b". */
async function productionPackages(): Promise<string[]> {
  const { stdout } = await promisify(execFile)("npm", ["ls", "--omit=dev", "--all", "--parseable"], {
    cwd: projectFolder,
  });
  const names = stdout
    .split("\n")
    .map((line) => path.relative(projectFolder, line.trim()))
    .filter((name) => name.startsWith("node_modules/"));
  expect(names).toContain("node_modules/pg");
  expect(names).not.toContain("node_modules/msw");
  return [...new Set(names)];
}

/** Hard-links a package's own files; packages nested in it have their own entries in the list. */
function linkPackage(name: string): void {
  const from = path.join(projectFolder, name);
  const to = path.join(folder, name);
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from)) {
    if (entry === "node_modules") continue;
    if (lstatSync(path.join(from, entry)).isDirectory()) linkPackage(path.join(name, entry));
    else linkSync(path.join(from, entry), path.join(to, entry));
  }
}

/** Runs `npm run` in a separate process group, because npm does not forward SIGKILL. */
function begin(script: string) {
  const lines: string[] = [];
  const child = spawn("npm", ["run", "--silent", script], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => lines.push(line));
  const code = once(child, "close").then(([status]) => Number(status));
  started.push({ pid: child.pid, code });
  return { lines, code };
}

/** Runs a command that ends by itself. @returns its output */
async function ended(script: string): Promise<string> {
  const { lines, code } = begin(script);
  expect(await code, lines.join("\n")).toBe(0);
  return lines.join("\n");
}

async function answers(address: string): Promise<boolean> {
  return fetch(address).then(
    ({ status }) => status === 200,
    () => false,
  );
}
