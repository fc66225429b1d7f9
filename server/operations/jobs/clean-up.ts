/**
 * Deletes expired data: abandoned visitors' drafts, used tokens and ended sessions, expired credentials, idempotency keys,
 * provider events and calls, closed rate limits, old counts of providers' limits, data exports. Records the end of overdue
 * impersonations in the audit log.
 */
import { deleteExpired, deleteExpiredCredentials, deleteUnclaimedDrafts } from "#db/platform/clean-up.ts";
import { trimProviderCalls } from "#db/platform/provider-calls.ts";
import { deviceDays } from "#server/accounts/devices.ts";
import { endOverdueImpersonations } from "#server/desk/impersonation.ts";
import type { Context } from "#server/platform/context.ts";

const dayMs = 86_400_000;
/** Newest calls kept per order: one that waits for weeks is polled every few minutes. */
const callsOfOrder = 1_000;

export async function cleanUp({ db, env, log }: Context, now = new Date()): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  await deleteExpiredCredentials(db, now);
  await deleteExpired(db, "one_time_tokens", before(30));
  await deleteExpired(db, "unsubscribe_links", now);
  await deleteExpired(db, "billing_contact_links", now);
  await deleteExpired(db, "identity_proofs", before(1));
  await deleteExpired(db, "authenticator_set_ups", before(1));
  await deleteExpired(db, "pending_sign_ins", before(1));
  await deleteExpired(db, "passkey_challenges", before(1));
  await deleteExpired(db, "sessions", before(30));
  await deleteExpired(db, "known_devices", before(deviceDays));
  await deleteExpired(db, "rate_limits", before(2));
  await deleteExpired(db, "rate_limit_windows", before(2));
  await deleteExpired(db, "idempotency_keys", now);
  await deleteExpired(db, "provider_events", before(90));
  await deleteExpired(db, "provider_calls", before(env.PROVIDER_CALLS_DAYS));
  // The clean-up runs every hour.
  await trimProviderCalls(db, { since: before(2 / 24), keep: callsOfOrder });
  await deleteExpired(db, "provider_limits", before(90));
  await endOverdueImpersonations(db, now);
  await deleteExpired(db, "data_exports", now);
  const drafts = await deleteUnclaimedDrafts(db, before(30));
  log.info({ drafts }, "cleaned up");
}
