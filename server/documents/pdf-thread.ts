/**
 * PDFs are drawn in a thread of their own: opening a font and shaping its first letters takes a tenth of a second and more, in which a
 * process could answer nobody. What the thread can draw is in server/commands/drawings.ts.
 */
import path from "node:path";
import { Piscina } from "piscina";
import { DomainError } from "#server/errors.ts";
import { told } from "#server/languages/text.ts";

/** What a drawing is made from. It goes to the thread as a copy, so it is data alone. */
export interface Drawing<View> {
  view: View;
  /** Written into the file: the same view and date give the same bytes. */
  createdAt: Date;
}

type Draw<View> = (drawing: Drawing<View>) => Promise<Uint8Array<ArrayBuffer>>;
type ViewOf<Drawn> = Drawn extends Draw<infer View> ? View : never;

/** A process draws about twenty invoices a second: who comes after these would wait for more than five seconds. */
const mostWaiting = 100;

interface Thread {
  pool: Piscina;
  /** Why it could not start. */
  failure: Error | null;
}

let thread: Thread | null = null;

/**
 * The function of this name in server/commands/drawings.ts, carried out in the thread.
 * @returns a function that throws DomainError busy while too many drawings wait
 */
export function drawnAside<Drawn extends Draw<never>>(name: string) {
  return async (view: ViewOf<Drawn>, createdAt: Date): Promise<Uint8Array<ArrayBuffer>> => {
    thread ??= startThread();
    const asked = thread;
    if (asked.pool.queueSize >= mostWaiting)
      throw new DomainError("busy", told("errors.busy"), { retryAfterSeconds: 5 });
    try {
      return await asked.pool.run({ view, createdAt }, { name });
    } catch (error) {
      throw asked.failure ?? error;
    }
  };
}

const commands = path.resolve(import.meta.dirname, "../commands");

/** It stays, with the fonts it has opened, and does not keep a process from ending. */
function startThread(): Thread {
  const isBuilt = import.meta.filename.endsWith(".js");
  const pool = new Piscina({
    filename: path.join(commands, isBuilt ? "drawings.js" : "drawings.ts"),
    // Not this process's own: a web loads its log and its guards by them.
    execArgv: isBuilt ? [] : ["--import", path.join(commands, "read-sources.mjs")],
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
  });
  const started: Thread = { pool, failure: null };
  // Without this, who waits for a thread that cannot start would wait for ever.
  pool.on("error", (error: Error) => {
    started.failure = error;
    if (thread === started) thread = null;
    void pool.destroy();
  });
  return started;
}
