/** Prints the result of a drill (`npm run test:drill`): one line of figures, and the seed that repeats it. */
import { randomInt } from "node:crypto";
import { z } from "zod";

/** Random for each run, unless `DRILL_SEED` repeats one. */
export const drillSeed = z.coerce
  .number()
  .int()
  .positive()
  .default(() => randomInt(1, 2 ** 31))
  .parse(process.env.DRILL_SEED);

/**
 * @param name of the drill's file
 * @param figures in output order, by their label: "200 paid, 0 doubled"
 * @param seed null where nothing is random
 */
export function reportDrillResult(
  name: string,
  figures: Readonly<Record<string, number | string>>,
  seed: number | string | null = drillSeed,
): void {
  const counted = Object.entries(figures).map(([what, figure]) => `${figure} ${what}`);
  const line = `${name}: ${counted.join(", ")}${seed === null ? "" : `; seed ${seed}`}`;
  process.stdout.write(`${line}\n`);
}
