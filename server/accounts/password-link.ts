/** Mailing the signed-in user a link with which they choose a password: it shows that the mailbox is theirs. */
import { newId, type UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { notFound } from "../errors.ts";
import { queueMail } from "../outbox/mail.ts";
import { consumeRateLimit } from "../security/rate-limit.ts";
import { findUser } from "./users.ts";

/**
 * A link that only confirmed the email would leave a password in force that somebody else may have set: so there is one kind of link.
 * Give `db`, not a transaction: tries must count whatever follows.
 * @returns the address it goes to
 * @throws DomainError rate_limited after five an hour
 */
export async function mailPasswordLink(db: Db, userId: UserId): Promise<string> {
  const user = await findUser(db, userId);
  if (user === null) throw notFound("account");
  await consumeRateLimit(db, { name: "password-link", key: userId, limit: 5, windowSeconds: 3_600 });
  await db.transaction().execute((trx) =>
    queueMail(trx, {
      kind: user.emailVerifiedAt === null ? "confirm-email" : "reset-password",
      dedupeKey: `password-link:${newId()}`,
      recipient: user.email,
      userId,
    }),
  );
  return user.email;
}
