/**
 * `npm test`: types, lint, build, unit, contract, integration and browser tests, from a fresh clone with only Node. `npm test full`,
 * which `.ci/run` runs, adds the fault tests, the matrices and every browser test. The last line is `N passed, N failed`.
 */
import { buildIfNeeded, checkNode, installIfNeeded, projectFolder } from "#sandbox/local/install.mjs";
import { provideChromium } from "./support/chromium.mjs";
import { interrupted, runProgram } from "./support/run-program.mjs";
import { runPlaywright, runScript, runVitest } from "./support/test-runners.mjs";
import { verdictOf } from "./support/verdict.mjs";

checkNode();
process.chdir(projectFolder);
const isFull = process.argv[2] === "full";
process.once("exit", (code) => {
  if (code === interrupted) console.log("The run was interrupted.\n0 passed, 1 failed");
});

try {
  await installIfNeeded();
  // Needs an installed package.
  const { findTestServer, testServerText } = await import("./support/test-server.mjs");
  const server = await findTestServer();
  const chromium = await provideChromium(runProgram, console.log, projectFolder);
  const results = await Promise.all([runScript("typecheck"), runScript("lint")]);
  await buildIfNeeded();
  const projects = ["unit", "contract", "integration", ...(isFull ? ["faults", "long"] : [])];
  const part = isFull ? [] : ["--tags-filter=!full"];
  results.push(await runVitest([...projects.map((name) => `--project=${name}`), ...part]));
  if (isFull && server !== null) {
    // On the database of a newcomer too.
    const hardest = ["tests/faults/kill-anytime.test.ts", "tests/faults/stopped-orders.test.ts"];
    results.push(await runVitest(["--project=faults", ...hardest], { TEST_DATABASE_URL: "embedded" }));
  }
  results.push(
    await runPlaywright({ CHROMIUM_PATH: chromium.path ?? "", E2E_PART: isFull ? "full" : "quick" }),
  );
  const { text, failed } = verdictOf(results, [testServerText(), chromium.said]);
  finish(text, failed === 0 ? 0 : 1);
} catch (error) {
  finish(`${error instanceof Error ? error.message : error}\n0 passed, 1 failed`, 1);
}

/** Prints the last lines and ends the run. @param {string} text @param {number} code */
function finish(text, code) {
  console.log(text);
  process.exit(code);
}
