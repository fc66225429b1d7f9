/** Which version of our terms and of the privacy notice was accepted, by whom and when, and what each version says. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table consent_texts (
      text text not null check (text in ('terms', 'privacy')),
      version text not null,
      words jsonb not null,
      first_used_at timestamptz not null,
      primary key (text, version)
    )`.execute(db);
  await sql`
    create table consents (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      order_id uuid references orders (id) on delete cascade,
      text text not null,
      version text not null,
      language text,
      network text,
      accepted_at timestamptz not null,
      foreign key (text, version) references consent_texts (text, version)
    )`.execute(db);
  await sql`create index consents_user on consents (user_id, accepted_at desc)`.execute(db);
  await sql`create index consents_order on consents (order_id)`.execute(db);
  await sql`create index consents_text on consents (text, version)`.execute(db);
}
