/** Certificates of the tax that buyers withheld from a transfer, as they arrive. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tds_certificates (
      proforma_number text not null references proformas (number),
      number text not null,
      dated date not null,
      amount_minor bigint not null check (amount_minor > 0),
      booked_by text not null,
      booked_at timestamptz not null default now(),
      primary key (proforma_number, number)
    )`.execute(db);
  await sql`create index proformas_withheld on proformas (order_id) where withheld_minor > 0`.execute(db);
}
