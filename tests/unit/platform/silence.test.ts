/** A worker counts as dead by two measures: the database's clock, and the polls of the worker that judges. */
import { describe, expect, test } from "vitest";
import type { LockHolder } from "#db/platform/workers.ts";
import { createSilence, missedBeats } from "#server/operations/jobs/heartbeats.ts";

const holder = (seenAt: string | null, isSilent: boolean, workerId = "other"): LockHolder => ({
  workerId,
  seenAt,
  isSilent,
});
const looks = (count: number, look: () => string[]) => Array.from({ length: count }, look);
const none = (count: number) => Array.from({ length: count }, () => []);

describe("createSilence", () => {
  test("finds a worker dead after six polls with the same heartbeat", () => {
    const isDead = createSilence(new Set());
    expect(looks(missedBeats, () => isDead([holder("10:00:00", true)]))).toEqual(none(missedBeats));
    expect(isDead([holder("10:00:00", true)])).toEqual(["other"]);
  });

  test("gives living workers six fresh heartbeats after a stall of the judge", () => {
    const isDead = createSilence(new Set());
    for (const second of [0, 1, 2, 3]) isDead([holder(`10:00:0${second}`, false)]);
    // The machine was suspended for a minute: by the database's clock every worker is silent.
    expect(looks(missedBeats, () => isDead([holder("10:00:03", true)])).slice(0, -1)).toEqual(
      none(missedBeats - 1),
    );
    expect(isDead([holder("10:01:09", false)])).toEqual([]);
    expect(isDead([holder("10:01:09", true)])).toEqual([]);
  });

  test("gives a newly seen worker six heartbeats", () => {
    const isDead = createSilence(new Set());
    isDead([holder("10:00:00", true)]);
    expect(looks(missedBeats, () => isDead([holder("10:00:00", true, "third")]))).toEqual(none(missedBeats));
  });

  test("finds no worker dead whose heartbeat is recent by the database's clock", () => {
    const isDead = createSilence(new Set());
    expect(looks(20, () => isDead([holder("10:00:00", false)]))).toEqual(none(20));
  });

  test("treats a heartbeat that another judge has deleted as silence", () => {
    const isDead = createSilence(new Set());
    looks(missedBeats, () => isDead([holder("10:00:00", true)]));
    expect(isDead([holder(null, true)])).toEqual(["other"]);
  });

  test("finds a worker dead that has never written a heartbeat", () => {
    const isDead = createSilence(new Set());
    looks(missedBeats, () => isDead([holder(null, true)]));
    expect(isDead([holder(null, true)])).toEqual(["other"]);
  });

  test("ignores its own workers", () => {
    const isDead = createSilence(new Set(["own"]));
    expect(looks(20, () => isDead([holder(null, true, "own")]))).toEqual(none(20));
  });
});
