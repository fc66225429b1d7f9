/** Whose data is meant, and how what was said of them in free text is found and taken out. */
import { type RawBuilder, sql } from "kysely";
import type { CustomerId, UserId } from "#db/ids.ts";
import type { Database } from "#db/tables/index.ts";

export interface DataSubject {
  userId: UserId;
  /** In lower case. */
  email: string;
  /** Of an export the company that is asked for; of a deletion the companies that nobody else is left in. */
  customerIds: readonly CustomerId[];
  /** What free text may name them by: email, telephone, first and last name together. None is empty. */
  names: readonly string[];
}

/** A pattern of PostgreSQL that finds any of the names as whole words, compared without case. */
export function namePattern({ names }: DataSubject): string {
  const each = names.map((name) => name.replaceAll(/[^\p{L}\p{N}\s@]/gu, "\\$&"));
  return `\\m(?:${each.join("|")})\\M`;
}

const instead = "[deleted]";

/** Takes the names out of a text or a JSON column, wherever a row has them. @param which the rows that are looked through; all when left out */
export function scrub<Table extends keyof Database>(
  table: Table,
  column: keyof Database[Table] & string,
  of: DataSubject,
  which: RawBuilder<boolean> = sql<boolean>`true`,
): RawBuilder<unknown> {
  const pattern = namePattern(of);
  const name = sql.ref(column);
  const isJson = jsonColumns.has(`${table}.${column}`);
  const cleaned = sql`regexp_replace(${name}::text, ${pattern}, ${instead}, 'gi')`;
  const written = isJson ? sql`${cleaned}::jsonb` : cleaned;
  return sql`update ${sql.table(table)} set ${name} = ${written} where ${which} and ${name}::text ~* ${pattern}`;
}

/** The columns that are jsonb, of those that are looked through. */
const jsonColumns = new Set([
  "provider_requests.result",
  "cancellations.decision",
  "mails.data",
  "audit_log.data",
  "quotes.facts",
]);
