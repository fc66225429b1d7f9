/**
 * The commands that `npm run build` compiles to JavaScript, so that a process starts in a third of the time tsx takes.
 * Production runs only these, without the development packages. The migrations for `migrate` are built beside them.
 */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** In the sources and in the build alike, two folders up. */
export const projectFolder = path.resolve(import.meta.dirname, "../..");

export const builtCommands = /** @type {const} */ ([
  "cancellation",
  "catalogue",
  "consent",
  "documents",
  "gstr1",
  "mail",
  "migrate",
  "webhooks",
  "order",
  "prices",
  "preflight",
  "reconcile",
  "reencrypt",
  "refund",
  "after-restore",
  "seed",
  "staff",
  "sync",
  "tenants",
  "worker",
  "worker-supervisor",
]);
export const builtFolder = path.join(projectFolder, "build/commands");
/** What the web process loads before remix-serve. */
export const builtPreload = path.join(builtFolder, "preload.js");
export const builtMigrationsFolder = path.join(projectFolder, "build/migrations");

/**
 * The names of this build's migrations; of the sources', where nothing is built.
 * @returns {string[]}
 */
export function migrationNames() {
  const folder = [builtMigrationsFolder, path.join(projectFolder, "migrations")].find((each) =>
    existsSync(each),
  );
  const files = folder === undefined ? [] : readdirSync(folder);
  return files.flatMap((file) => /^(\d{4}-.+)\.(?:js|ts)$/.exec(file)?.[1] ?? []);
}

/**
 * The arguments with which node runs one of them.
 * @param {typeof builtCommands[number]} command @param {string[]} args @returns {string[]}
 */
export function builtCommandArguments(command, ...args) {
  return ["--enable-source-maps", path.join(builtFolder, `${command}.js`), ...args];
}
