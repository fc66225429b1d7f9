/** How far each provider's calls are booked ahead, so that all processes together keep within its quota. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table call_paces (name text primary key, next_at timestamptz not null)`.execute(db);
}
