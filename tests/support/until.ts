/** Waits for events in other processes, with the one limit of every wait in a test. */
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Milliseconds after which a test stops waiting. What it waits for takes a second or two, so the limit only tells a test that hangs
 * from one on a slow machine.
 */
export const waitLimitMs = 180_000;

/**
 * Resolves when the condition holds. Drills, which load the machine, set their own limit and interval, in milliseconds.
 * @throws Error naming what did not happen in time
 */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { timeoutMs = waitLimitMs, everyMs = 40 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`Not within ${timeoutMs / 1_000} s: ${what}`);
    await sleep(everyMs);
  }
}

/**
 * Returns what the assertions return once they pass.
 * @throws their last error, if they still fail after `waitLimitMs`
 */
export async function eventually<T>(assertions: () => T | Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + waitLimitMs;
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(40);
    }
  }
}
