/**
 * PDFs are drawn in a thread of their own: opening a font and shaping its first letters takes a tenth of a second and more, in which a
 * process could answer nobody. What the thread can draw is in server/operations/commands/pdf-renderers.ts.
 */
import path from "node:path";
import pLimit, { type LimitFunction } from "p-limit";
import { Piscina } from "piscina";
import { DomainError, sentences } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";

/** What a drawing is made from. It goes to the thread as a copy, so it is data alone. */
export interface PdfInput<View> {
  view: View;
  /** Written into the file: the same view and date give the same bytes. */
  createdAt: Date;
}

type Draw<View> = (drawing: PdfInput<View>) => Promise<Uint8Array<ArrayBuffer>>;
type ViewOf<Drawn> = Drawn extends Draw<infer View> ? View : never;

interface Thread {
  pool: Piscina;
  /** Why it could not start. */
  failure: Error | null;
}

let thread: Thread | null = null;

/**
 * The function of this name in server/operations/commands/pdf-renderers.ts, carried out in the thread after those that were asked for before. A drawing in
 * which the thread dies is rejected, and a new one goes on with the next.
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

/** Ten to twenty invoices are drawn in a second: whoever comes after so many would wait for about five. */
const maxWaiting = 50;
const retryAfterSeconds = 5;

/**
 * For whoever answers a request. Jobs and zips wait for their turn instead: each has one drawing at a time.
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
 * Runs a drawing for a request after the same visitor's earlier ones, so that a visitor who asks for many at once fills their
 * own line and not the thread's.
 * @param visitor the requests that wait for each other, such as those of one network
 * @throws DomainError rate_limited while many of the same visitor wait; busy while many drawings of others do
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
/** In the build, the folder beside this file's. */
const commands = path.resolve(import.meta.dirname, isBuilt ? "../commands" : "../../operations/commands");
/** Megabytes. The longest statement takes a quarter of it. */
const heapLimit = 256;

/**
 * It stays, with the fonts it has opened, and does not keep a process from ending. Under `npm run dev` it goes on drawing as it began: a
 * change to a drawing is seen after a new start.
 */
function startThread(): Thread {
  const pool = new Piscina({
    filename: path.join(commands, isBuilt ? "pdf-renderers.js" : "pdf-renderers.ts"),
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
