/**
 * Deletes expired data: abandoned visitors' drafts, spent tokens and sessions, expired credentials, idempotency keys,
 * provider events, closed rate limits, old counts of providers' limits.
 */
import { deleteCredentialsOver, deleteOver, deleteUnclaimedDrafts } from "#db/clean-up.ts";
import type { Context } from "#server/context.ts";

const dayMs = 86_400_000;

export async function cleanUp({ db, log }: Context, now = new Date()): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  await deleteCredentialsOver(db, now);
  await deleteOver(db, "one_time_tokens", before(30));
  await deleteOver(db, "identity_proofs", before(1));
  await deleteOver(db, "sessions", before(30));
  await deleteOver(db, "rate_limits", before(2));
  await deleteOver(db, "idempotency_keys", now);
  await deleteOver(db, "provider_events", before(90));
  await deleteOver(db, "provider_limits", before(90));
  const drafts = await deleteUnclaimedDrafts(db, before(30));
  log.info({ drafts }, "cleaned up");
}
