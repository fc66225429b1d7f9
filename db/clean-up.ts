/**
 * Deletes rows that have had their time, a few hundred at once, so that no statement holds its locks for long, however many there
 * are.
 */
import { type RawBuilder, sql } from "kysely";
import { credentialsOver } from "./credentials.ts";
import type { Database, Db } from "./tables/index.ts";

const batch = 500;
/** Of one table in one run; the next run goes on. */
const mostBatches = 200;

/** Where a row of these tables says when it was over. */
const overAt = {
  one_time_tokens: "expires_at",
  identity_proofs: "expires_at",
  sessions: "expires_at",
  rate_limits: "window_start",
  idempotency_keys: "expires_at",
  provider_events: "received_at",
} as const;

/** Deletes what was over before that moment. @returns how many rows */
export function deleteOver(db: Db, table: keyof typeof overAt, before: Date): Promise<number> {
  return deleteWhere(db, table, sql`${sql.ref(overAt[table])} < ${before}`);
}

export function deleteCredentialsOver(db: Db, now: Date): Promise<number> {
  return deleteWhere(db, "credentials", credentialsOver(now));
}

/** Only drafts that no account ever claimed and for which no payment was begun. @returns how many */
export function deleteUnclaimedDrafts(db: Db, untouchedSince: Date): Promise<number> {
  return deleteWhere(
    db,
    "orders",
    sql`payment_status = 'none' and user_id is null and updated_at < ${untouchedSince}
      and not exists (select from payment_intents where payment_intents.order_id = orders.id)`,
  );
}

async function deleteWhere(db: Db, table: keyof Database, condition: RawBuilder<unknown>): Promise<number> {
  const rows = sql.table(table);
  let deleted = 0;
  for (let run = 0; run < mostBatches; run += 1) {
    // By their places in the table, which every table has, whatever its key. A row changed meanwhile has another place and stays.
    const { numAffectedRows = 0n } =
      await sql`delete from ${rows} where ctid = any (array(select ctid from ${rows} where ${condition} limit ${batch}))`.execute(
        db,
      );
    deleted += Number(numAffectedRows);
    if (numAffectedRows < batch) break;
  }
  return deleted;
}
