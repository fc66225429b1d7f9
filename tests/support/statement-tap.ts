/**
 * Writes down each statement with what it is asked with, as it crosses the line between the store and its PostgreSQL: what the store really
 * sends, whichever of its readers sends it. It reads the extended protocol as the driver `pg` speaks it, with texts as values.
 */
import { messages, tapProtocol } from "./protocol-tap.ts";

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
  let statements: TappedStatement[] = [];
  const line = await tapProtocol(databaseUrl, {
    fromClient: () => reader((statement) => statements.push(statement)),
  });
  return {
    ...line,
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
  };
}

function reader(onStatement: (statement: TappedStatement) => void): (part: Buffer) => void {
  /** By their names; that of a statement that is asked once is "". */
  const texts = new Map<string, string>();
  return messages({ isGreeted: false }, (type, body) => {
    // Its name and text, the first time or each time; then its name and values. A statement without values may come as one query.
    if (type === "P") {
      const [name = "", sql = ""] = textsOf(body, 2);
      texts.set(name, sql);
    }
    if (type === "B") {
      const [, name = ""] = textsOf(body, 2);
      onStatement({ sql: texts.get(name) ?? "", values: valuesOf(body) });
    }
    if (type === "Q") onStatement({ sql: textsOf(body, 1)[0] ?? "", values: [] });
  });
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
