/**
 * Draws PDFs in a separate thread: opening a font and shaping its first letters takes a tenth of a second or more, which would
 * block the process. The functions that the thread can run are in server/operations/commands/pdf-renderers.ts.
 */
import path from "node:path";
import pLimit, { type LimitFunction } from "p-limit";
import { Piscina } from "piscina";
import { DomainError, sentences } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";

/** Input of a drawing. It is copied to the thread, so it contains only data. */
export interface PdfInput<View> {
  view: View;
  /** Written into the file: the same view and date produce the same bytes. */
  createdAt: Date;
}

type Draw<View> = (drawing: PdfInput<View>) => Promise<Uint8Array<ArrayBuffer>>;
type ViewOf<Drawn> = Drawn extends Draw<infer View> ? View : never;

interface Thread {
  pool: Piscina;
  /** The error that kept the thread from starting. */
  failure: Error | null;
}

let thread: Thread | null = null;

/**
 * Returns a function that runs the function of this name from server/operations/commands/pdf-renderers.ts in the thread, after
 * earlier calls. If the thread dies, its current drawing is rejected, and a new thread continues with the next one.
 */
export function inPdfThread<Drawn extends Draw<never>>(name: string) {
  return async (view: ViewOf<Drawn>, createdAt: Date): Promise<Uint8Array<ArrayBuffer>> => {
    thread ??= startThread();
    const pdfThread = thread;
    try {
      return await pdfThread.pool.run({ view, createdAt }, { name });
    } catch (error) {
      throw pdfThread.failure ?? error;
    }
  };
}

/** The thread draws ten to twenty invoices per second, so a full queue means a wait of up to five seconds. */
const maxWaiting = 50;
const retryAfterSeconds = 5;

/**
 * Refuses a request while the queue is full. Jobs and zips wait instead, because each draws one document at a time.
 * @throws DomainError busy while many drawings wait
 */
export function rejectWhenPdfQueueIsFull(): void {
  if ((thread?.pool.queueSize ?? 0) >= maxWaiting)
    throw new DomainError("busy", msg("errors.busy"), { retryAfterSeconds });
}

/** Drawings of one visitor that may wait for each other. */
const mostOfOne = 20;
const turns = new Map<string, { line: LimitFunction; count: number }>();

/**
 * Runs a drawing for a request after the same visitor's earlier ones, so that a visitor who requests many at once fills only
 * their own queue and not the thread's.
 * @param visitor key of the requests that wait for each other, such as a network
 * @throws DomainError rate_limited while many drawings of the same visitor wait; busy while many drawings of others do
 */
export async function drawnInTurn<Drawn>(visitor: string, draw: () => Promise<Drawn>): Promise<Drawn> {
  const turn = turns.get(visitor) ?? { line: pLimit(1), count: 0 };
  if (turn.count > mostOfOne) {
    const wait = sentences(msg("errors.manyPdfs"), msg("errors.waitSeconds", { count: retryAfterSeconds }));
    throw new DomainError("rate_limited", wait, { retryAfterSeconds });
  }
  turns.set(visitor, turn);
  turn.count += 1;
  try {
    return await turn.line(() => {
      rejectWhenPdfQueueIsFull();
      return draw();
    });
  } finally {
    turn.count -= 1;
    if (turn.count === 0) turns.delete(visitor);
  }
}

const isBuilt = import.meta.filename.endsWith(".js");
/** Folder of the commands; in the build it is next to this file's folder. */
const commands = path.resolve(import.meta.dirname, isBuilt ? "../commands" : "../../operations/commands");
/** Megabytes. The longest statement takes a quarter of it. */
const heapLimit = 256;

/**
 * Starts the thread. It keeps its opened fonts, and does not keep a process from ending. `npm run dev` does not reload it: a
 * change to a drawing takes effect after a restart.
 */
function startThread(): Thread {
  const pool = new Piscina({
    filename: path.join(commands, isBuilt ? "pdf-renderers.js" : "pdf-renderers.ts"),
    // Not this process's own arguments: a web process loads its log and its guards with them.
    execArgv: isBuilt ? [] : ["--import", path.join(commands, "read-sources.mjs")],
    // With a minimum of zero, a thread that dies would be replaced only at the next call.
    minThreads: 1,
    maxThreads: 1,
    stricterFIFO: true,
    resourceLimits: { maxOldGenerationSizeMb: heapLimit },
  });
  const started: Thread = { pool, failure: null };
  // The pool reports a death while idle only here. The thread cannot start then, and pending calls would wait forever.
  pool.on("error", (error: Error) => {
    started.failure = error;
    if (thread === started) thread = null;
    void pool.destroy();
  });
  return started;
}
