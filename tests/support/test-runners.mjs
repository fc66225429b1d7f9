/** Runs each kind of check and returns the passed, failed and skipped tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runProgram } from "./run-program.mjs";
import { readPlaywright, readVitest } from "./verdict.mjs";

/** @typedef {import("./verdict.mjs").Verdict} Verdict */

/** Runs a script of package.json that passes or fails as a whole. @param {string} script @returns {Promise<Verdict>} */
export async function runScript(script) {
  const isGood = (await runProgram("npm", ["run", "--silent", script])) === 0;
  return { passed: isGood ? 1 : 0, failures: isGood ? [] : [`npm run ${script}: see above`], skipped: [] };
}

/** @param {string[]} args options and files of Vitest @param {Record<string, string>} env @returns {Promise<Verdict>} */
export function runVitest(args, env = {}) {
  return reported(async (report) => {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    await runProgram(
      "npx",
      ["vitest", "run", "--config", "tests/vitest.config.ts", ...reporters, ...args],
      env,
    );
    return readVitest(report);
  });
}

/** @param {Record<string, string>} env @returns {Promise<Verdict>} */
export function runPlaywright(env) {
  return reported(async (report) => {
    const args = ["playwright", "test", "--config", "tests/e2e/playwright.config.ts", "--reporter=list,json"];
    await runProgram("npx", args, { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report });
    return readPlaywright(report);
  });
}

/** @param {(report: string) => Promise<Verdict>} run receives the path for the report */
async function reported(run) {
  const folder = mkdtempSync(path.join(tmpdir(), "hubs-test-"));
  try {
    return await run(path.join(folder, "report.json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
