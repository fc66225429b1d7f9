/**
 * `npm run test:mutations -- SUITE [NAME]`: shows that the tests of a suite find deliberate bugs (mutations). Each diff of
 * `tests/mutations/SUITE` makes one in a copy of the tree. The tests that its first line names, else the suite's, run on the copy and must
 * fail. Tests that start the store build it first. Ends with `N found, N missed`, and with exit code 1 when one was missed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectFolder } from "#sandbox/local/install.mjs";

const [suite = "", wanted = ""] = process.argv.slice(2);
const here = path.join(projectFolder, "tests/mutations");
/** @type {Record<string, string[]>} the arguments of Vitest for each suite */
const suites = JSON.parse(readFileSync(path.join(here, "suites.json"), "utf8"));
const tests = suites[suite];
if (tests === undefined) {
  console.error(`There is no suite "${suite}". There are: ${Object.keys(suites).join(", ")}.`);
  process.exit(1);
}

const copy = mkdtempSync(path.join(tmpdir(), "hubs-mutations-"));
process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
execFileSync("git", ["clone", "--quiet", "--shared", projectFolder, copy]);
symlinkSync(path.join(projectFolder, "node_modules"), path.join(copy, "node_modules"));
const git = (/** @type {string[]} */ ...args) =>
  execFileSync("git", args, { cwd: copy, stdio: ["ignore", "pipe", "inherit"] });

const diffs = readdirSync(path.join(here, suite)).filter(
  (name) => name.endsWith(".diff") && name.includes(wanted),
);
/** The arguments of Vitest for a diff, joined by spaces. `git apply` ignores the line that names them. */
const testsFor = (/** @type {string} */ name) =>
  /^# tests: (.+)\n/.exec(readFileSync(path.join(here, suite, name), "utf8"))?.[1] ?? tests.join(" ");
for (const each of new Set(diffs.map(testsFor)))
  if (!pass(each)) {
    console.error(`These fail without a fault. Commit what belongs to them, or fix it first: ${each}`);
    process.exit(1);
  }
const missed = diffs.filter((name) => {
  git("apply", "-C1", "--recount", path.join(here, suite, name));
  const isMissed = pass(testsFor(name));
  git("checkout", "--quiet", ".");
  console.log(`${isMissed ? "MISSED" : "found "} ${name}`);
  return isMissed;
});
console.log(`${diffs.length - missed.length} found, ${missed.length} missed`);
process.exit(missed.length === 0 ? 0 : 1);

/** @param {string} of arguments of Vitest, joined by spaces */
function pass(of) {
  const args = [
    "vitest",
    "run",
    "--config",
    "tests/vitest.config.ts",
    "--bail=1",
    "--reporter=dot",
    ...of.split(" "),
  ];
  return spawnSync("npx", args, { cwd: copy, stdio: "ignore" }).status === 0;
}
