/**
 * The commands that `npm run build` compiles to JavaScript, so that a process starts in a third of the time tsx takes.
 * Production runs only these, without the development packages. The migrations for `migrate` are built beside them.
 */
import path from "node:path";
import { projectFolder } from "./install.mjs";

export const builtCommands = /** @type {const} */ ([
  "catalogue",
  "consent",
  "migrate",
  "notices",
  "order",
  "reencrypt",
  "sandbox",
  "seed",
  "sync",
  "worker",
  "worker-keeper",
]);
export const builtFolder = path.join(projectFolder, "build/commands");
/** What the web process loads before remix-serve. */
export const builtPreload = path.join(builtFolder, "preload.js");
export const builtMigrationsFolder = path.join(projectFolder, "build/migrations");

/**
 * The arguments with which node runs one of them.
 * @param {typeof builtCommands[number]} command @param {string[]} args @returns {string[]}
 */
export function built(command, ...args) {
  return ["--enable-source-maps", path.join(builtFolder, `${command}.js`), ...args];
}
