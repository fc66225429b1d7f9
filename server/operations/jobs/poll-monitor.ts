/**
 * How a worker's looks for jobs fare. One that fails may have taken a job all the same, whose answer was lost on the way: as long as this
 * worker lives nobody else would do it. And a runner whose looks all fail though the database answers will not look well again: it keeps
 * the failure of its first question, which names the tasks.
 */
import type { Job } from "graphile-worker";
import { missedBeats } from "./heartbeats.ts";

export interface PollMonitor {
  /** Before each look, of which there is one at a time. @throws what `free` throws; then the look fails too */
  startPoll(): Promise<void>;
  found(job: Job | null): void;
  fail(): void;
  end(job: Job): void;
  /** After each heartbeat that was written. */
  beat(): void;
  /** Rejects when no look has ended well for twice as many heartbeats as a dead worker misses. */
  vain: Promise<never>;
}

/** @param free gives free what this worker's looks have taken, but for the jobs that it is doing */
export function createPollMonitor(free: (doing: readonly string[]) => Promise<void>): PollMonitor {
  /** Runs with the ids of their jobs: a job that was taken away loses its own. One that was taken again while its first run goes on is in it twice. */
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
