/**
 * Where log lines go: standard output, as long as it takes them. A full disk, a closed pipe or a reader that has stopped must not stop
 * the store: a line that cannot be written is dropped, and the next one that can be is preceded by the count of those.
 */
import { writeSync } from "node:fs";

const standardOutput = 1;
/** How long a full pipe is waited for, in all, before its lines are dropped. */
const patienceMs = 100;
const pauseMs = 5;

let dropped = 0;
/** A line was broken off, and the next must not go on in it. */
let inALine = false;

/** For pino. */
export const logDestination = {
  /** @param line with its line break */
  write(line: string): void {
    // Whoever has not emptied the pipe in time is not waited for again before it does.
    const patience = dropped === 0 ? patienceMs : 0;
    const counted = dropped === 0 ? line : `${countOfDropped()}${line}`;
    const text = Buffer.from(inALine ? `\n${counted}` : counted);
    const written = writeAll(text, patience);
    if (written > 0) inALine = written < text.length;
    if (written === text.length) dropped = 0;
    else dropped += 1;
  },
};

function countOfDropped(): string {
  const facts = { level: 40, time: new Date().toISOString(), name: "log", dropped };
  return `${JSON.stringify({ ...facts, msg: "log lines could not be written" })}\n`;
}

/** @param patience in milliseconds @returns how many bytes were taken */
function writeAll(text: Buffer, patience: number): number {
  let written = 0;
  for (let waited = 0; written < text.length; ) {
    try {
      written += writeSync(standardOutput, text, written);
    } catch (error) {
      const isBusy = error instanceof Error && "code" in error && error.code === "EAGAIN";
      if (!isBusy || waited >= patience) return written;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      waited += pauseMs;
    }
  }
  return written;
}
