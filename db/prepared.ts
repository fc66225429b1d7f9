/**
 * Statements are prepared: PostgreSQL reads and plans each once a connection, which for a page's joins takes longer than carrying them out
 * (docs/decisions/prepared-statements.md).
 */
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";

/** What clients of pg take besides a text: a statement that has a name is prepared under it. */
interface Preparing {
  query<R>(statement: {
    name: string;
    text: string;
    values: readonly unknown[];
  }): Promise<PostgresQueryResult<R>>;
}

/** A statement that is asked this often is worth its place. */
const worthwhile = 5;
/** Each takes some ten kilobytes of each connection; what lists of different lengths make of one statement counts apart. */
const maxNames = 500;
const maxCounted = 2_000;
/** A longer text brings many rows at once, and will not come again with as many. */
const maxCharacters = 20_000;
const isPlanned = /^(select|insert|update|delete|with) /i;
/** The index of what begins with a text is used for a pattern alone that is known when its statement is planned. */
const isSearch = / like /i;

/** Names for the texts of statements, the same for all connections of a process. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #asked = new Map<string, number>();

  /** @returns undefined for a text that is asked seldom, a search, and what is no query: `begin` has no plan */
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size === maxNames) return known;
    if (text.length > maxCharacters || !isPlanned.test(text) || isSearch.test(text)) return undefined;
    const count = (this.#asked.get(text) ?? 0) + 1;
    if (count < worthwhile) {
      if (this.#asked.size === maxCounted) this.#asked.clear();
      this.#asked.set(text, count);
      return undefined;
    }
    this.#asked.delete(text);
    return this.rename(text);
  }

  /** Gives a text another name, so that each connection prepares it anew. */
  rename(text: string): string {
    const name = `statement_${crypto.randomUUID()}`;
    this.#names.set(text, name);
    return name;
  }
}

/** Asks a client of the pool, whose process gives the names. */
export class PreparingClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #plain: PostgresPoolClient;
  readonly #preparing: Preparing;
  readonly #names: StatementNames;
  constructor(client: pg.PoolClient, names: StatementNames) {
    this.#client = client;
    this.#plain = client;
    this.#preparing = client;
    this.#names = names;
  }
  query<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    statement: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof statement !== "string") return this.#plain.query<R>(statement);
    const isAlone = this.#client.getTransactionStatus() === "I";
    const name = isAlone || namesItsColumns(statement) ? this.#names.of(statement) : undefined;
    if (name === undefined) return this.#plain.query<R>(statement, parameters);
    const answer = this.#preparing.query<R>({ name, text: statement, values: parameters });
    return isAlone ? answer.catch((error: unknown) => this.#askAnew(error, statement, parameters)) : answer;
  }
  release(): void {
    this.#client.release();
  }

  /** A migration has given a table another column since the statement was prepared, and nothing was carried out. */
  #askAnew<R>(error: unknown, text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (!hasOutlivedItsTable(error)) throw error;
    this.#names.rename(text);
    return this.#plain.query<R>(text, parameters);
  }
}

/** A pool whose clients prepare what they are asked. */
export function preparingPool(pool: pg.Pool, names: StatementNames): PostgresPool {
  return {
    connect: async () => new PreparingClient(await pool.connect(), names),
    end: () => pool.end(),
  };
}

/** What it answers is not changed by another column of its tables, which in a transaction could not be made good. */
function namesItsColumns(text: string): boolean {
  return !/(select|returning|,) *\*|\.\*/i.test(text);
}

/** "cached plan must not change result type" */
function hasOutlivedItsTable(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && error.code === "0A000" && /cached plan/.test(error.message)
  );
}
