/** Combines the reports of Vitest and Playwright: passed, failed (with reasons) and skipped tests. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";

/**
 * @typedef {{ passed: number, failures: string[], skipped: string[] }} Verdict
 * `failures` name the test and begin its error; `skipped` name tests that did not run
 */

/**
 * Reads the report of `vitest --reporter=json`.
 * @param {string} file
 * @returns {Verdict}
 */
export function readVitest(file) {
  /** @type {{ testResults: { name: string, status: string, message: string, assertionResults: { fullName: string, status: string, failureMessages: string[] }[] }[] } | null} */
  const report = readJson(file);
  if (report === null) return { passed: 0, failures: ["Vitest ended without a report."], skipped: [] };
  /** @type {Verdict} */
  const verdict = { passed: 0, failures: [], skipped: [] };
  for (const { name, status, message, assertionResults } of report.testResults) {
    const of = (/** @type {string} */ wanted) => assertionResults.filter((test) => test.status === wanted);
    const label = path.relative(process.cwd(), name);
    const failed = of("failed");
    verdict.passed += of("passed").length;
    verdict.failures.push(
      ...failed.map((test) => failure(`${label}: ${test.fullName}`, test.failureMessages)),
    );
    // A file that cannot be loaded, or whose set-up fails, has no failed test.
    if (status === "failed" && failed.length === 0) verdict.failures.push(failure(label, [message]));
    verdict.skipped.push(...assertionResults.filter(isSkipped).map((test) => `${label}: ${test.fullName}`));
  }
  return verdict;
}

/** @param {{ status: string }} test */
const isSkipped = ({ status }) => status === "skipped" || status === "pending" || status === "todo";

/**
 * @typedef {{ title: string, file: string, line: number, tests: { projectName: string, status: string, results: { errors: { message?: string }[] }[] }[] }} Spec
 * @typedef {{ suites?: Suite[], specs?: Spec[] }} Suite
 */

/**
 * Reads the report of `playwright --reporter=json`.
 * @param {string} file
 * @returns {Verdict}
 */
export function readPlaywright(file) {
  /** @type {{ suites: Suite[], errors: { message?: string }[] } | null} */
  const report = readJson(file);
  if (report === null) return { passed: 0, failures: ["Playwright ended without a report."], skipped: [] };
  /** @type {Verdict} */
  const verdict = {
    passed: 0,
    // Errors outside of tests: a broken set-up, or errors in the servers' logs at the end.
    failures: report.errors.map(({ message = "" }) => failure("outside of tests", [message])),
    skipped: [],
  };
  for (const { title, file: spec, line, tests } of report.suites.flatMap(specsOf))
    for (const { projectName, status, results } of tests) {
      const label = `${spec}:${line} [${projectName}] ${title}`;
      const messages = results.flatMap(({ errors }) => errors.map(({ message = "" }) => message));
      if (status === "expected") verdict.passed += 1;
      else if (status === "skipped") verdict.skipped.push(label);
      else verdict.failures.push(failure(label, messages));
    }
  return verdict;
}

/**
 * Combines the parts of a run into its last lines: failures, skipped tests, the facts, and the counts.
 * @param {Verdict[]} results
 * @param {string[]} facts
 */
export function verdictOf(results, facts) {
  const failures = results.flatMap((result) => result.failures);
  const skipped = results.flatMap((result) => result.skipped);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const lines = [
    ...(failures.length > 0 ? [`Failed:\n\n${failures.join("\n\n")}\n`] : []),
    ...(skipped.length > 0 ? [`Skipped (${skipped.length}):`, ...skipped.map((name) => `  ${name}`)] : []),
    ...facts,
    `${passed} passed, ${failures.length} failed`,
  ];
  return { text: lines.join("\n"), failed: failures.length };
}

/** @param {Suite} suite @returns {Spec[]} */
function specsOf({ suites = [], specs = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** @param {string} file */
function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

/** @param {string} name @param {string[]} messages the first is shown, without colours */
function failure(name, [message = ""]) {
  const lines = stripVTControlCharacters(message).trim().split("\n").slice(0, 12);
  return [name, ...lines.map((line) => `    ${line.slice(0, 300)}`)].join("\n");
}
