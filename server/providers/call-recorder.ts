/**
 * Keeps the calls that are made for orders, for their stories. A call never waits for it and never fails with it: what is to be written
 * is put aside and written a moment later, on a connection of its own, so that a transaction that is rolled back takes nothing along.
 */
import type { RecordedCall } from "#db/provider-calls.ts";
import type { ProviderCall } from "./answer.ts";
import { purpose } from "./for-order.ts";
import { hiddenPath } from "./short-answer.ts";

/** So many wait at most, when the database is slower than providers. The rest is not kept. */
const mostWaiting = 500;
const mostAtOnce = 50;

export interface CallRecorder {
  /** Called when a call is finished, where it was made. */
  take(call: ProviderCall): void;
  /** Resolves when nothing is left to be written. */
  settled(): Promise<void>;
}

/**
 * @param save writes calls; it may fail
 * @param onLost told how many could not be kept, and why
 */
export function createCallRecorder(
  save: (calls: readonly RecordedCall[]) => Promise<void>,
  onLost: (count: number, error: unknown) => void,
): CallRecorder {
  const waiting: RecordedCall[] = [];
  let tooMany = 0;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const calls = waiting.splice(0, mostAtOnce);
      await save(calls).catch((error: unknown) => onLost(calls.length, error));
    }
    if (tooMany > 0) onLost(tooMany, new Error("The database is slower than the providers"));
    tooMany = 0;
    writing = null;
  }

  return {
    take({ provider, method, path, status, ms, requestId, answer = null }) {
      const known = purpose();
      if (known === null) return;
      if (waiting.length >= mostWaiting) {
        tooMany += 1;
        return;
      }
      waiting.push({
        ...known,
        at: new Date(),
        provider,
        method,
        path: hiddenPath(path),
        requestId,
        status,
        ms,
        answer,
      });
      // Never rejects.
      writing ??= write();
    },
    settled: () => writing ?? Promise.resolve(),
  };
}
