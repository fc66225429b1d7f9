/** Waiting for something that happens in another process. */
import { setTimeout as sleep } from "node:timers/promises";

/** @throws Error saying what did not happen in time */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { timeoutMs = 60_000, everyMs = 40 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`Not within ${timeoutMs} ms: ${what}`);
    await sleep(everyMs);
  }
}
