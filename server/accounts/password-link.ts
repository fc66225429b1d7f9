/** Mails the logged-in user a link to choose a password, which also proves the mailbox. */
import { newId, type UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { notFound } from "#server/foundation/errors.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { findUser } from "./users.ts";

/**
 * Mails the link. No link only confirms the email, because that would keep a password that another person may have set. Pass
 * `db`, not a transaction: tries must count even when the rest fails.
 * @returns the address it goes to
 * @throws DomainError rate_limited after five an hour
 */
export async function mailPasswordLink(db: Db, userId: UserId): Promise<string> {
  const user = await findUser(db, userId);
  if (user === null) throw notFound("account");
  await consumeRateLimit(db, { name: "password-link", key: userId, limit: 5, windowSeconds: 3_600 });
  await db.transaction().execute((trx) =>
    queueOwnMail(trx, {
      kind: user.emailVerifiedAt === null ? "confirm-email" : "reset-password",
      dedupeKey: `password-link:${newId()}`,
      userId,
    }),
  );
  return user.email;
}
