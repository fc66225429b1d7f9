/** Tells work that takes linear time from work that does not, by CPU time, whatever else the machine does. */

const repeats = 5;
/** Milliseconds below which CPU time says nothing. */
const noiseMs = 2;

/**
 * Returns how many times as much CPU time the work takes for four times the input: about 4 when it is linear, 16 when it is quadratic.
 * @param work is given the size of its input: a fourth of `size`, then `size`
 */
export function cpuGrowth(size: number, work: (size: number) => unknown): number {
  const least = (given: number) =>
    Math.min(...Array.from({ length: repeats }, () => cpuMs(() => work(given))));
  return (least(size) + noiseMs) / (least(size / 4) + noiseMs);
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
