/**
 * PostgreSQL for people who have none installed: PGlite, spoken to over a socket by the same driver as a real server.
 * It is one session behind many connections, so statements of different clients take turns; nothing runs in parallel.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { lockFolder } from "./folder-lock.ts";

export interface EmbeddedOptions {
  /** The folder the data stays in, or null for a database in memory. */
  dataDir: string | null;
  /** 0 takes a free one. */
  port: number;
  host?: string;
  /** A file written by `saveSnapshot`; the database starts as it was then. Only for a database in memory. */
  snapshot?: string;
  /** The database cannot go on; the process is best ended, a new start recovers the data. */
  onFailure?: (error: unknown) => void;
}

export interface EmbeddedPostgres {
  url: string;
  /** Writes the whole database to a file that `snapshot` starts from. */
  saveSnapshot(file: string): Promise<void>;
  stop(): Promise<void>;
}

const maxConnections = 50;

/**
 * @throws Error when another living process has the data folder, or the port is taken
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, port, host = "127.0.0.1", snapshot, onFailure = () => undefined } = options;
  if (dataDir !== null) await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = dataDir === null ? () => undefined : lockFolder(dataDir);
  try {
    const database = await PGlite.create({
      ...(dataDir === null ? {} : { dataDir }),
      ...(snapshot === undefined ? {} : { loadDataDir: new Blob([await readFile(snapshot)]) }),
      extensions: { pg_trgm },
    });
    keepBatchesTogether(database, onFailure);
    const server = new PGLiteSocketServer({ db: database, port, host, maxConnections });
    await server.start();
    return {
      url: `postgres://postgres@${server.getServerConn()}/postgres`,
      async saveSnapshot(file) {
        const dump = await database.dumpDataDir("none");
        const unfinished = `${file}.${process.pid}`;
        await writeFile(unfinished, new Uint8Array(await dump.arrayBuffer()));
        await rename(unfinished, file);
      },
      async stop() {
        await server.stop();
        await database.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

const sync = Uint8Array.of("S".charCodeAt(0), 0, 0, 0, 4);

/**
 * The socket server passes messages on one by one and lets another client in whenever no transaction is open. A query
 * with parameters is several messages (Parse, Bind, ... Sync) that share the session's unnamed statement, so a client
 * let in between them would answer with its own rows. Such a batch therefore counts as a transaction until its Sync.
 */
function keepBatchesTogether(database: PGlite, onFailure: (error: unknown) => void): void {
  const inTransaction = database.isInTransaction.bind(database);
  const exec = database.exec.bind(database);
  const stream = database.execProtocolRawStream.bind(database);
  let batchOpen = false;

  database.isInTransaction = () => batchOpen || inTransaction();
  database.execProtocolRawStream = async (message, options) => {
    batchOpen = "PBDECH".includes(String.fromCharCode(message[0] ?? 0));
    try {
      await stream(message, options);
    } catch (error) {
      // Errors in SQL arrive as messages; one thrown is the engine's own end, and the server would hang on it in silence.
      onFailure(error);
      throw error;
    }
  };
  // Called for ROLLBACK when a client is gone in mid-transaction; after an error only a Sync makes the session listen.
  database.exec = async (query, options) => {
    if (batchOpen) {
      batchOpen = false;
      await database.runExclusive(() => stream(sync, { onRawData: () => undefined }));
    }
    return inTransaction() ? exec(query, options) : [];
  };
}
