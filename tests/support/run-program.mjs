/** Runs other programs and ends them with this one. */
import { spawn } from "node:child_process";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
  });

/**
 * Runs a program with this one's input and output.
 * @param {string} program @param {string[]} args
 * @param {Record<string, string>} env on top of this process's environment
 * @returns {Promise<number>} the exit code; 1 when a signal ended it or it could not start
 */
export function runProgram(program, args, env = {}) {
  const child = spawn(program, args, { stdio: "inherit", env: { ...process.env, ...env } });
  running.add(child);
  return new Promise((resolve) => {
    child.once("error", (error) => {
      console.error(`${program}: ${error.message}`);
      resolve(1);
    });
    child.once("close", (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}
