/**
 * `npm test`: types, lint, unit, contract, integration, fault and browser tests, from a fresh clone with only Node. With `long`
 * (`npm run test:long`), the matrices that take longer than a person waits: a kill at each provider call, thousands of forms,
 * journeys by keyboard. With `drill` (`npm run drill`), the longest proofs, all or those that are named: each file of tests/drill
 * ending in `.drill.ts`, and `browser`, every journey with scripts and a pointer. `.ci/run` asks for the first two.
 * The last line is the verdict; the drills' own stand just before it.
 *
 * Plain JavaScript without a dependency at the top, since none may be installed yet.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { buildIfNeeded, checkNode, installIfNeeded, projectFolder } from "../server/commands/install.mjs";
import { provideChromium } from "./support/chromium.mjs";

const asked = process.argv.slice(2);
const parts = asked[0] === "drill" ? ["drill"] : asked;
if (parts.length === 0) parts.push("quick");

checkNode();
process.chdir(projectFolder);
const drillFile = (/** @type {string} */ name) => `tests/drill/${name}.drill.ts`;
const drills = parts.includes("drill") ? drillsAskedFor(asked.slice(1)) : [];
try {
  await installIfNeeded();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log("0 passed, 1 failed");
  process.exit(1);
}

const bin = (/** @type {string} */ name) => path.join(projectFolder, "node_modules/.bin", name);
const scratch = mkdtempSync(path.join(tmpdir(), "hubs-test-"));
/** @type {{ phase: string, passed: number, failed: number, seconds: number }[]} */
const results = [];
/** What failed, with the first lines of why: said again at the end, where it is looked for. @type {string[]} */
const failures = [];
/** What failed and then passed, told in the same way: a stall of the machine, or a fault that is rare. @type {string[]} */
const secondTries = [];
/** A line for each drill. @type {string[]} */
const verdicts = [];
const startedAt = performance.now();
/** By itself Vitest would use one core of two, and test files spend much of their time waiting. */
const inPairs = ["--maxWorkers=2"];
/** Whoever has credentials of vendors' test environments uses them with `npm run contract`. */
const againstSandbox = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => name.startsWith("CONTRACT_"))
    .map((name) => [name, ""]),
);
/** The commands that are running, to be ended with this one. @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    for (const child of running) child.kill("SIGTERM");
    finish("interrupted");
  });
}

/** Fault tests that are hardest on the database: processes killed at any moment, and whatever may hold an order up. */
const onEmbedded = ["tests/faults/kill-anytime.test.ts", "tests/faults/stopped-orders.test.ts"];

let reports = 0;

/** What fixtures.ts of the browser tests says when a page reported an error. */
const pageErrors = "errors in the browser's console";

/** More broken files than these are no stall of the machine: see `vitest`. */
const mostTriedAgain = 3;

// Type checking keeps one core busy, and no later phase depends on it.
const types = parts.includes("quick") ? check("types", () => npmRun("typecheck")) : undefined;
if (parts.includes("quick")) await check("lint", () => npmRun("lint"));
const built = await check("build", buildIfNeeded);
const database = await databaseOfRun();
if (parts.includes("quick")) await quick();
else if (parts.includes("long")) await longTests();
if (parts.includes("long")) await longJourneys();
if (parts.includes("drill")) await drill();
finish();

/**
 * Run side by side, since each phase alone leaves the cores idle for almost half of its time: the long tests too, where they are asked
 * for, behind the shorter ones. Browsers need both cores.
 */
async function quick() {
  await Promise.all([
    types,
    vitest("unit")
      .then(() => vitest("contract", { env: againstSandbox }))
      .then(() => vitest("integration", { env: database })),
    faultsAndLong(),
  ]);
  if (built) await browser("quick");
  else skip("browser", "there is no build");
}

async function faultsAndLong() {
  if (built) await faults();
  else skip("faults", "there is no build");
  if (parts.includes("long")) await longTests();
}

/** On the database of all others; where that is a PostgreSQL, some on the embedded one too, so that one run shows both. */
async function faults() {
  await vitest("faults", { env: database });
  if (database.TEST_DATABASE_URL === undefined) return;
  await vitest("faults", { phase: "faults, embedded", files: onEmbedded });
}

async function longTests() {
  if (built) await vitest("long", { env: database });
  else skip("long", "there is no build");
}

async function longJourneys() {
  if (built) await browser("long");
  else skip("browser, long", "there is no build");
}

/** One after the other, each alone on the machine: they measure, and each loads it by itself. */
async function drill() {
  if (!built) return skip("drill", "there is no build");
  for (const name of drills) {
    if (name === "browser") {
      const { passed, failed } = await browser("drill");
      verdicts.push(`browser: ${passed} journeys passed, ${failed} failed`);
    } else await oneDrill(name);
  }
}

/** Without a second try: what is lost once in a hundred times is lost. @param {string} name */
async function oneDrill(name) {
  const verdict = path.join(scratch, `${name}.verdict`);
  const { failed } = await timed(`drill ${name}`, async () => {
    const env = { ...database, DRILL_VERDICT: verdict };
    const { files, status } = await vitestOnce("drill", [drillFile(name)], env);
    for (const file of files) if (file.status === "failed") tellFile(`drill ${name}`, file);
    return counted(`drill ${name}`, sumOf(files, "passed"), failuresIn(files), status);
  });
  const said = existsSync(verdict)
    ? readFileSync(verdict, "utf8").trim()
    : `${name}: it did not come to a verdict`;
  verdicts.push(failed === 0 ? said : `${said} (failed)`);
}

/**
 * The drills of these names; all when none is given. Ends the process when one does not exist.
 * @param {string[]} names
 */
function drillsAskedFor(names) {
  const ending = ".drill.ts";
  const files = readdirSync("tests/drill").filter((file) => file.endsWith(ending));
  const all = [...files.map((file) => file.slice(0, -ending.length)).sort(), "browser"];
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length === 0) return names.length === 0 ? all : names;
  console.error(`There is no drill ${unknown.join(", ")}. There are: ${all.join(", ")}.`);
  process.exit(1);
}

/** Work that passes or fails as a whole. @param {string} phase @param {() => Promise<void>} work */
async function check(phase, work) {
  const { failed } = await timed(phase, async () => {
    try {
      await work();
      return { passed: 1, failed: 0 };
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      return { passed: 0, failed: 1 };
    }
  });
  return failed === 0;
}

/** @param {string} script */
async function npmRun(script) {
  if ((await run("npm", ["run", "--silent", script])) !== 0)
    throw new Error(`npm run ${script} did not succeed.`);
}

/**
 * One phase of Vitest. Like a browser test, a file that failed gets a second try, alone on the machine as far as the phase goes:
 * these tests kill and hang real processes, and a machine that stalls breaks one of thousands. Who passes only then is named.
 * @param {string} project
 * @param {{ env?: Record<string, string>, files?: string[], phase?: string }} options `files` of the project, all without
 */
async function vitest(project, { env = {}, files: asked = [], phase = project } = {}) {
  await timed(phase, async () => {
    const first = await vitestOnce(project, asked, env);
    const broken = first.files.filter(({ status }) => status === "failed");
    if (broken.length === 0 || broken.length > mostTriedAgain) {
      for (const file of broken) tellFile(project, file);
      return counted(phase, sumOf(first.files, "passed"), failuresIn(first.files), first.status);
    }
    for (const file of broken) console.error(`${project}: ${toldFile(project, file)}\nIt gets a second try.`);
    const second = await vitestOnce(
      project,
      broken.map(({ name }) => name),
      env,
    );
    for (const file of second.files) {
      const before = broken.find(({ name }) => name === file.name);
      if (file.status === "failed") tellFile(project, file);
      else if (before !== undefined) secondTries.push(toldFile(project, before));
    }
    const files = [...first.files.filter(({ status }) => status !== "failed"), ...second.files];
    // A file that the second try did not even name has not passed.
    const missing = Math.max(0, broken.length - second.files.length);
    return counted(phase, sumOf(files, "passed"), failuresIn(files) + missing, second.status);
  });
}

/**
 * @typedef {{ fullName: string, status: string, failureMessages: string[] }} TestResult
 * @typedef {{ name: string, status: string, message: string, assertionResults: TestResult[] }} FileResult
 * @param {string} project @param {string[]} files none for all
 * @param {Record<string, string>} env
 * @returns {Promise<{ files: FileResult[], status: number }>}
 */
async function vitestOnce(project, files, env) {
  reports += 1;
  const report = path.join(scratch, `${project}-${reports}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = [
    "run",
    "--config",
    "remix.config.js",
    "--project",
    project,
    ...inPairs,
    ...reporters,
    ...files,
  ];
  const status = await run(bin("vitest"), args, env, project);
  return { files: readReport(report)?.testResults ?? [], status };
}

/** @param {FileResult[]} files @param {"passed" | "failed"} status */
function sumOf(files, status) {
  return files.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status)
    .length;
}

/** A file that could not even be loaded, or whose set-up failed, has no failed test of its own. @param {FileResult[]} files */
function failuresIn(files) {
  const broken = files.filter((file) => file.status === "failed" && sumOf([file], "failed") === 0);
  return sumOf(files, "failed") + broken.length;
}

/** @param {string} project @param {FileResult} file */
function tellFile(project, file) {
  failures.push(toldFile(project, file));
}

/** @param {string} project @param {FileResult} result */
function toldFile(project, { name, message, assertionResults }) {
  const file = path.relative(projectFolder, name);
  const failed = assertionResults.filter(({ status }) => status === "failed");
  if (failed.length === 0) return failureText(project, file, [message]);
  return failed
    .map(({ fullName, failureMessages }) => failureText(project, `${file}: ${fullName}`, failureMessages))
    .join("\n\n");
}

/** @param {"quick" | "long" | "drill"} part which tests: see tests/e2e/playwright.config.ts */
async function browser(part) {
  const phase = part === "quick" ? "browser" : `browser, ${part}`;
  const report = path.join(scratch, `browser-${part}.json`);
  return timed(phase, async () => {
    const chromium = await provideChromium(run, console.log, projectFolder);
    console.log(chromium.said);
    if (chromium.path === null) return { passed: 0, failed: 1 };
    const args = ["test", "--config", "tests/e2e/playwright.config.ts", "--reporter=list,json"];
    const env = {
      ...database,
      CHROMIUM_PATH: chromium.path,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      E2E_PART: part,
    };
    const status = await run(bin("playwright"), args, env);
    const { stats, errors = [], suites = [] } = readReport(report) ?? {};
    for (const error of errors) failures.push(failureText(phase, "outside of tests", [error.message ?? ""]));
    const { failed, flaky } = triedTests(phase, suites);
    failures.push(...failed);
    // A second try is for a browser that stalled. An error that a page reported was one, whatever the next try did.
    const reported = flaky.filter((told) => told.includes(pageErrors));
    failures.push(...reported);
    secondTries.push(...flaky.filter((told) => !told.includes(pageErrors)));
    return counted(
      phase,
      (stats?.expected ?? 0) + flaky.length,
      // Errors outside of tests: a broken set-up, or errors in the servers' logs at the end.
      failed.length + errors.length + reported.length,
      status,
    );
  });
}

/**
 * On a PostgreSQL, when the caller asks for it and one answers: tests run on it, which is faster, and some of the fault tests on the
 * embedded database too, so that one run shows both.
 * @returns {Promise<Record<string, string>>} what to add to the environment
 */
async function databaseOfRun() {
  if (process.env.TEST_DATABASE_URL) {
    console.log("\nAll tests run on TEST_DATABASE_URL, and not on the embedded database.");
    return {};
  }
  if (process.env.CI_POSTGRES !== "1") return {};
  const url = await findPostgres();
  if (url === null) {
    console.log("\nNo PostgreSQL answers at 127.0.0.1:5432: all tests run on the embedded database.");
    return {};
  }
  console.log(
    "\nA PostgreSQL answers at 127.0.0.1:5432: tests run on it, and some fault tests on the embedded database too.",
  );
  return { TEST_DATABASE_URL: url };
}

/** @returns {Promise<string | null>} */
async function findPostgres() {
  const { default: pg } = await import("pg");
  for (const user of ["root", "postgres"]) {
    const connectionString = `postgres://${user}@127.0.0.1:5432/postgres`;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000 });
    try {
      await client.connect();
      const { rows } = await client.query(
        "select 1 from pg_roles where rolname = current_user and (rolcreatedb or rolsuper)",
      );
      if (rows.length === 1) return connectionString;
    } catch {
      // Not this user, or nobody there at all.
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return null;
}

/**
 * A phase without a test has not passed, and one whose command failed has a failure even if no test has.
 * @param {string} phase @param {number} passed @param {number} failed @param {number} status
 */
function counted(phase, passed, failed, status) {
  if (failed > 0 || (status === 0 && passed > 0)) return { passed, failed };
  const why = passed === 0 ? "No test ran." : `Its command ended with ${status}, though no test failed.`;
  failures.push(failureText(phase, "as a whole", [why]));
  return { passed, failed: 1 };
}

/** @param {string} phase @param {() => Promise<{ passed: number, failed: number }>} work */
async function timed(phase, work) {
  console.log(`\n== ${phase}`);
  const begun = performance.now();
  const { passed, failed } = await work();
  const seconds = (performance.now() - begun) / 1000;
  results.push({ phase, passed, failed, seconds });
  console.log(`== ${phase}: ${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s`);
  return { passed, failed };
}

/** @param {string} phase @param {string} reason */
function skip(phase, reason) {
  console.error(`\n== ${phase}: not run, since ${reason}`);
  results.push({ phase, passed: 0, failed: 1, seconds: 0 });
}

/**
 * @param {string} command @param {string[]} args @param {Record<string, string>} env
 * @param {string} [name] set before each line of what the command says, for those that run side by side
 * @returns {Promise<number>}
 */
function run(command, args, env = {}, name = undefined) {
  return new Promise((resolve) => {
    const stdio = name === undefined ? "inherit" : "pipe";
    const child = spawn(command, args, { stdio, env: { ...process.env, ...env } });
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null)
        createInterface({ input: stream }).on("line", (line) => console.log(`${name}: ${line}`));
    running.add(child);
    const end = (/** @type {number} */ code) => {
      running.delete(child);
      resolve(code);
    };
    child.once("error", (error) => {
      console.error(`${command}: ${error.message}`);
      end(1);
    });
    child.once("close", (code) => end(code ?? 1));
  });
}

/** @param {string} file */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/**
 * @param {string} phase @param {string} name
 * @param {string[]} messages of all tries; the first is told, without what a terminal would colour
 */
function failureText(phase, name, [message = ""]) {
  const lines = stripVTControlCharacters(message).trim().split("\n").slice(0, 12);
  return [`${phase}: ${name}`, ...lines.map((line) => `    ${line.slice(0, 300)}`)].join("\n");
}

/**
 * @typedef {{ title: string, file: string, line: number, tests: { projectName: string, status: string, results: { errors: { message?: string }[] }[] }[] }} Spec
 * @typedef {{ suites?: Suite[], specs?: Spec[] }} Suite
 * @param {string} phase @param {Suite[]} suites
 * @returns {{ failed: string[], flaky: string[] }} the tests that failed, and those that passed at the second try: each with
 *   what a page reported as an error, or else with why the last try failed
 */
function triedTests(phase, suites) {
  /** @type {{ failed: string[], flaky: string[] }} */
  const told = { failed: [], flaky: [] };
  for (const { suites: inner = [], specs = [] } of suites) {
    const { failed, flaky } = triedTests(phase, inner);
    told.failed.push(...failed);
    told.flaky.push(...flaky);
    for (const { title, file, line, tests } of specs)
      for (const { projectName, status, results: tries } of tests) {
        const messages = tries.flatMap(({ errors }) => errors.map(({ message = "" }) => message)).reverse();
        const why = messages.find((message) => message.includes(pageErrors)) ?? messages[0] ?? "";
        const text = failureText(phase, `${file}:${line} [${projectName}] ${title}`, [why]);
        if (status === "unexpected") told.failed.push(text);
        if (status === "flaky") told.flaky.push(text);
      }
  }
  return told;
}

/** Prints the failures, the table and the verdict, and ends the process. @param {string} [broken] */
function finish(broken) {
  rmSync(scratch, { recursive: true, force: true });
  console.log("");
  if (secondTries.length > 0)
    console.log(`Passed at the second try only; look into each:\n\n${secondTries.join("\n\n")}\n`);
  if (failures.length > 0) console.log(`Failed:\n\n${failures.join("\n\n")}\n`);
  for (const { phase, passed, failed, seconds } of results) {
    console.log(
      `${phase.padEnd(26)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s`,
    );
  }
  console.log(`in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  for (const verdict of verdicts) console.log(verdict);
  const sum = (/** @type {"passed" | "failed"} */ of) =>
    results.reduce((total, result) => total + result[of], 0);
  const failed = sum("failed") + (broken === undefined ? 0 : 1);
  if (broken !== undefined) console.log(`The run was ${broken}.`);
  console.log(`${sum("passed")} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
