/** The value that the given share of all values does not exceed. */

/** @param share from 0 to 1 @throws Error without values */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const found = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))];
  if (found === undefined) throw new Error("No values to take a percentile of");
  return found;
}
