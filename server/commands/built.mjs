/**
 * The commands that `npm run build` makes JavaScript of, so that a process is ready in a third of the time that tsx takes.
 * Production runs these alone, without the development packages. What `migrate` runs is built beside them.
 */
import path from "node:path";
import { projectFolder } from "./install.mjs";

export const builtCommands = /** @type {const} */ ([
  "migrate",
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
 * The arguments for node to run one of them.
 * @param {typeof builtCommands[number]} command @param {string[]} args @returns {string[]}
 */
export function built(command, ...args) {
  return ["--enable-source-maps", path.join(builtFolder, `${command}.js`), ...args];
}
