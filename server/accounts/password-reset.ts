/** Password reset for pages and JSON calls: mails a link, and sets a new password with it. */
import type { UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { requireNewPasswordLength } from "./new-password.ts";
import { consumeToken, type PasswordPurpose, passwordPurposes, peekToken } from "./one-time-tokens.ts";
import { findUser, findUserByEmail, setPassword } from "./users.ts";

export const passwordUpdateFailed = msg("access.passwordUpdateFailed");
export const resetMailFailed = msg("access.resetFailed");

const hour = 3_600;

/**
 * Requests a reset link. The email is not looked up here but by the worker, so that known and unknown emails take the
 * same time. Five an hour for an email, twenty for a network. Pass `db`, not a transaction: tries must count even when
 * the rest fails.
 * @param clientAddress as the proxy in front reports it
 * @throws DomainError rate_limited
 */
export async function requestPasswordReset(db: Db, email: string, clientAddress: string): Promise<void> {
  const requested = email.trim().toLowerCase();
  const limit = { windowSeconds: hour, refusal: resetMailFailed };
  await consumeRateLimit(db, { ...limit, name: "reset-network", key: networkOf(clientAddress), limit: 20 });
  await consumeRateLimit(db, { ...limit, name: "reset-email", key: requested, limit: 5 });
  const requestId = crypto.randomUUID();
  await db
    .transaction()
    .execute((trx) =>
      addJob(trx, "mail-reset-link", { requestId, email: requested }, { jobKey: `reset:${requestId}` }),
    );
}

/** Queues the mail when the email has an account that may log in; the worker calls it. Idempotent by request id. */
export async function queueResetMail(db: Db, request: { requestId: string; email: string }): Promise<void> {
  const user = await findUserByEmail(db, request.email);
  if (user === null || user.disabledAt !== null) return;
  await db.transaction().execute((trx) =>
    queueOwnMail(trx, {
      kind: "reset-password",
      dedupeKey: `reset-password:${request.requestId}`,
      userId: user.id,
    }),
  );
}

/**
 * Returns the account whose password a mailed link may set; `null` when the link is unknown, used or expired, or the account is
 * disabled.
 */
export async function findLinkHolder(db: Db, token: string): Promise<{ email: string } | null> {
  const link = await findLink(db, token);
  const user = link === null ? null : await findUser(db, link.userId);
  return user === null || user.disabledAt !== null ? null : { email: user.email };
}

/**
 * Uses the link, sets the password, revokes every older session and marks the email as proven.
 * @returns the account's user
 * @throws DomainError bad_request on the field `password` when it is too short, or as hashNewPassword, in which case the link
 * stays valid; without fields when the link is unknown, used or expired
 */
export async function resetPassword(trx: Trx, input: { token: string; password: string }): Promise<UserId> {
  requireNewPasswordLength(input.password);
  const link = await findLink(trx, input.token);
  const holder =
    link === null ? null : await consumeToken(trx, { purpose: link.purpose, token: input.token });
  if (holder === null) throw new DomainError("bad_request", msg("access.passwordLinkOver"));
  await setPassword(trx, holder.userId, input.password, { byMailedToken: true });
  return holder.userId;
}

/** Finds a link of either purpose: links to set the first password and links to reset it differ only in their mails. */
async function findLink(db: Db, token: string): Promise<{ userId: UserId; purpose: PasswordPurpose } | null> {
  for (const purpose of passwordPurposes) {
    const holder = await peekToken(db, { purpose, token });
    if (holder !== null) return { userId: holder.userId, purpose };
  }
  return null;
}
