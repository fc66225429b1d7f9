/** A company's rules for its orders: above which amount they need an approver's yes, and how much each buyer may order. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table company_rules (
      customer_id uuid primary key references customers (id) on delete cascade,
      approval_above_minor bigint check (approval_above_minor >= 0),
      includes_owners boolean not null default false
    )`.execute(db);
  await sql`
    create table buyer_limits (
      customer_id uuid not null,
      user_id uuid not null,
      per_order_minor bigint check (per_order_minor >= 0),
      per_month_minor bigint check (per_month_minor >= 0),
      primary key (customer_id, user_id),
      foreign key (customer_id, user_id) references members (customer_id, user_id) on delete cascade
    )`.execute(db);
}
