/**
 * A clock that a test moves, for whole processes: the store's, the sandbox's and their database's. All read the time from one file
 * (docs/decisions/testing.md#clock).
 */
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { provideFaketime } from "./faketime.mjs";

export interface TestClock {
  /** Environment of every process that follows the clock. */
  env: Record<string, string>;
  now(): Date;
  /** Moves the clock of all processes. @throws RangeError for an earlier time, because no clock of a store goes back */
  moveTo(moment: Date): void;
  stop(): void;
}

/** @param start the initial time, to the second @throws Error with installation instructions */
export function startTestClock(start: Date): TestClock {
  const library = provideFaketime();
  if (library.path === null) throw new Error(library.said);
  const folder = mkdtempSync(path.join(tmpdir(), "hubs-clock-"));
  // A PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  const file = path.join(folder, "clock");
  let aheadSeconds = 0;
  const now = () => new Date(Date.now() + aheadSeconds * 1000);
  const show = (moment: Date) => {
    aheadSeconds = Math.ceil((moment.getTime() - Date.now()) / 1000);
    // Replaced by a rename, because a process may read it at any time.
    writeFileSync(`${file}.next`, `${aheadSeconds < 0 ? "" : "+"}${aheadSeconds}`);
    renameSync(`${file}.next`, file);
  };
  show(start);
  return {
    env: {
      LD_PRELOAD: library.path,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      // Timers use the real time.
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      // Files keep their real times.
      NO_FAKE_STAT: "1",
    },
    now,
    moveTo(moment) {
      if (moment < now()) throw new RangeError(`The clock is past ${moment.toISOString()}`);
      show(moment);
    },
    stop: () => rmSync(folder, { recursive: true, force: true }),
  };
}
