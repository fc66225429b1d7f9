/**
 * `npm run test:repeat -- 5 [busy] [full]`: runs `npm test` five times and prints how each ended and after how long; `busy` keeps two
 * cores busy meanwhile, `full` runs what `.ci/run` runs. Results are stored per commit, so an interrupted series continues.
 */
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectFolder } from "#sandbox/local/install.mjs";

const [count = "5", ...options] = process.argv.slice(2);
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
  cwd: projectFolder,
  encoding: "utf8",
}).trim();
const file = path.join(projectFolder, ".cache", ["repeat", commit, ...options.toSorted()].join("-"));
mkdirSync(path.dirname(file), { recursive: true });

const results = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
while (results().length < Number(count)) {
  const load = options.includes("busy") ? [1, 2].map(() => spawn(process.execPath, ["-e", "for (;;);"])) : [];
  const startedAt = performance.now();
  const [code, last] = await runTests(options.includes("full") ? ["full"] : []);
  for (const each of load) each.kill("SIGKILL");
  // An interrupted run does not count.
  if (code === null || last.startsWith("0 passed, 1 failed")) process.exit(1);
  appendFileSync(file, `${last} in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n`);
}
console.log(results().join("\n"));
process.exit(results().every((line) => line.includes(" 0 failed")) ? 0 : 1);

/** @param {string[]} args @returns {Promise<[code: number | null, last: string]>} the exit code and the last line */
function runTests(args) {
  const child = spawn(process.execPath, [path.join(projectFolder, "tests/verify.mjs"), ...args], {
    stdio: ["inherit", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (part) => {
    process.stdout.write(part);
    text = `${text}${part}`.slice(-2_000);
  });
  return new Promise((resolve) =>
    child.once("close", (code) => resolve([code, text.trim().split("\n").at(-1) ?? ""])),
  );
}
