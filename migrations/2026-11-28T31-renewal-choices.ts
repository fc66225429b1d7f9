/**
 * What companies say will become of a subscription at the end of its term: keep all licences, fewer, or let it end. Of one term, as its end is
 * written at the time. Whoever has a letter's link may say so, which a token of that subscription shows.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table renewal_choices (
      subscription_id uuid primary key references subscriptions (id) on delete cascade,
      term_end timestamptz not null,
      decision text not null check (decision in ('keep', 'fewer', 'stop')),
      seats integer check (seats > 0),
      chosen_at timestamptz not null,
      chosen_by uuid references users (id) on delete set null,
      by_link boolean not null,
      constraint renewal_choices_seats check ((decision = 'fewer') = (seats is not null))
    )`.execute(db);
  await sql`create index renewal_choices_user on renewal_choices (chosen_by) where chosen_by is not null`.execute(
    db,
  );
  await sql`
    alter table one_time_tokens
      add column subscription_id uuid,
      add constraint one_time_tokens_subscription foreign key (subscription_id)
        references subscriptions (id) on delete cascade not valid`.execute(db);
}
