/** One process per data folder: a lock file names its owner, and is taken over when that process has died. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * @returns releases the lock
 * @throws Error naming the live process that holds the lock
 */
export function lockFolder(folder: string): () => void {
  const file = `${folder.replace(/\/+$/, "")}.lock`;
  const mine = describe(process.pid) ?? `${process.pid} -`;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(file, mine, { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (!isCode(error, "EEXIST")) throw error;
    }
    const owner = readOwner(file);
    if (owner !== null && owner !== mine && owner === describe(Number.parseInt(owner, 10))) {
      throw new Error(`The data folder ${folder} is in use by process ${Number.parseInt(owner, 10)}.`);
    }
    if (owner === mine) throw new Error(`The data folder ${folder} is already open in this process.`);
    rmSync(file, { force: true });
  }
  throw new Error(`The data folder ${folder} is being opened by another process.`);
}

function readOwner(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** "pid start-time", or null when no such process lives. The start time detects a reused pid. */
function describe(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain spaces. The start time is the 20th field after it.
    const startedAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${pid} ${startedAt}`;
  } catch {
    return `${pid} -`;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
