/**
 * Behind a pooler that lends a session for one transaction at a time, a session's settings are lost, or apply to other clients.
 * So a process sets its limits in each transaction, and a statement outside of one gets a separate transaction.
 */
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from "kysely";

/** Timeouts of a connection in milliseconds. Those left out are unlimited. */
export interface ConnectionLimits {
  statementMs?: number;
  /** Longest wait for a row lock of another transaction. */
  lockMs?: number;
  /** Longest idle time between two statements of one transaction, whose process may have died. */
  idleInTransactionMs?: number;
  /** Longest wait for a free connection in the pool. */
  acquireMs?: number;
}

type TransactionSettings = Parameters<Driver["beginTransaction"]>[1];

/** Wraps a driver whose connections pipeline consecutive queries, so that no statement waits for its transaction to begin. */
export class PoolerDriver implements Driver {
  readonly #driver: Driver;
  /** Settings for each transaction; "" when there are none. */
  readonly #settings: string;
  /** Some limits also apply to a statement outside of a transaction. */
  readonly #limitsStatements: boolean;
  constructor(driver: Driver, limits: ConnectionLimits) {
    this.#driver = driver;
    this.#settings = settingsOf(limits);
    this.#limitsStatements = limits.statementMs !== undefined || limits.lockMs !== undefined;
  }
  init(): Promise<void> {
    return this.#driver.init();
  }
  async acquireConnection(): Promise<DatabaseConnection> {
    const own = await this.#driver.acquireConnection();
    return new LentConnection(
      own,
      this.#limitsStatements ? (query) => this.#executeAlone(own, query) : (query) => own.executeQuery(query),
    );
  }
  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const lent = lentOf(connection);
    const begun = this.#driver.beginTransaction(lent.own, settings);
    await allOf(this.#settings === "" ? [begun] : [begun, send(lent.own, this.#settings)]);
    lent.isInTransaction = true;
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const lent = lentOf(connection);
    lent.isInTransaction = false;
    await this.#driver.commitTransaction(lent.own);
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const lent = lentOf(connection);
    lent.isInTransaction = false;
    await this.#driver.rollbackTransaction(lent.own);
  }
  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#driver.releaseConnection(lentOf(connection).own);
  }
  destroy(): Promise<void> {
    return this.#driver.destroy();
  }

  async #executeAlone<Row>(own: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<Row>> {
    const begun = send(own, `begin; ${this.#settings}`);
    const result = own.executeQuery<Row>(query);
    // Rolls back if a statement failed.
    const ended = this.#driver.commitTransaction(own);
    await allOf([begun, result, ended]);
    return result;
  }
}

/** A connection that runs a statement outside of a transaction in a transaction. */
class LentConnection implements DatabaseConnection {
  isInTransaction = false;
  readonly own: DatabaseConnection;
  readonly #executeAlone: DatabaseConnection["executeQuery"];
  constructor(own: DatabaseConnection, executeAlone: DatabaseConnection["executeQuery"]) {
    this.own = own;
    this.#executeAlone = executeAlone;
  }
  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.isInTransaction ? this.own.executeQuery(query) : this.#executeAlone(query);
  }
  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.own.streamQuery(query, chunkSize);
  }
}

function lentOf(connection: DatabaseConnection): LentConnection {
  if (connection instanceof LentConnection) return connection;
  throw new TypeError("A connection of another driver");
}

/** Formats the limits as settings of the present transaction. */
function settingsOf({ statementMs, lockMs, idleInTransactionMs }: ConnectionLimits): string {
  return Object.entries({
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  })
    .flatMap(([name, ms]) => (ms === undefined ? [] : [`set local ${name} = ${Math.round(ms)}`]))
    .join("; ");
}

function send(own: DatabaseConnection, text: string): Promise<unknown> {
  return own.executeQuery(CompiledQuery.raw(text));
}

/**
 * Waits for all, so that nothing is in progress when a connection is returned. @throws the first failure, in the order of sending
 */
async function allOf(sent: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
