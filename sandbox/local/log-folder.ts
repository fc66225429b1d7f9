/**
 * Routes the output of the stack's processes: everything to one file each, and what a person should see to the terminal too.
 */
import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import path from "node:path";
import { z } from "zod";

const logLine = z.object({ level: z.number() });
const warning = 40;

/** @returns writes a line of the named process; every start overwrites the files */
export function openLogFolder(folder: string): (line: string, name: string) => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = new Map<string, WriteStream>();
  return (line, name) => {
    const file = files.get(name) ?? createWriteStream(path.join(folder, `${name}.log`), { mode: 0o600 });
    files.set(name, file);
    file.write(`${line}\n`);
    if (levelOf(line) >= warning) console.error(`[${name}] ${line}`);
  };
}

/** The level of a JSON log line, or -1 for any other text. */
export function levelOf(line: string): number {
  if (!line.startsWith("{")) return -1;
  try {
    return logLine.safeParse(JSON.parse(line)).data?.level ?? -1;
  } catch {
    return -1;
  }
}
