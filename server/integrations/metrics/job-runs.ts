/** Counts the jobs that a worker runs. */
import { jobDurations } from "./process-metrics.ts";

/** Runs a job, and counts its duration and failure. @throws what the job throws */
export async function countedJob<Result>(job: string, run: () => Promise<Result>): Promise<Result> {
  const stop = jobDurations.startTimer({ job });
  try {
    const result = await run();
    stop({ outcome: "done" });
    return result;
  } catch (error) {
    stop({ outcome: "failed" });
    throw error;
  }
}
