/**
 * Commands that `npm run build` compiles to JavaScript, so that a process starts in a third of the time that tsx takes.
 * Production runs only these, without the development packages. The migrations for `migrate` are built next to them.
 */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** Two folders up, both in the sources and in the build. */
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
/** Module that the web process loads before remix-serve. */
export const builtPreload = path.join(builtFolder, "preload.js");
export const builtMigrationsFolder = path.join(projectFolder, "build/migrations");

/**
 * Lists the names of this build's migrations; without a build, those of the sources.
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
 * Returns the node arguments that run one of them.
 * @param {typeof builtCommands[number]} command @param {string[]} args @returns {string[]}
 */
export function builtCommandArguments(command, ...args) {
  return ["--enable-source-maps", path.join(builtFolder, `${command}.js`), ...args];
}
