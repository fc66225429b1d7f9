/**
 * What a request asks of the database in one turn goes there together: on one connection, in one write. A connection and a write for each
 * question took a fifth of the time of a page that asks twelve (docs/decisions/prepared-statements.md).
 */
import type pg from "pg";
import { PreparingClient, type StatementNames } from "./prepared.ts";
import { awaitInTime, type CancellationSettings } from "./query-cancellation.ts";
import type { Db } from "./tables/index.ts";

interface Question {
  /** Never fails: whoever asked is told. */
  askOf(client: PreparingClient): Promise<void>;
  reject(error: unknown): void;
}

const ofDatabases = new WeakMap<Db, StatementBatcher>();

/** @returns null for a transaction, whose statements keep their order, and where nothing is asked together */
export function batcherOf(db: Db): StatementBatcher | null {
  return ofDatabases.get(db) ?? null;
}

export function enableBatching(db: Db, batcher: StatementBatcher): void {
  ofDatabases.set(db, batcher);
}

/** Asks what reads and stands alone: a question that fails leaves the others as they are, and none is in a transaction. */
export class StatementBatcher {
  readonly #pool: pg.Pool;
  readonly #names: StatementNames;
  readonly #abandonment: CancellationSettings;
  /** By the request that asks, until a connection is free. */
  readonly #waiting = new Map<AbortSignal, Question[]>();

  /** @param pool its connections are pipelined, and each has a session to itself */
  constructor(pool: pg.Pool, names: StatementNames, abandonment: CancellationSettings) {
    this.#pool = pool;
    this.#names = names;
    this.#abandonment = abandonment;
  }

  /** @returns the rows; null outside of a request whose client may leave */
  ask<Row>(text: string, values: readonly unknown[]): Promise<Row[]> | null {
    const signal = this.#abandonment.signal();
    if (signal === null) return null;
    return new Promise<Row[]>((resolve, reject) => {
      const question: Question = {
        askOf: (client) => client.query<Row>(text, values).then(({ rows }) => resolve(rows), reject),
        reject,
      };
      const waiting = this.#waiting.get(signal);
      if (waiting !== undefined) waiting.push(question);
      else {
        const questions = [question];
        this.#waiting.set(signal, questions);
        this.#send(questions, signal).catch((error: unknown) => {
          for (const { reject } of questions) reject(error);
        });
      }
    });
  }

  async #send(questions: readonly Question[], signal: AbortSignal): Promise<void> {
    // A free connection is there before the other loaders of the page have come to their questions.
    await restOfTurn();
    const client = await this.#pool.connect().finally(() => this.#waiting.delete(signal));
    try {
      const preparing = new PreparingClient(client, this.#names);
      const answers = inOneWrite(client, () => questions.map((question) => question.askOf(preparing)));
      await awaitInTime(client, Promise.all(answers), signal, this.#abandonment);
    } finally {
      client.release();
    }
  }
}

/** Until all that goes on without waiting for anything from outside has gone on. */
function restOfTurn(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function inOneWrite<T>({ connection: { stream } }: pg.PoolClient, write: () => T): T {
  stream.cork();
  try {
    return write();
  } finally {
    stream.uncork();
  }
}
