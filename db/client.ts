/** Opens the database: one pool per process, bigint read as a number, timestamps as Date. */
import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from "kysely";
import pg from "pg";
import { type ConnectionLimits, PoolerDriver } from "./platform/pooler.ts";
import type { Database, Db } from "./tables/index.ts";

const int8 = 20;

// Money and counters are bigint in the tables. Every value fits a safe integer; any other value is a fault.
pg.types.setTypeParser(int8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint beyond a safe integer: ${text}`);
  return value;
});

/**
 * Connection to PostgreSQL: direct, or through a pooler that lends a session for one transaction at a time, as PgBouncer does in
 * transaction mode.
 */
export type Pooler = "none" | "transaction";

/** A pool whose connections go through a pooler: createDb sets the limits in each transaction. */
class PoolBehindPooler extends pg.Pool {
  readonly limits: ConnectionLimits;
  constructor(config: pg.PoolConfig, limits: ConnectionLimits) {
    super(config);
    this.limits = limits;
  }
}

/**
 * @param max the largest number of connections of this process
 * @param onLost called when the server closes a connection. This is not a fault: the pool opens another, and the query in
 *   progress gets the error. A long-lived process should log it.
 * @param limits apply to queries through createDb; without a pooler to every query
 */
export function createPool(
  databaseUrl: string,
  max = 10,
  onLost: (error: Error) => void = () => {},
  limits: ConnectionLimits = {},
  pooler: Pooler = "none",
): pg.Pool {
  const config = {
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: limits.acquireMs ?? 10_000,
    // Detects a server that has vanished silently, on idle connections too.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const pool =
    pooler === "transaction"
      ? // A statement and the transaction around it are sent together.
        new PoolBehindPooler({ ...config, pipeline: true }, limits)
      : new pg.Pool({
          ...config,
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

/** Returns the database's `host:port`; null for a Unix socket. */
export function addressOf(databaseUrl: string): string | null {
  const { host, port } = new pg.Client({ connectionString: databaseUrl });
  return host.startsWith("/") ? null : `${host.toLowerCase()}:${port}`;
}

/**
 * SQL states of transient errors: cancelled statements, lock timeouts, a server that is starting, stopping or full, lost
 * connections.
 */
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
  // A connection that was just cut, and a server whose machine is unreachable.
  "EPIPE",
  "ERR_STREAM_DESTROYED",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
]);
/** Messages of errors that pg throws without a code. */
const passingWords =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (has encountered a connection error|was closed) and is not queryable)/;
/** PgBouncer's errors, which arrive as protocol violations: no session in time, a lost one, an unreachable server. */
const passingWordsOfPooler =
  /^(query_wait_timeout|server conn crashed\?|server login (has been failing|failed)|pgbouncer cannot connect to server|no more connections allowed|client_login_timeout)/;

/** Whether it is a transient database error, so that a retry may succeed. */
export function isTransientDbError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return (
    (typeof code === "string" && passingStates.has(code)) ||
    passingWords.test(error.message) ||
    passingWordsOfPooler.test(error.message)
  );
}

/** @param answerMs time limit for the response to every statement; none when left out */
export function createDb(pool: pg.Pool, { answerMs }: { answerMs?: number } = {}): Db {
  const own = answerMs === undefined ? pool : answeringPool(pool, answerMs);
  return new Kysely<Database>({ dialect: new PoolDialect(pool, own) });
}

/** Wraps the pool so that a connection is dropped when its server leaves a statement unanswered. */
function answeringPool(pool: pg.Pool, answerMs: number): PostgresPool {
  return {
    connect: async () => new AnsweringClient(await pool.connect(), answerMs),
    end: () => pool.end(),
  };
}

/**
 * Detects a server that has vanished silently, as in a failover: drops the connection, and the pool opens another. The server's
 * own limit for a statement is shorter.
 */
class AnsweringClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #plain: PostgresPoolClient;
  readonly #answerMs: number;
  constructor(client: pg.PoolClient, answerMs: number) {
    this.#client = client;
    this.#plain = client;
    this.#answerMs = answerMs;
  }
  query<Row>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    query: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof query !== "string") return this.#plain.query<Row>(query);
    const late = setTimeout(() => this.#client.connection.stream.destroy(), this.#answerMs);
    return this.#plain.query<Row>(query, parameters).finally(() => clearTimeout(late));
  }
  release(): void {
    this.#client.release();
  }
}

/** Opens the same database for reading only: PostgreSQL itself refuses every write (isReadOnlyViolation). */
export function createReadOnlyDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new ReadOnlyDialect(pool) });
}

/** Whether a write was refused because its connection is read-only. */
export function isReadOnlyViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "25006";
}

class PoolDialect extends PostgresDialect {
  readonly #pool: pg.Pool;
  /** @param own executes the statements before they reach the pool */
  constructor(pool: pg.Pool, own: PostgresPool = pool) {
    super({ pool: own });
    this.#pool = pool;
  }
  override createDriver(): Driver {
    const driver = super.createDriver();
    return this.#pool instanceof PoolBehindPooler ? new PoolerDriver(driver, this.#pool.limits) : driver;
  }
}

class ReadOnlyDialect extends PoolDialect {
  override createDriver(): Driver {
    return new ReadOnlyDriver(super.createDriver());
  }
}

/**
 * Starts a read-only transaction with each connection's first statement. A connection setting would not do: a database whose
 * clients share a session, such as the embedded one, would keep it for all of them.
 */
class ReadOnlyDriver implements Driver {
  readonly #driver: Driver;
  constructor(driver: Driver) {
    this.#driver = driver;
  }
  init(): Promise<void> {
    return this.#driver.init();
  }
  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await this.#driver.acquireConnection();
    try {
      await this.#begin(connection);
    } catch (error) {
      await this.#driver.releaseConnection(connection);
      throw error;
    }
    return connection;
  }
  async beginTransaction(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  /** There is nothing to undo, but a transaction in which a statement failed accepts no other. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#driver.rollbackTransaction(connection);
    await this.#begin(connection);
  }
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    try {
      await this.#driver.rollbackTransaction(connection);
    } finally {
      await this.#driver.releaseConnection(connection);
    }
  }
  destroy(): Promise<void> {
    return this.#driver.destroy();
  }
  #begin(connection: DatabaseConnection): Promise<void> {
    return this.#driver.beginTransaction(connection, { accessMode: "read only" });
  }
}

/** Checks that the database responds. @throws when it does not */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
