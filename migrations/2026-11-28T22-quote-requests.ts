/**
 * What approvers and payers are asked by link: a request for a version of a quote, its answer, and the hashes of the tokens that were
 * mailed for it, which stay so that a link that no longer works can say why.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table quote_requests (
      id uuid primary key,
      quote_id uuid not null references quotes (id) on delete cascade,
      kind text not null check (kind in ('approve', 'pay')),
      email text not null,
      why text not null,
      asked_by uuid references users (id) on delete set null,
      agreement text,
      created_at timestamptz not null,
      replaced_at timestamptz,
      answer text check (answer in ('approved', 'refused', 'transferred')),
      answer_words text,
      answered_at timestamptz,
      approver_id uuid references users (id) on delete set null,
      check ((answer is null) = (answered_at is null))
    )`.execute(db);
  await sql`create index quote_requests_quote on quote_requests (quote_id, created_at)`.execute(db);
  await sql`create index quote_requests_asked_by on quote_requests (asked_by)`.execute(db);
  await sql`create index quote_requests_approver on quote_requests (approver_id)`.execute(db);
  await sql`
    create table quote_request_tokens (
      hash text primary key,
      request_id uuid not null references quote_requests (id) on delete cascade,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index quote_request_tokens_request on quote_request_tokens (request_id)`.execute(db);
}
