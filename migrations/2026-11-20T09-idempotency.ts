/** Idempotency keys: what a call that creates or charges has answered, so that a repeat is answered alike and does nothing. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table idempotency_keys (
      key_hash text primary key,
      body_hash text not null,
      claim uuid not null,
      status integer check (status between 200 and 599),
      reply_ciphertext text,
      started_at timestamptz not null,
      expires_at timestamptz not null,
      constraint idempotency_keys_reply check ((status is null) = (reply_ciphertext is null))
    )`.execute(db);
  await sql`create index idempotency_keys_expires on idempotency_keys (expires_at)`.execute(db);
}
