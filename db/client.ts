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

/** @param max the most connections this process holds */
export function createPool(databaseUrl: string, max = 10): pg.Pool {
  return new pg.Pool({ connectionString: databaseUrl, max, connectionTimeoutMillis: 10_000 });
}

export function createDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
