/**
 * Keeps the calls that are made for orders, for their stories. A call never waits for it and never fails with it: what is to be written
 * is put aside and written a moment later, on a connection of its own, so that a transaction that is rolled back takes nothing along.
 */
import type { RecordedCall } from "#db/platform/provider-calls.ts";
import { purpose } from "./call-attribution.ts";
import type { ProviderCall } from "./response.ts";
import { redactPath } from "./response-summary.ts";

/** So many wait at most, when the database is slower than providers. The rest is not kept. */
const maxWaiting = 500;
const maxConcurrent = 50;

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
      const calls = waiting.splice(0, maxConcurrent);
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
      if (waiting.length >= maxWaiting) {
        tooMany += 1;
        return;
      }
      waiting.push({
        ...known,
        at: new Date(),
        provider,
        method,
        path: redactPath(path),
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
