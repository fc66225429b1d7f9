/** Which run works on an order's stored steps, so that a worker that was taken for dead and wakes up does nothing more. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table order_runs (
      order_id uuid primary key references orders (id) on delete cascade,
      run_id uuid not null,
      begun_at timestamptz not null default now()
    )`.execute(db);
}
