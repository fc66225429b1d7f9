/** What a company says of itself: which of its places orders are sold to unless they say otherwise, and the tax it withholds from what it pays. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table addresses add column made_default_at timestamptz`.execute(db);
  await sql`
    create table company_tax_details (
      customer_id uuid primary key references customers (id) on delete cascade,
      deductor_number text,
      section text,
      rate_basis_points integer,
      changed_at timestamptz not null
    )`.execute(db);
}
