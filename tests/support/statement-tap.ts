/**
 * Records each statement with its values in transit between the store and its PostgreSQL: the statements that are really sent, by
 * any reader. Parses the extended protocol as the driver `pg` uses it, with text values.
 */
import { messages, tapProtocol } from "./protocol-tap.ts";

export interface TappedStatement {
  sql: string;
  /** Values as text; null for null. */
  values: readonly (string | null)[];
}

export interface StatementTap {
  /** The database's address, through the tap. */
  url: string;
  /** Statements sent since the last call. */
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
  /** Statement texts by name; "" is an unnamed one. */
  const texts = new Map<string, string>();
  return messages({ isGreeted: false }, (type, body) => {
    // A Parse message has name and text, the first time or each time; a Bind message then has name and values. A statement
    // without values may be a simple query.
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

/** The texts at the start of a message, each of which ends with a zero byte. */
function textsOf(body: Buffer, count: number): string[] {
  return body.toString("utf8").split("\0", count);
}

/** Values of a Bind message: portal, statement, the values' formats, then each value with its length. */
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
