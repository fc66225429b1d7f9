/**
 * Writes log lines to standard output without ever blocking the store. When a full disk, a closed pipe or a stalled reader
 * prevents it, the line is dropped. The next line that can be written is preceded by the number of dropped ones.
 */
import { writeSync } from "node:fs";

const standardOutput = 1;
/** The total wait for a full pipe before its lines are dropped. */
const patienceMs = 100;
const pauseMs = 5;

let dropped = 0;
/** A line was only partly written, so the next one must not continue on it. */
let inALine = false;

/** The destination stream for pino. */
export const logDestination = {
  /** @param line including its line break */
  write(line: string): void {
    // After a timeout, do not wait for the same reader again until it has caught up.
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

/** @param patience in milliseconds @returns how many bytes were written */
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
