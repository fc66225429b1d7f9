/**
 * `npm start`: from a fresh clone, with only Node, to a running store. Installs and builds what is missing, then runs
 * start-stack.ts in this same process, so that there is only one process to stop.
 */
import { buildIfNeeded, checkNode, installIfNeeded, projectFolder } from "./install.mjs";

checkNode();
process.chdir(projectFolder);
try {
  await installIfNeeded();
  await buildIfNeeded();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const { register } = await import("tsx/esm/api");
register();
await import("./start-stack.ts");
