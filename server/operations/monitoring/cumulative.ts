/**
 * Totals over all time from a growing table, without reading all of it each time. Closed time ranges are read once and cached;
 * only the last minutes are read again, since a transaction may commit after others that began later.
 */
import type { OpenTimeRange } from "#db/desk/store-stats.ts";

/** Longer than any transaction of the store. */
const openMs = 15 * 60_000;

/** Amount with its labels. */
export interface Counted<Label extends string> {
  labels: Readonly<Record<Label, string>>;
  amount: number;
}

/**
 * @param read returns the amounts of a time range; the same labels may occur several times
 * @returns a function that returns the totals until now, and may be called repeatedly
 */
export function cumulative<Label extends string>(
  read: (span: OpenTimeRange) => Promise<readonly Counted<Label>[]>,
  { now = () => new Date() }: { now?: () => Date } = {},
): () => Promise<Counted<Label>[]> {
  let kept: Counted<Label>[] = [];
  let until: Date | null = null;
  return async () => {
    const past = new Date(now().getTime() - openMs);
    if (until === null || past > until) {
      kept = added([...kept, ...(await read({ from: until, until: past }))]);
      until = past;
    }
    return added([...kept, ...(await read({ from: until, until: null }))]);
  };
}

function added<Label extends string>(all: readonly Counted<Label>[]): Counted<Label>[] {
  const sums = new Map<string, Counted<Label>>();
  for (const { labels, amount } of all) {
    const key = JSON.stringify(labels);
    sums.set(key, { labels, amount: (sums.get(key)?.amount ?? 0) + amount });
  }
  return [...sums.values()];
}
