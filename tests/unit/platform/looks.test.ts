import type { Job } from "graphile-worker";
import { expect, test } from "vitest";
import { createPollMonitor } from "#server/operations/jobs/poll-monitor.ts";

const taken = (id: string): Job => ({
  id,
  task_identifier: "linger",
  payload: {},
  priority: 0,
  run_at: new Date(0),
  attempts: 1,
  max_attempts: 25,
  last_error: null,
  created_at: new Date(0),
  updated_at: new Date(0),
  key: null,
  revision: 0,
  locked_at: new Date(0),
  locked_by: "worker",
  flags: null,
  is_available: false,
  job_queue_id: null,
  task_id: 1,
});

test("does not release a job that was taken again after its first run", async () => {
  const spared: (readonly string[])[] = [];
  const looks = createPollMonitor(async (doing) => void spared.push(doing));
  const [first, again] = [taken("1"), taken("1")];
  looks.found(first);
  looks.found(again);
  looks.end(first);
  looks.fail();
  await looks.startPoll();
  expect(spared).toEqual([["1"]]);

  looks.end(again);
  looks.fail();
  await looks.startPoll();
  expect(spared).toEqual([["1"], []]);
});
