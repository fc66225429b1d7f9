/** The mails that were refused, came back or were withheld, by when they were asked for: few of many. On a large database build it before by hand, as those of 2026-11-22T01. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists mails_not_delivered on mails (created_at, id) where refused_at is not null`.execute(
    db,
  );
}
