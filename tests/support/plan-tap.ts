/**
 * Captures every plan that PostgreSQL executes for a database's sessions, with the rows read: auto_explain sends each session a
 * notice about each of its statements, including those of triggers and foreign keys, and the tap reads the notices in transit. So
 * a job's statements are counted as they ran, on the rows at that time, whichever process sent them.
 */

import { messages, tapProtocol } from "./protocol-tap.ts";
import { parseAutoExplain, type RowsRead } from "./rows-read.ts";
import { onServer } from "./template.ts";

export type PlanRead = RowsRead & { sql: string };

export interface PlanTap {
  /** The database's address, through the tap: sessions that begin from now on send notices. */
  url: string;
  /** Plans executed since the last call. */
  take(): PlanRead[];
  /** Turns the notices off for later sessions. Call before the database is dropped. */
  stop(): Promise<void>;
}

const settings: Readonly<Record<string, string>> = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_buffers": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice",
  jit: "off",
};

/** @param databaseUrl of a PostgreSQL with auto_explain, as a user who may change settings @throws Error otherwise */
export async function tapPlans(databaseUrl: string): Promise<PlanTap> {
  const database = new URL(databaseUrl).pathname.slice(1);
  for (const [name, value] of Object.entries(settings))
    await onServer(databaseUrl, `alter database ${database} set ${name} = '${value}'`);
  let plans: PlanRead[] = [];
  const line = await tapProtocol(databaseUrl, {
    fromDatabase: () =>
      messages({ isGreeted: true }, (type, body) => {
        const plan = type === "N" ? planIn(body) : null;
        if (plan !== null) plans.push(parseAutoExplain(plan));
      }),
  });
  return {
    url: line.url,
    take() {
      const taken = plans;
      plans = [];
      return taken;
    },
    async stop() {
      await line.stop();
      for (const name of Object.keys(settings))
        await onServer(databaseUrl, `alter database ${database} reset ${name}`);
    },
  };
}

/**
 * Parses a notice, whose fields are a letter and a text each.
 * @returns the text after "plan:" in its message; null for another notice
 */
function planIn(body: Buffer): string | null {
  const message = body
    .toString("utf8")
    .split("\0")
    .find((field) => field.startsWith("M"));
  const [, plan = null] = /^Mduration: [\d.]+ ms\s+plan:\n(.*)$/s.exec(message ?? "") ?? [];
  return plan;
}
