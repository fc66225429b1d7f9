/**
 * The template of every test database, created once per run. Embedded: a snapshot file, kept between runs as long as migrations,
 * catalogue and vendors stay the same. PostgreSQL: a template database, dropped at the end with the remaining copies.
 */
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { findTestServer } from "./test-server.mjs";

/** Source of the copies: passed to test processes as plain data. */
export type Template = {
  /** Folder for the files of stacks that use a copy; removed with the template. */
  folder: string;
} & ({ kind: "embedded"; snapshot: string } | { kind: "server"; adminUrl: string; database: string });

const projectFolder = path.resolve(import.meta.dirname, "../..");
const cacheFolder = path.join(projectFolder, ".cache");

/** @param server the address of a PostgreSQL, null for the embedded database; by default the one `findTestServer` finds */
export async function createTemplate(
  server?: string | null,
): Promise<{ template: Template; destroy(): Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), "hubs-"));
  const adminUrl = server === undefined ? await findTestServer() : server;
  const { template, destroy } = await (adminUrl === null
    ? createEmbeddedTemplate(folder)
    : createServerTemplate(adminUrl, folder));
  return {
    template,
    async destroy() {
      await destroy();
      // Processes that are still ending may write into it once more.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

async function createEmbeddedTemplate(folder: string) {
  const snapshot = path.join(cacheFolder, `database-${hashOfSources()}.tar`);
  if (!existsSync(snapshot)) {
    mkdirSync(cacheFolder, { recursive: true });
    for (const old of readdirSync(cacheFolder).filter((name) => name.startsWith("database-"))) {
      // A concurrent run may be about to read it; an older one is useless.
      const file = path.join(cacheFolder, old);
      if (Date.now() - statSync(file).mtimeMs > 3_600_000) rmSync(file, { force: true });
    }
    await prepare("--snapshot", snapshot);
  }
  const template: Template = { folder, kind: "embedded", snapshot };
  return { template, destroy: async () => undefined };
}

async function createServerTemplate(adminUrl: string, folder: string) {
  const database = `hubs_test_${randomBytes(5).toString("hex")}`;
  await onServer(adminUrl, `create database ${database}`);
  const destroy = async () => {
    // Copies have names that begin with the template's.
    const ofThisRun = `select datname from pg_database where starts_with(datname, '${database}')`;
    for (const { datname } of await onServer(adminUrl, ofThisRun)) await dropDatabase(adminUrl, datname);
  };
  try {
    await prepare("--database", databaseOn(adminUrl, database));
  } catch (error) {
    await destroy();
    throw error;
  }
  const template: Template = { folder, kind: "server", adminUrl, database };
  return { template, destroy };
}

/** The address of another database on the same server. */
export function databaseOn(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Cuts open connections. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await onServer(adminUrl, `drop database if exists ${name} with (force)`);
}

/** Runs one or several statements in a separate session. @returns the rows of a single one */
export async function onServer(url: string, statement: string): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ datname: string }>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function prepare(...args: string[]): Promise<void> {
  const script = path.join(projectFolder, "tests/support/prepare-database.ts");
  await promisify(execFile)(process.execPath, ["--import", "tsx", script, ...args], { cwd: projectFolder });
}

function hashOfSources(): string {
  const hash = createHash("sha256");
  for (const file of [
    "migrations",
    "db",
    "server/catalogue/families",
    "sandbox/vendors",
    "tests/support/catalogue",
    "package-lock.json",
  ].flatMap(filesOf)) {
    hash.update(`${file}\0`).update(readFileSync(path.join(projectFolder, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

function filesOf(file: string): string[] {
  const whole = path.join(projectFolder, file);
  if (!statSync(whole).isDirectory()) return [file];
  return readdirSync(whole)
    .sort()
    .flatMap((name) => filesOf(path.join(file, name)));
}
