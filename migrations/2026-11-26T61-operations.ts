/**
 * What the desk shows of mails, vendors and figures: mails that were not sent because their address is suppressed, when each kind of
 * webhook last came, how often a provider said that we ask too often, and the payments of a time by index alone. On a large database
 * build the index before by hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table mails add column withheld boolean not null default false`.execute(db);
  await sql`
    update mails set withheld = true
    where refused_at is not null
      and last_error = 'the address is suppressed: its server refused an earlier mail for good'`.execute(db);

  await sql`
    create table webhook_pulses (
      source text not null,
      kind text not null,
      last_at timestamptz not null,
      primary key (source, kind)
    )`.execute(db);
  await sql`
    insert into webhook_pulses (source, kind, last_at)
    select provider, type, max(received_at) from provider_events group by provider, type`.execute(db);

  await sql`
    create table provider_limits (
      provider text not null,
      day date not null,
      count integer not null,
      last_at timestamptz not null,
      primary key (provider, day)
    )`.execute(db);
  await sql`create index provider_limits_day on provider_limits (day)`.execute(db);

  await sql`create index if not exists payments_settled_sums on payments (settled_at)
    include (status, method, currency, amount_minor) where settled_at is not null`.execute(db);
  await sql`drop index if exists payments_settled_at`.execute(db);
}
