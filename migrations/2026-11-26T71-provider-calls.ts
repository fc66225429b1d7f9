/**
 * Each call that was made to a provider for an order, with its answer in short, as the order's story shows it. Rows are added and, when
 * they are old, deleted; none is ever changed. There is no reference to the order: the key's lock would make a call wait for the
 * transaction that it is made beside.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table provider_calls (
      id bigint generated always as identity primary key,
      order_id uuid not null,
      at timestamptz not null,
      provider text not null check (length(provider) <= 40),
      method text not null check (length(method) <= 10),
      path text not null check (length(path) <= 300),
      request_id text check (length(request_id) <= 100),
      status integer,
      ms integer not null,
      attempt integer not null,
      answer text check (length(answer) <= 400)
    )`.execute(db);
  await sql`create index provider_calls_order on provider_calls (order_id, id)`.execute(db);
  await sql`create index provider_calls_at on provider_calls (at)`.execute(db);
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'A row of % is never changed', tg_table_name;
    end $$`.execute(db);
  await sql`
    create trigger provider_calls_stay before update on provider_calls
    for each row execute function refuse_change()`.execute(db);
}
