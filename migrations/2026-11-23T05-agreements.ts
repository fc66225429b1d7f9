/**
 * The version in force of each vendor's agreement with its customers, as last heard, and who accepted which version with which
 * order. The version still serving writes none: an order without an acceptance was placed by it.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agreement_versions (
      family text not null references families (id),
      country text not null references countries (id),
      version text not null,
      link text,
      seen_at timestamptz not null default now(),
      primary key (family, country)
    )`.execute(db);
  await sql`
    create table agreement_acceptances (
      id uuid primary key,
      order_id uuid not null references orders (id) on delete cascade,
      agreement text not null,
      version text,
      accepted_at timestamptz not null,
      user_id uuid references users (id) on delete set null,
      first_name text not null,
      last_name text not null,
      email text not null,
      phone_number text not null
    )`.execute(db);
  await sql`create index agreement_acceptances_of_order on agreement_acceptances (order_id, accepted_at)`.execute(
    db,
  );
}
