/**
 * Ends statements that would hold a connection of the pool for nothing. What a client asked for that has gone is cancelled; in a
 * transaction it goes on, since whoever began it may mean to write. And a server that has vanished without a word, as in a failover,
 * is not waited for: its connection is dropped.
 */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";
import { z } from "zod";

export interface CancellationSettings {
  /** Aborted when nobody waits for the current request any more; null where somebody always does. */
  signal(): AbortSignal | null;
  /** In milliseconds, by when every statement is answered. Longer than the statement's own limit, which the server keeps. */
  answerMs: number;
  /** The statement runs on, until its own time-out. */
  onFailure(error: Error): void;
}

/** Most statements end by themselves within this time. */
const graceMs = 500;
const cancelWithinMs = 2_000;
const betweenCancelsMs = 50;
/** The code of a CancelRequest in PostgreSQL's protocol. */
const cancelRequest = 80_877_102;
const messageBytes = 16;

/**
 * The same pool, whose statements are cancelled when they are abandoned.
 * @param queriesOf through what a client is asked: by itself, or prepared
 */
export function cancellingPool(
  pool: pg.Pool,
  abandonment: CancellationSettings,
  queriesOf: (client: pg.PoolClient) => PostgresPoolClient,
): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect();
      return new CancellingClient(client, queriesOf(client), abandonment);
    },
    end: () => pool.end(),
  };
}

class CancellingClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #queries: PostgresPoolClient;
  readonly #abandonment: CancellationSettings;
  constructor(client: pg.PoolClient, queries: PostgresPoolClient, abandonment: CancellationSettings) {
    this.#client = client;
    this.#queries = queries;
    this.#abandonment = abandonment;
  }
  query<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    statement: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof statement !== "string") return this.#queries.query<R>(statement);
    const signal = this.#client.getTransactionStatus() === "I" ? this.#abandonment.signal() : null;
    return awaitInTime(
      this.#client,
      this.#queries.query<R>(statement, parameters),
      signal,
      this.#abandonment,
    );
  }
  release(): void {
    this.#client.release();
  }
}

/**
 * Waits for the answer to all that a client has been asked, within its time.
 * @param signal null where the answer is wanted whatever happens
 */
export async function awaitInTime<T>(
  client: pg.PoolClient,
  answer: Promise<T>,
  signal: AbortSignal | null,
  abandonment: CancellationSettings,
): Promise<T> {
  const { stream } = client.connection;
  const late = setTimeout(() => stream.destroy(), abandonment.answerMs);
  try {
    return await (signal === null ? answer : whileWanted(client, answer, signal, abandonment));
  } finally {
    clearTimeout(late);
  }
}

async function whileWanted<T>(
  client: pg.PoolClient,
  answer: Promise<T>,
  signal: AbortSignal,
  { onFailure }: CancellationSettings,
): Promise<T> {
  let grace: NodeJS.Timeout | undefined;
  let cancelled: Promise<void> | undefined;
  let isAnswered = false;
  // A cancellation ends one statement, and the client may have been asked several.
  const cancelAll = async () => {
    while (!isAnswered) {
      await cancel(client);
      await sleep(betweenCancelsMs);
    }
  };
  const abandon = () => {
    grace = setTimeout(() => {
      cancelled = cancelAll().catch(onFailure);
    }, graceMs);
  };
  if (signal.aborted) abandon();
  else signal.addEventListener("abort", abandon, { once: true });
  try {
    return await answer;
  } finally {
    isAnswered = true;
    signal.removeEventListener("abort", abandon);
    clearTimeout(grace);
    // Or the cancellation would strike the next statement of this connection.
    await cancelled;
  }
}

const backendKey = z.object({ processID: z.int(), secretKey: z.int() });

/** Asks for the end of what a connection is running, over another one, as the protocol has it: poolers pass that on. */
function cancel(client: pg.PoolClient): Promise<void> {
  const { processID, secretKey } = backendKey.parse({
    processID: Reflect.get(client, "processID"),
    secretKey: Reflect.get(client, "secretKey"),
  });
  const message = Buffer.alloc(messageBytes);
  for (const [index, part] of [messageBytes, cancelRequest, processID, secretKey].entries())
    message.writeInt32BE(part, index * 4);
  const { host, port } = client;
  return new Promise((resolve, reject) => {
    const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(cancelWithinMs, () => socket.destroy(new Error("The cancellation was not taken")));
    socket.once("error", reject);
    // The server closes the connection once it has passed the cancellation on.
    socket.once("close", () => resolve());
    socket.resume();
    socket.end(message);
  });
}
