/** Collects a migration's statements without a database: to build its indexes ahead, and to check the rules for migrations. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  Kysely,
  type Migration,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";

/** @returns its statements in their order, as if every query found no row */
export async function statementsOf({ up }: Pick<Migration, "up">): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({ dialect: recordingDialect(statements) });
  await up(db);
  await db.destroy();
  return statements;
}

function recordingDialect(statements: string[]): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new RecordingDriver(statements),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class RecordingDriver extends DummyDriver {
  readonly #statements: string[];
  constructor(statements: string[]) {
    super();
    this.#statements = statements;
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new RecordingConnection(this.#statements);
  }
}

class RecordingConnection implements DatabaseConnection {
  readonly #statements: string[];
  constructor(statements: string[]) {
    this.#statements = statements;
  }
  async executeQuery<Row>({ sql }: CompiledQuery): Promise<QueryResult<Row>> {
    this.#statements.push(sql);
    return { rows: [] };
  }
  async *streamQuery(): AsyncIterableIterator<never> {}
}
