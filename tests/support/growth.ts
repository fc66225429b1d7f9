/** Distinguishes linear from superlinear work by CPU time, which does not depend on the machine's other load. */

const repeats = 5;
/** Milliseconds below which CPU time is noise. */
const noiseMs = 2;

/**
 * Factor of CPU time for four times the input: about 4 for linear work, 16 for quadratic.
 * @param work called with the size of its input: a fourth of `size`, then `size`
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
