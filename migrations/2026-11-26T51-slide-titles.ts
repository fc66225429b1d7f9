/** The titles of the home page's slides, once a person has edited them. The version before goes on saying its own. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table slide_titles (
      slide_id text primary key,
      titles jsonb not null,
      edited_at timestamptz not null
    )`.execute(db);
}
