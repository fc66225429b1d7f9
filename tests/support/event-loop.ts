/** How long this process can answer nobody while something is made. */
import { performance } from "node:perf_hooks";

/** Milliseconds that it worked for in all: no single hold can have been longer. */
export async function worksFor(make: () => Promise<unknown>): Promise<number> {
  const before = performance.eventLoopUtilization();
  await make();
  return performance.eventLoopUtilization(before).active;
}
