/**
 * `npm run bench`: runs the measurement named by the first word. Without one, every screen on a slow line, or those with the
 * given words in their names (run.ts).
 */
const [requested = ""] = process.argv.slice(2);

/** Each module measures when it is loaded, and ends the process with a code that shows whether all budgets are kept. */
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  cost: () => import("./cost.ts"),
  desk: () => import("./desk.ts"),
  throughput: () => import("./web.ts"),
  scale: () => import("./scale.ts"),
};

await (benches[requested] ?? (() => import("./run.ts")))();
