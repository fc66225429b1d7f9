/** When staff locked an account. Apart from `disabled_at`, which a deletion sets and nothing takes back. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column locked_at timestamptz`.execute(db);
}
