/**
 * Records the calls made for orders, for their histories. A call never waits for this and never fails because of it: records are
 * queued and written a moment later, on a separate connection, so that a rolled-back transaction does not remove them.
 */
import type { RecordedCall } from "#db/platform/provider-calls.ts";
import { purpose } from "./call-attribution.ts";
import type { ProviderCall } from "./response.ts";
import { redactPath } from "./response-summary.ts";

/** Largest number of queued records, when the database is slower than providers. Further ones are dropped. */
const maxWaiting = 500;
const maxConcurrent = 50;

export interface CallRecorder {
  /** Call when a provider call is finished. */
  take(call: ProviderCall): void;
  /** Resolves when no record is left to write. */
  settled(): Promise<void>;
}

/**
 * @param save writes calls; it may fail
 * @param onLost receives the number of dropped records, and the reason
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
