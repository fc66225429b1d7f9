/**
 * PostgreSQL for developers without an installed server: PGlite behind a socket, used with the same driver as a real server.
 * All connections share one session, so the statements of different clients take turns and nothing runs in parallel.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { lockFolder } from "./folder-lock.ts";

export interface EmbeddedOptions {
  /** The data folder, or null for an in-memory database. */
  dataDir: string | null;
  /** 0 picks a free port. */
  port: number;
  host?: string;
  /** A file written by `saveSnapshot`, from which the database starts. In-memory databases only. */
  snapshot?: string;
  /** Called when the database cannot continue. The process should exit: a restart recovers the data. */
  onFailure?: (error: unknown) => void;
}

export interface EmbeddedPostgres {
  url: string;
  /** Writes the whole database to a file for the `snapshot` option. */
  saveSnapshot(file: string): Promise<void>;
  stop(): Promise<void>;
}

const maxConnections = 50;

/** @throws Error when another live process uses the data folder, or when the port is taken */
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
 * The socket server forwards messages one by one and lets another client in whenever no transaction is open. A query with
 * parameters is several messages (Parse, Bind, ... Sync) that share the session's unnamed statement, so an interleaved client
 * would get the wrong rows. Such a batch therefore counts as a transaction until its Sync.
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
      // SQL errors arrive as messages. An exception means that the engine itself has died, and the server would hang
      // silently.
      onFailure(error);
      throw error;
    }
  };
  // Called for ROLLBACK when a client disconnects in mid-transaction. After an error, the session ignores everything up to a
  // Sync.
  database.exec = async (query, options) => {
    if (batchOpen) {
      batchOpen = false;
      await database.runExclusive(() => stream(sync, { onRawData: () => undefined }));
    }
    return inTransaction() ? exec(query, options) : [];
  };
}
