/** The subject of an export or deletion, and the search and redaction of their names in free text. */
import { type RawBuilder, sql } from "kysely";
import type { CustomerId, UserId } from "#db/ids.ts";
import type { Database } from "#db/tables/index.ts";

export interface DataSubject {
  userId: UserId;
  /** Lower case. */
  email: string;
  /** Requested company of an export; for a deletion, the companies without another member. */
  customerIds: readonly CustomerId[];
  /** Strings that identify the person in free text (email, phone, full name); never empty. */
  names: readonly string[];
}

/** Returns a PostgreSQL pattern that matches any of the names as whole words, ignoring case. */
export function namePattern({ names }: DataSubject): string {
  const each = names.map((name) => name.replaceAll(/[^\p{L}\p{N}\s@]/gu, "\\$&"));
  return `\\m(?:${each.join("|")})\\M`;
}

const instead = "[deleted]";

/** Redacts the names in a text or JSON column of all rows. @param which the rows to search; all when left out */
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

/** The searched columns that are jsonb. */
const jsonColumns = new Set([
  "provider_requests.result",
  "cancellations.decision",
  "mails.data",
  "audit_log.data",
  "quotes.facts",
]);
