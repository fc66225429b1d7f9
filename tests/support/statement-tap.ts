/**
 * Stands between the store and its PostgreSQL and writes down each statement with what it is asked with, as it crosses the line: what the
 * store really sends, whichever of its readers sends it. It reads the extended protocol as the driver `pg` speaks it, with texts as values.
 */
import { connect, createServer, type Socket } from "node:net";

export interface TappedStatement {
  sql: string;
  /** As texts; null for null. */
  values: readonly (string | null)[];
}

export interface StatementTap {
  /** The database's address, through the tap. */
  url: string;
  /** What was sent since it was last asked. */
  take(): TappedStatement[];
  stop(): Promise<void>;
}

/** @param databaseUrl over TCP, without TLS */
export async function tapStatements(databaseUrl: string): Promise<StatementTap> {
  const target = new URL(databaseUrl);
  let statements: TappedStatement[] = [];
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname);
    const read = reader((statement) => statements.push(statement));
    client.on("data", (part) => {
      read(part);
      database.write(part);
    });
    database.on("data", (part) => client.write(part));
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The tap has no port");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  return {
    url: url.href,
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a client says, part by part: a first message without a type, then messages of a type, a length and a body. */
function reader(onStatement: (statement: TappedStatement) => void): (part: Buffer) => void {
  let left = Buffer.alloc(0);
  let hasBegun = false;
  let sql = "";
  return (part) => {
    left = Buffer.concat([left, part]);
    for (;;) {
      const header = hasBegun ? 5 : 4;
      if (left.length < header) return;
      const length = left.readInt32BE(header - 4) + header - 4;
      if (left.length < length) return;
      const type = hasBegun ? String.fromCharCode(left[0] ?? 0) : "";
      const body = left.subarray(header, length);
      left = left.subarray(length);
      hasBegun = true;
      // Of a statement without a name: its text, then its values. A statement without values may come as one query.
      if (type === "P") [, sql = ""] = textsOf(body, 2);
      if (type === "B") onStatement({ sql, values: valuesOf(body) });
      if (type === "Q") onStatement({ sql: textsOf(body, 1)[0] ?? "", values: [] });
    }
  };
}

/** The texts that a message begins with, each of which ends with a zero. */
function textsOf(body: Buffer, count: number): string[] {
  return body.toString("utf8").split("\0", count);
}

/** Of a message that binds: portal, statement, the values' formats, then each value with its length. */
function valuesOf(body: Buffer): (string | null)[] {
  let at = body.indexOf(0) + 1;
  at = body.indexOf(0, at) + 1;
  const formats = body.readInt16BE(at);
  at += 2 + 2 * formats;
  const count = body.readInt16BE(at);
  at += 2;
  return Array.from({ length: count }, () => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length === -1) return null;
    const value = body.toString("utf8", at, at + length);
    at += length;
    return value;
  });
}
