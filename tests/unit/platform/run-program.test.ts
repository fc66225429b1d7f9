/** An interrupted test run leaves no process behind: tests/support/run-program.mjs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { eventually } from "#tests/support/until.ts";

const module = path.resolve("tests/support/run-program.mjs");
/** Script that ignores every signal, prints its id and starts one more such process in a separate group. */
const stubborn = (inner: string) => `
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  ${inner}
  console.log(process.pid);
  setInterval(() => undefined, 1_000);`;
const grandchild = stubborn("");
const child = stubborn(
  `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}], { stdio: "inherit", detached: true });`,
);

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.concurrent.each(["SIGINT", "SIGTERM"] as const)(
  "%s: ends the program and the processes that it started",
  async (signal) => {
    const script = `
    import { runProgram } from ${JSON.stringify(module)};
    await runProgram(process.execPath, ["-e", ${JSON.stringify(child)}]);
    console.log("went on");`;
    const run = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said: string[] = [];
    createInterface({ input: run.stdout }).on("line", (line) => said.push(line));
    await eventually(() => expect(said).toHaveLength(2));
    const pids = said.map(Number);
    expect(pids.every(isRunning)).toBe(true);
    run.kill(signal);
    const [code] = await once(run, "close");
    expect(code).toBe(130);
    expect(said).toHaveLength(2);
    await eventually(() => expect(pids.filter(isRunning)).toEqual([]));
  },
);
