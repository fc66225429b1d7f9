/**
 * Deletes what has had its time: abandoned visitors' drafts, spent tokens and sessions, shown credentials, closed rate limits.
 * A few hundred rows at a time, so that no statement holds its locks for long, however much there is.
 */
import { type RawBuilder, sql } from "kysely";
import { credentialsOver } from "#db/credentials.ts";
import type { Database, Db } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";

const dayMs = 86_400_000;
const batch = 500;
/** Of one table in one run; the next, an hour later, goes on. */
const mostBatches = 200;

export async function cleanUp({ db, log }: Context, now = new Date()): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  await deleteFrom(db, "credentials", credentialsOver(now));
  await deleteFrom(db, "one_time_tokens", sql`expires_at < ${before(30)}`);
  await deleteFrom(db, "identity_proofs", sql`expires_at < ${before(1)}`);
  await deleteFrom(db, "sessions", sql`expires_at < ${before(30)}`);
  await deleteFrom(db, "rate_limits", sql`window_start < ${before(2)}`);
  await deleteFrom(db, "idempotency_keys", sql`expires_at < ${now}`);
  await deleteFrom(db, "provider_events", sql`received_at < ${before(90)}`);
  // Only drafts that no account ever claimed and for which no payment was begun.
  const drafts = await deleteFrom(
    db,
    "orders",
    sql`payment_status = 'none' and user_id is null and updated_at < ${before(30)}
      and not exists (select from payment_intents where payment_intents.order_id = orders.id)`,
  );
  log.info({ drafts }, "cleaned up");
}

/** @returns how many rows */
async function deleteFrom(db: Db, table: keyof Database, condition: RawBuilder<unknown>): Promise<number> {
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
