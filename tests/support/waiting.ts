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

/** Limits count in fixed windows, which all end at a multiple of five minutes. */
const windowsEndEveryMs = 300_000;

/** Waits until no window of a rate limit ends soon: what is counted in two windows is never refused. */
export async function roomInWindow(neededMs = 10_000): Promise<void> {
  const left = windowsEndEveryMs - (Date.now() % windowsEndEveryMs);
  if (left < neededMs) await sleep(left + 50);
}
