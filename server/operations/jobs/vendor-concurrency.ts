/**
 * Jobs that a worker skips for a while: those of a vendor whose jobs fill all but one of the worker's slots. So a slow vendor
 * delays only its own orders, and the last slot stays free for the others and for mail.
 */
import type { Job } from "graphile-worker";
import { interruptionsFlag } from "#db/platform/workers.ts";

export interface VendorConcurrency {
  /**
   * Returns the flags of jobs that must not start now. Calls are answered in turn: each poll sees the job that the one before has
   * found.
   */
  busyFlags(): Promise<string[]>;
  /** Records the end of a poll. @param job null when there was none */
  recordJob(job: Job | null): void;
  end(job: Job): void;
}

/** @param concurrency number of jobs that the worker runs at once; with 1, no job is skipped */
export function createVendorConcurrency(concurrency: number): VendorConcurrency {
  const most = concurrency > 1 ? concurrency - 1 : Infinity;
  const running = new Map<string, number>();
  let last: Promise<void> = Promise.resolve();
  let endLook = () => {};
  const count = ({ flags }: Job, by: number) => {
    for (const flag of Object.keys(flags ?? {}))
      if (flag !== interruptionsFlag) running.set(flag, (running.get(flag) ?? 0) + by);
  };
  return {
    async busyFlags() {
      const before = last;
      let end = () => {};
      last = new Promise((resolve) => {
        end = resolve;
      });
      await before;
      endLook = end;
      return [...running].filter(([, jobs]) => jobs >= most).map(([flag]) => flag);
    },
    recordJob(job) {
      if (job !== null) count(job, 1);
      endLook();
    },
    end: (job) => count(job, -1),
  };
}
