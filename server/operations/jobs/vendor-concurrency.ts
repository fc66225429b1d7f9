/**
 * What a worker leaves alone for a while: jobs of a vendor for whom it does all but one of the jobs that it can do at once. So a vendor that
 * answers slowly holds its own orders only, and the last slot is free for the others and for mail.
 */
import type { Job } from "graphile-worker";
import { interruptionsFlag } from "#db/platform/workers.ts";

export interface VendorConcurrency {
  /** The flags of jobs that are not to be begun now. Answered in turn: whoever looks for a job sees what the one before has found. */
  busyFlags(): Promise<string[]>;
  /** The look has ended. @param job null when there was none */
  recordJob(job: Job | null): void;
  end(job: Job): void;
}

/** @param concurrency how many jobs the worker does at once; one that does one at a time leaves nothing alone */
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
