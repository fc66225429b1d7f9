/**
 * What a worker leaves alone for a while: jobs of a vendor for whom it does all but one of the jobs that it can do at once. So a vendor that
 * answers slowly holds its own orders only, and the last slot is free for the others and for mail.
 */
import type { Job } from "graphile-worker";

export interface Share {
  begin(job: Job): void;
  end(job: Job): void;
  /** The flags of jobs that are not to be begun now. */
  full(): string[];
}

/** @param concurrency how many jobs the worker does at once; one that does one at a time leaves nothing alone */
export function createShare(concurrency: number): Share {
  const most = Math.max(1, concurrency - 1);
  const running = new Map<string, number>();
  const count = ({ flags }: Job, by: number) => {
    for (const flag of Object.keys(flags ?? {})) running.set(flag, (running.get(flag) ?? 0) + by);
  };
  return {
    begin: (job) => count(job, 1),
    end: (job) => count(job, -1),
    full: () => [...running].filter(([, jobs]) => jobs >= most && concurrency > 1).map(([flag]) => flag),
  };
}
