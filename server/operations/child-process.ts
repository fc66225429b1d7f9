/** Child processes of the stack and of the tests: line-by-line output, an orderly shutdown, and no orphans. */
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { projectFolder } from "./built-commands.mjs";

export interface ChildOptions {
  name: string;
  /** Arguments of `node`: options, the program, its arguments. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** This project's folder by default. */
  folder?: string;
  onLine: (line: string, child: string) => void;
  onMessage?: (message: unknown) => void;
}

export interface Child {
  name: string;
  pid: number | undefined;
  /** Settles when the process has ended, with the reason. */
  ended: Promise<string>;
  /** Sends SIGTERM, then SIGKILL after the grace period. */
  stop(graceMs?: number): Promise<void>;
  /** SIGKILL: no chance to clean up. */
  kill(): Promise<void>;
}

const followParent = path.join(projectFolder, "server/operations/follow-parent.mjs");
const tsx = ["--import", "tsx"];

/** Returns the arguments that run a TypeScript program of this project. */
export function tsxArguments(file: string, ...args: string[]): string[] {
  return [...tsx, path.join(projectFolder, file), ...args];
}

export function startChild({
  name,
  args,
  env,
  folder = projectFolder,
  onLine,
  onMessage,
}: ChildOptions): Child {
  const child = spawn(process.execPath, ["--import", followParent, ...args], {
    cwd: folder,
    env,
    // A separate process group: Ctrl-C in the terminal reaches only the parent, which then ends the children in order.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", (line) => onLine(line, name));
  }
  if (onMessage !== undefined) child.on("message", onMessage);
  const ended = whenEnded(child);

  return {
    name,
    pid: child.pid,
    ended,
    async stop(graceMs = 12_000) {
      child.kill("SIGTERM");
      if (await settlesWithin(ended, graceMs)) return;
      child.kill("SIGKILL");
      await ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Waits for a process that ends by itself. @throws Error when it fails */
export async function waitForSuccess(child: Child): Promise<void> {
  const how = await child.ended;
  if (how !== "code 0") throw new Error(`${child.name} exited with ${how}`);
}

/**
 * Restarts a process whenever it ends, after growing delays, until stopped.
 * @param onEnded called with the reason and the time of the restart
 */
export function superviseChild(
  options: ChildOptions,
  onEnded: (how: string, againInMs: number) => void,
): { stop(graceMs?: number): Promise<void> } {
  const stopping = new AbortController();
  let child = startChild(options);
  const keeping = (async () => {
    let wait = 250;
    while (true) {
      const startedAt = performance.now();
      const how = await child.ended;
      if (stopping.signal.aborted) return;
      wait = performance.now() - startedAt > 30_000 ? 500 : Math.min(wait * 2, 30_000);
      onEnded(how, wait);
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      child = startChild(options);
    }
  })();
  return {
    async stop(graceMs) {
      stopping.abort();
      await child.stop(graceMs);
      await keeping;
    },
  };
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    // "close" rather than "exit", because all its output has been read by then.
    child.once("close", (code, signal) => resolve(code === null ? `signal ${signal}` : `code ${code}`));
  });
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const late = new AbortController();
  try {
    return await Promise.race([
      promise.then(() => true),
      sleep(ms, false, { signal: late.signal }).catch(() => false),
    ]);
  } finally {
    late.abort();
  }
}
