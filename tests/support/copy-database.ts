/** Copies of the template: each test file has a separate database with real connections. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedChild } from "#sandbox/local/embedded-child.ts";
import { databaseOn, dropDatabase, onServer, type Template } from "./template.ts";

export interface DatabaseCopy {
  url: string;
  /** Replaces it with a fresh copy at the same address and cuts its connections. */
  renew(): Promise<void>;
  destroy(): Promise<void>;
}

/** @param env added to the environment of a database that runs as a separate process */
export async function copyDatabase(
  template: Template,
  env: Record<string, string> = {},
): Promise<DatabaseCopy> {
  return template.kind === "embedded"
    ? copyEmbedded(template.snapshot, env)
    : copyOnServer(template.adminUrl, template.database);
}

/** Starts a copy as a separate process, so that a busy test does not keep other processes from their database. */
async function copyEmbedded(snapshot: string, env: Record<string, string>): Promise<DatabaseCopy> {
  const start = (...args: string[]) =>
    startEmbeddedChild({ args: ["--snapshot", snapshot, ...args], env, onLine: () => undefined });
  let child = start();
  const url = await child.ready;
  return {
    url,
    async renew() {
      await child.kill();
      child = start("--port", new URL(url).port);
      await child.ready;
    },
    destroy: () => child.kill(),
  };
}

async function copyOnServer(adminUrl: string, template: string): Promise<DatabaseCopy> {
  const database = `${template}_${randomBytes(5).toString("hex")}`;
  const create = async () => {
    // PostgreSQL refuses to copy a template while another copy of it is in progress.
    for (let attempt = 1; ; attempt += 1) {
      try {
        await onServer(adminUrl, `create database ${database} template ${template}`);
        break;
      } catch (error) {
        if (attempt === 20) throw error;
        await sleep(100 * Math.random() * attempt);
      }
    }
    // Tests kill processes of the store, never the server, so commits need not wait for the disk.
    await onServer(adminUrl, `alter database ${database} set synchronous_commit = off`);
  };
  const destroy = () => dropDatabase(adminUrl, database);
  await create();
  return {
    url: databaseOn(adminUrl, database),
    async renew() {
      await destroy();
      await create();
    },
    destroy,
  };
}
