/** Deletes what has had its time: abandoned visitors' drafts, spent tokens and sessions, shown credentials, closed rate limits. */
import type { Context } from "#server/context.ts";

const dayMs = 86_400_000;

export async function cleanUp({ db, log }: Context, now = new Date()): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  await db.deleteFrom("credentials").where("expires_at", "<", now).execute();
  await db.deleteFrom("one_time_tokens").where("expires_at", "<", before(30)).execute();
  await db.deleteFrom("identity_proofs").where("expires_at", "<", before(1)).execute();
  await db.deleteFrom("sessions").where("expires_at", "<", before(30)).execute();
  await db.deleteFrom("rate_limits").where("window_start", "<", before(2)).execute();
  await db.deleteFrom("idempotency_keys").where("expires_at", "<", now).execute();
  await db.deleteFrom("provider_events").where("received_at", "<", before(90)).execute();
  // Only drafts that no account ever claimed and for which no payment was begun.
  const drafts = await db
    .deleteFrom("orders")
    .where("user_id", "is", null)
    .where("payment_status", "=", "none")
    .where("updated_at", "<", before(30))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("payment_intents").select("id").whereRef("payment_intents.order_id", "=", "orders.id"),
        ),
      ),
    )
    .executeTakeFirst();
  log.info({ drafts: Number(drafts.numDeletedRows) }, "cleaned up");
}
