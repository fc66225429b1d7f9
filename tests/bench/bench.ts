/**
 * `npm run bench`: what is measured, by its first word. Without one of these words, every screen on a slow line, or those with the given
 * words in their names (run.ts).
 */
const [requested = ""] = process.argv.slice(2);

/** Each module measures as it is loaded, and ends the process with a code that says whether all budgets are kept. */
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  cost: () => import("./cost.ts"),
  desk: () => import("./desk.ts"),
  throughput: () => import("./web.ts"),
  scale: () => import("./scale.ts"),
};

await (benches[requested] ?? (() => import("./run.ts")))();
