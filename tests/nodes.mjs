/**
 * `npm run test:nodes [-- VERSION …]`: shows that the store runs on every supported Node. Takes each version from the npm registry; with it
 * the store is built, the unit tests run, and orders are placed, paid and fulfilled. The last line is `N passed, N failed`.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { installIfNeeded, projectFolder } from "#sandbox/local/install.mjs";
import { runProgram } from "./support/run-program.mjs";
import { runVitest } from "./support/test-runners.mjs";
import { verdictOf } from "./support/verdict.mjs";

const supported = ["20.19", "22", "24", "26"];
const purchases = ["--project=integration", "tests/integration/app/calls/purchase.test.ts"];

process.chdir(projectFolder);
await installIfNeeded();
const named = process.argv.slice(2);
/** @type {import("./support/verdict.mjs").Verdict[]} */
const results = [];
for (const version of named.length > 0 ? named : supported) results.push(await verdictWith(version));
const { text, failed } = verdictOf(results, [`Node: ${(named.length > 0 ? named : supported).join(", ")}.`]);
console.log(text);
process.exit(failed === 0 ? 0 : 1);

/** @param {string} version @returns {Promise<import("./support/verdict.mjs").Verdict>} */
async function verdictWith(version) {
  const { PATH = "" } = process.env;
  const env = { PATH: `${await folderOf(version)}${path.delimiter}${PATH}` };
  console.log(`Node ${version}:`);
  if ((await runProgram("npm", ["run", "--silent", "build"], env)) !== 0)
    return { passed: 0, failures: [`Node ${version}: the build`], skipped: [] };
  const verdicts = [await runVitest(["--project=unit"], env), await runVitest(purchases, env)];
  return {
    passed: verdicts.reduce((sum, { passed }) => sum + passed, 0),
    failures: verdicts.flatMap(({ failures }) => failures.map((each) => `Node ${version}: ${each}`)),
    skipped: verdicts.flatMap(({ skipped }) => skipped.map((each) => `Node ${version}: ${each}`)),
  };
}

/** Installs a version of Node outside the project's packages. @param {string} version @returns {Promise<string>} the folder of `node` */
async function folderOf(version) {
  const folder = path.join(projectFolder, ".cache/nodes", version);
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const bin = path.join(folder, "node_modules", name, "bin");
  if (!existsSync(path.join(bin, "node")))
    await runProgram("npm", ["install", "--silent", "--no-save", "--prefix", folder, `${name}@${version}`]);
  return bin;
}
