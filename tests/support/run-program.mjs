/** Runs other programs, and ends them with all their descendants when this one is interrupted. */
import { execFileSync, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** Exit code of an interrupted run, as shells report Ctrl-C. */
export const interrupted = 130;
/** Time for processes to end after SIGTERM. */
const graceMs = 5_000;
let isEnding = false;

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => {
    if (isEnding) return;
    isEnding = true;
    void endDescendants().finally(() => process.exit(interrupted));
  });

/**
 * Runs a program with this one's input and output.
 * @param {string} program @param {string[]} args
 * @param {Record<string, string>} env on top of this process's environment
 * @returns {Promise<number>} the exit code; 1 when a signal ended it or it could not start; never resolves once this program is interrupted
 */
export function runProgram(program, args, env = {}) {
  const child = spawn(program, args, { stdio: "inherit", env: { ...process.env, ...env } });
  return new Promise((resolve) => {
    const settle = (/** @type {number} */ code) => {
      if (!isEnding) resolve(code);
    };
    child.once("error", (error) => {
      console.error(`${program}: ${error.message}`);
      settle(1);
    });
    child.once("close", (code) => settle(code ?? 1));
  });
}

/**
 * Sends SIGTERM to each process, because the stores that tests start have separate process groups, and kills the rest after a
 * while.
 */
async function endDescendants() {
  const pids = descendantsOf(process.pid);
  const left = () => pids.filter((pid) => signalTo(pid, 0));
  for (const pid of pids) signalTo(pid, "SIGTERM");
  const until = performance.now() + graceMs;
  while (left().length > 0 && performance.now() < until) await sleep(50);
  for (const pid of left()) signalTo(pid, "SIGKILL");
}

/** @param {number} root @returns {number[]} */
function descendantsOf(root) {
  const all = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [root];
  // The loop also visits children that it adds.
  for (const parent of found)
    found.push(...all.flatMap(([pid = 0, above]) => (above === parent ? [pid] : [])));
  return found.slice(1);
}

/** @param {number} pid @param {NodeJS.Signals | 0} signal 0 only checks @returns whether the process exists */
function signalTo(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
