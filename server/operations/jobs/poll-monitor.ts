/**
 * Tracks a worker's job polls. A failed poll may still have locked a job whose response was lost, and no other worker would run
 * it while this one lives. A runner whose polls all fail although the database responds will not recover: it caches the failure
 * of its first query, which names the tasks.
 */
import type { Job } from "graphile-worker";
import { missedBeats } from "./heartbeats.ts";

export interface PollMonitor {
  /** Call before each poll; only one runs at a time. @throws as `free` does; then the poll fails too */
  startPoll(): Promise<void>;
  found(job: Job | null): void;
  fail(): void;
  end(job: Job): void;
  /** Call after each heartbeat that was written. */
  beat(): void;
  /** Rejects when no poll has succeeded for twice as many heartbeats as a dead worker misses. */
  vain: Promise<never>;
}

/** @param free releases the jobs that this worker's polls have locked, except those that it is running */
export function createPollMonitor(free: (doing: readonly string[]) => Promise<void>): PollMonitor {
  /**
   * Runs with the ids of their jobs: a run whose job was released loses its id. A job that was locked again during its first run
   * is in it twice.
   */
  const doing = new Map<Job, string>();
  let isLooking = false;
  let hasFailed = false;
  let beats = 0;
  let giveUp: (error: Error) => void = () => undefined;
  const vain = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  return {
    vain,
    async startPoll() {
      isLooking = true;
      if (!hasFailed) return;
      await free([...new Set(doing.values())]);
      hasFailed = false;
    },
    found(job) {
      isLooking = false;
      beats = 0;
      if (job !== null) doing.set(job, job.id);
    },
    fail() {
      hasFailed = true;
    },
    end(job) {
      doing.delete(job);
    },
    beat() {
      if (!isLooking) return;
      beats += 1;
      if (beats > 2 * missedBeats) giveUp(new Error("The database answers, but no look for a job ends well"));
    },
  };
}
