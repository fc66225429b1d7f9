/** Copies of the template: each test file has a database of its own, real connections and all. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedChild } from "#server/commands/embedded-child.ts";
import { databaseOn, onServer, type Template } from "./template.ts";

export interface DatabaseCopy {
  url: string;
  destroy(): Promise<void>;
}

export async function copyDatabase(template: Template): Promise<DatabaseCopy> {
  return template.kind === "embedded"
    ? copyEmbedded(template.snapshot)
    : copyOnServer(template.adminUrl, template.database);
}

/** In a process of its own, so that a test that is busy does not keep other processes from their database. */
async function copyEmbedded(snapshot: string): Promise<DatabaseCopy> {
  const child = startEmbeddedChild({ args: ["--snapshot", snapshot], onLine: () => undefined });
  return { url: await child.ready, destroy: () => child.kill() };
}

async function copyOnServer(adminUrl: string, template: string): Promise<DatabaseCopy> {
  const database = `${template}_${randomBytes(5).toString("hex")}`;
  // PostgreSQL refuses to copy while another copy of the same template is being made.
  for (let attempt = 1; ; attempt += 1) {
    try {
      await onServer(adminUrl, `create database ${database} template ${template}`);
      break;
    } catch (error) {
      if (attempt === 20) throw error;
      await sleep(100 * Math.random() * attempt);
    }
  }
  return {
    url: databaseOn(adminUrl, database),
    destroy: () => onServer(adminUrl, `drop database if exists ${database} with (force)`),
  };
}
