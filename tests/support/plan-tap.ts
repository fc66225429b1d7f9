/**
 * Every plan that PostgreSQL carries out for a database's sessions, with the rows that were read: its own auto_explain tells each session
 * of each of its statements, with those of triggers and foreign keys, and the tap reads that as it crosses the line. So a job's statements are
 * counted as they ran, on the rows that were there then, whichever process has sent them.
 */

import { messages, tapProtocol } from "./protocol-tap.ts";
import { parseAutoExplain, type RowsRead } from "./rows-read.ts";
import { onServer } from "./template.ts";

export type PlanRead = RowsRead & { sql: string };

export interface PlanTap {
  /** The database's address, through the tap: sessions that begin from now on are told of. */
  url: string;
  /** What was carried out since it was last asked. */
  take(): PlanRead[];
  /** Before the database goes: sessions that begin later are told nothing. */
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

/** @param databaseUrl of a PostgreSQL that has auto_explain, as a user who may change settings @throws Error otherwise */
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

/** A notice is fields of a letter and a text. @returns what follows "plan:" in its message; null for another notice */
function planIn(body: Buffer): string | null {
  const message = body
    .toString("utf8")
    .split("\0")
    .find((field) => field.startsWith("M"));
  const [, plan = null] = /^Mduration: [\d.]+ ms\s+plan:\n(.*)$/s.exec(message ?? "") ?? [];
  return plan;
}
