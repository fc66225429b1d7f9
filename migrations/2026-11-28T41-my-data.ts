/** What people ask for of their own data: exports with their files, which live for some days, and deletions that wait out their days of grace. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table data_exports (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      customer_id uuid references customers (id) on delete cascade,
      state text not null check (state in ('running', 'ready')),
      place jsonb not null,
      files integer not null default 0,
      done integer not null default 0,
      planned integer not null,
      asked_at timestamptz not null,
      ready_at timestamptz,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index data_exports_user on data_exports (user_id, asked_at desc)`.execute(db);
  await sql`create index data_exports_customer on data_exports (customer_id)`.execute(db);
  await sql`create index data_exports_over on data_exports (expires_at)`.execute(db);
  await sql`
    create table data_export_files (
      export_id uuid not null references data_exports (id) on delete cascade,
      position integer not null,
      name text not null,
      made_at timestamptz not null,
      bytes bytea not null,
      primary key (export_id, position)
    )`.execute(db);
  await sql`
    create table account_deletions (
      user_id uuid primary key references users (id) on delete cascade,
      asked_at timestamptz not null,
      due_at timestamptz not null,
      done_at timestamptz
    )`.execute(db);
}
