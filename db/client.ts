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

/**
 * @param max the most connections this process holds
 * @param onLost told when the server closes a connection: no fault by itself, the pool opens another and whoever was
 *   using it gets the error; worth a log line in a process that lives long
 */
export function createPool(
  databaseUrl: string,
  max = 10,
  onLost: (error: Error) => void = () => {},
): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max, connectionTimeoutMillis: 10_000 });
  pool.on("error", onLost);
  pool.on("connect", (client) => client.on("error", onLost));
  return pool;
}

export function createDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
