/** Desk finds a company by its names in the tax register. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists gst_registrations_legal_name on gst_registrations (lower(legal_name) text_pattern_ops)`.execute(
    db,
  );
  await sql`create index if not exists gst_registrations_trade_name on gst_registrations (lower(trade_name) text_pattern_ops) where trade_name <> ''`.execute(
    db,
  );
}
