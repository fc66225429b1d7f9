/** Deletes expired rows in small batches, so that no statement holds its locks for long. */
import { type RawBuilder, sql } from "kysely";
import { isCredentialsExpired } from "#db/accounts/credentials.ts";
import type { Database, Db } from "#db/tables/index.ts";

const batch = 500;
/** Limit per table and run. The next run continues. */
const maxBatches = 200;

/** Column with the time at which a row of these tables expired. */
const overAt = {
  one_time_tokens: "expires_at",
  unsubscribe_links: "expires_at",
  billing_contact_links: "expires_at",
  identity_proofs: "expires_at",
  authenticator_set_ups: "expires_at",
  pending_sign_ins: "expires_at",
  passkey_challenges: "expires_at",
  sessions: "expires_at",
  known_devices: "last_used_at",
  rate_limits: "window_start",
  rate_limit_windows: "started_at",
  idempotency_keys: "expires_at",
  provider_events: "received_at",
  provider_calls: "at",
  provider_limits: "day",
  data_exports: "expires_at",
} as const;

/** Deletes rows that expired before the given time. @returns the number of deleted rows */
export function deleteExpired(db: Db, table: keyof typeof overAt, before: Date): Promise<number> {
  return deleteWhere(db, table, sql`${sql.ref(overAt[table])} < ${before}`);
}

export function deleteExpiredCredentials(db: Db, now: Date): Promise<number> {
  return deleteWhere(db, "credentials", isCredentialsExpired(now));
}

/** Deletes only drafts that no account claimed and for which no payment was begun. @returns the number of deleted drafts */
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
  for (let run = 0; run < maxBatches; run += 1) {
    // By ctid, which every table has regardless of its key. A concurrently updated row has a new ctid and stays.
    const { numAffectedRows = 0n } =
      await sql`delete from ${rows} where ctid = any (array(select ctid from ${rows} where ${condition} limit ${batch}))`.execute(
        db,
      );
    deleted += Number(numAffectedRows);
    if (numAffectedRows < batch) break;
  }
  return deleted;
}
