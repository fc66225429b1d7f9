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

interface Thread {
  pool: Piscina;
  /** Why it could not start. */
  failure: Error | null;
}

let thread: Thread | null = null;

/**
 * The function of this name in server/commands/drawings.ts, carried out in the thread after those that were asked for before. A drawing in
 * which the thread dies is rejected, and a new one goes on with the next.
 */
export function drawnAside<Drawn extends Draw<never>>(name: string) {
  return async (view: ViewOf<Drawn>, createdAt: Date): Promise<Uint8Array<ArrayBuffer>> => {
    thread ??= startThread();
    const asked = thread;
    try {
      return await asked.pool.run({ view, createdAt }, { name });
    } catch (error) {
      throw asked.failure ?? error;
    }
  };
}

/** Ten to twenty invoices are drawn in a second: whoever comes after so many would wait for about five. */
const mostWaiting = 50;

/**
 * For whoever answers a request. Jobs and zips wait for their turn instead: each has one drawing at a time.
 * @throws DomainError busy while many drawings wait
 */
export function refuseWhileManyWait(): void {
  if ((thread?.pool.queueSize ?? 0) >= mostWaiting)
    throw new DomainError("busy", told("errors.busy"), { retryAfterSeconds: 5 });
}

const commands = path.resolve(import.meta.dirname, "../commands");
/** Megabytes. The longest statement takes a quarter of it. */
const heapLimit = 256;

/**
 * It stays, with the fonts it has opened, and does not keep a process from ending. Under `npm run dev` it goes on drawing as it began: a
 * change to a drawing is seen after a new start.
 */
function startThread(): Thread {
  const isBuilt = import.meta.filename.endsWith(".js");
  const pool = new Piscina({
    filename: path.join(commands, isBuilt ? "drawings.js" : "drawings.ts"),
    // Not this process's own: a web loads its log and its guards by them.
    execArgv: isBuilt ? [] : ["--import", path.join(commands, "read-sources.mjs")],
    // With none at least, one that dies would be followed by another only once somebody asks again.
    minThreads: 1,
    maxThreads: 1,
    stricterFIFO: true,
    resourceLimits: { maxOldGenerationSizeMb: heapLimit },
  });
  const started: Thread = { pool, failure: null };
  // That it dies with nothing in hand is told to nobody else: it cannot start, and who waits would wait for ever.
  pool.on("error", (error: Error) => {
    started.failure = error;
    if (thread === started) thread = null;
    void pool.destroy();
  });
  return started;
}
