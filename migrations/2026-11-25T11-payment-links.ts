/**
 * A third payment provider, paid through a link that is mailed; what was begun to be paid and is closed, of which providers are told; and those
 * accounts to which money may still come although their order is paid. The version still serving closes nothing, and looks at none of
 * the latter.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into payment_providers (id) values ('payment-link')`.execute(db);
  await sql`
    alter table payment_intents
      add column closed_at timestamptz,
      add column takes_more boolean not null default false`.execute(db);
  await sql`
    create table payment_links (
      intent_id uuid primary key references payment_intents (id),
      url text not null,
      expires_at timestamptz not null
    )`.execute(db);

  // Accounts that were paid already and are open still.
  await sql`
    update payment_intents set takes_more = true, next_look_at = coalesce(next_look_at, now())
      where status = 'paid' and provider = 'bank-transfer'`.execute(db);
  // The version still serving asks for one of the two, which the wider index answers too.
  await sql`create index payment_intents_awaited on payment_intents (next_look_at)
    where (status <> 'paid' or takes_more) and provider_order_id is not null and next_look_at is not null`.execute(
    db,
  );
  await sql`drop index payment_intents_due`.execute(db);
}
