/**
 * Writes log lines to standard output without ever blocking the store. Lines of one turn of the event loop are one write, and an
 * error is written immediately. When a full disk, a closed pipe or a stalled reader prevents it, lines are dropped. The next line
 * that can be written is preceded by the number of dropped ones.
 */
import { writeSync } from "node:fs";

const standardOutput = 1;
/** The total wait for a full pipe before its lines are dropped. */
const timeoutMs = 100;
const pauseMs = 5;
const error = 50;
const lineBreak = "\n".charCodeAt(0);

/** Lines of this turn, each with its line break. */
let gathered = "";
let dropped = 0;
/** Whether a line was only partly written, so that the next one must not continue on it. */
let inALine = false;

/** Destination stream for pino. */
export const logDestination = {
  /** Makes pino report a line's level before it writes the line. */
  [Symbol.for("pino.metadata")]: true,
  lastLevel: 0,
  /** @param line including its line break */
  write(line: string): void {
    if (gathered === "") setImmediate(writeGathered);
    gathered += line;
    if (this.lastLevel >= error) writeGathered();
  },
};
process.on("exit", writeGathered);

function writeGathered(): void {
  if (gathered === "") return;
  // After a timeout, do not wait for the same reader again until it has caught up.
  const waitMs = dropped === 0 ? timeoutMs : 0;
  const before = Buffer.from(`${inALine ? "\n" : ""}${dropped === 0 ? "" : countOfDropped()}`);
  const text = Buffer.concat([before, Buffer.from(gathered)]);
  gathered = "";
  const written = writeAll(text, waitMs);
  if (written > 0) inALine = text[written - 1] !== lineBreak;
  if (written >= before.length) dropped = 0;
  dropped += linesIn(text.subarray(Math.max(written, before.length)));
}

function linesIn(text: Uint8Array): number {
  return text.reduce((count, byte) => (byte === lineBreak ? count + 1 : count), 0);
}

function countOfDropped(): string {
  const facts = { level: 40, time: new Date().toISOString(), name: "log", dropped };
  return `${JSON.stringify({ ...facts, msg: "log lines could not be written" })}\n`;
}

/** @param waitMs in milliseconds @returns the number of written bytes */
function writeAll(text: Buffer, waitMs: number): number {
  let written = 0;
  for (let waited = 0; written < text.length; ) {
    try {
      written += writeSync(standardOutput, text, written);
    } catch (error) {
      const isBusy = error instanceof Error && "code" in error && error.code === "EAGAIN";
      if (!isBusy || waited >= waitMs) return written;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      waited += pauseMs;
    }
  }
  return written;
}
