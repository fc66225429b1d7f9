/** Who besides the buyer gets a company's documents by mail, and the links that they confirm and end it with. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table billing_contacts (
      id uuid primary key,
      customer_id uuid not null references customers (id) on delete cascade,
      email text not null,
      gets_invoices boolean not null,
      gets_proformas boolean not null,
      created_at timestamptz not null default now(),
      confirmed_at timestamptz
    )`.execute(db);
  await sql`create unique index billing_contacts_email on billing_contacts (customer_id, lower(email))`.execute(
    db,
  );
  await sql`
    create table billing_contact_links (
      hash text primary key,
      contact_id uuid not null references billing_contacts (id) on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index billing_contact_links_contact on billing_contact_links (contact_id)`.execute(db);
  await sql`create index billing_contact_links_expiry on billing_contact_links (expires_at)`.execute(db);
}
