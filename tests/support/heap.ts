/** Retained heap of the web process, for tests that look for memory leaks. */
import path from "node:path";

import type { Stack } from "./stack.ts";
import { eventually } from "./until.ts";

/** Environment for startStore that enables the reports. */
export const reportsHeap = {
  NODE_OPTIONS: `--import ${path.resolve(import.meta.dirname, "heap-report.mjs")}`,
};

/** @returns MiB in use after a collection */
export async function heapOfWeb(stack: Stack): Promise<number> {
  const reports = () => stack.logs("web").filter((line) => line.includes('"heapUsed"'));
  const before = reports().length;
  stack.signalWeb("SIGUSR2");
  const line = await eventually(() => {
    const latest = reports().at(before);
    if (latest === undefined) throw new Error("the web process has not answered yet");
    return latest;
  });
  return Number(/"heapUsed":(\d+)/.exec(line)?.[1]) / 1024 / 1024;
}
