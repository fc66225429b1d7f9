/**
 * Rewrites the emails of quote requests as 2026-11-30T11-emails-as-seen did for billing contacts, since they are searched and erased by
 * email. They need not be unique.
 *
 * It reads the table without a lock and changes the few rows that differ, each by its id.
 */
import { type Kysely, sql } from "kysely";
import { singleLine } from "./2026-11-30T11-emails-as-seen.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from quote_requests where email !~ '^[!-~]*$'`.execute(db);
  for (const { id, email } of rows) {
    const seen = singleLine(email);
    if (seen !== email) await sql`update quote_requests set email = ${seen} where id = ${id}`.execute(db);
  }
}
