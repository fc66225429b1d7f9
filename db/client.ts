/** Opens the database: one pool a process, bigint read as a number, timestamps as Date. */
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Database, Db } from "./tables/index.ts";

const int8 = 20;

// Money and counters are bigint in the tables; every one of them fits a safe integer, and one that does not is a fault.
pg.types.setTypeParser(int8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint beyond a safe integer: ${text}`);
  return value;
});

/** How long a connection may be busy, in milliseconds; what is left out has no limit. */
export interface ConnectionLimits {
  statementMs?: number;
  /** Waiting for a row that another transaction holds. */
  lockMs?: number;
  /** Between two statements of one transaction: whoever opened it may be gone. */
  idleInTransactionMs?: number;
  /** Waiting for a connection of the pool to be free. */
  acquireMs?: number;
}

/**
 * @param max the most connections this process holds
 * @param onLost told when the server closes a connection: no fault by itself, the pool opens another and whoever was
 *   using it gets the error; worth a log line in a process that lives long
 */
export function createPool(
  databaseUrl: string,
  max = 10,
  onLost: (error: Error) => void = () => {},
  limits: ConnectionLimits = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: limits.acquireMs ?? 10_000,
    ...(limits.statementMs !== undefined && { statement_timeout: limits.statementMs }),
    ...(limits.lockMs !== undefined && { lock_timeout: limits.lockMs }),
    ...(limits.idleInTransactionMs !== undefined && {
      idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    }),
  });
  pool.on("error", onLost);
  pool.on("connect", (client) => client.on("error", onLost));
  return pool;
}

/** A statement or a wait cut short, a server that is starting, stopping or full, a connection that ended: none is a fault. */
const passingStates = new Set([
  "57014",
  "55P03",
  "25P03",
  "53300",
  "57P01",
  "57P02",
  "57P03",
  "08006",
  "ECONNREFUSED",
  "ECONNRESET",
]);
/** What pg says without a code. */
const passingWords = /^(timeout exceeded when trying to connect|Connection terminated)/;

/** True for an error of the database that a later try may not meet. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return (typeof code === "string" && passingStates.has(code)) || passingWords.test(error.message);
}

export function createDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
