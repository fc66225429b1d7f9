/**
 * Codes mailed to the holder of an account without a password. Entered in place of a password, each proves the mailbox again for
 * one change.
 */
import { newId, type UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { notFound, wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { clearRateLimit, consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { plainCode } from "#server/foundation/security/recovery-codes.ts";
import { consumeToken, peekToken } from "./one-time-tokens.ts";
import { findUser } from "./users.ts";

export const mailedCodeMinutes = 15;
export const mailedCodeWrong = msg("account.mailedCodeWrong");

/**
 * Mails a code. Pass `db`, not a transaction: tries must count even when the rest fails.
 * @returns the address it goes to
 * @throws DomainError rate_limited after five an hour
 */
export async function mailCode(db: Db, userId: UserId): Promise<string> {
  const user = await findUser(db, userId);
  if (user === null) throw notFound("account");
  await consumeRateLimit(db, { name: "mailed-code", key: userId, limit: 5, windowSeconds: 3_600 });
  const dedupeKey = `account-code:${newId()}`;
  await db.transaction().execute((trx) => queueOwnMail(trx, { kind: "account-code", dedupeKey, userId }));
  return user.email;
}

/**
 * Uses up a code, unless the other proof is refused: then the code can be entered again.
 * @param alsoShow the change's other checks
 * @throws DomainError bad_request on the field `currentPassword` when the code is wrong, used or expired; rate_limited after five
 * wrong ones in 15 minutes; as alsoShow
 */
export async function takeMailedCode<Result>(
  db: Db,
  userId: UserId,
  typed: string,
  alsoShow: () => Promise<Result>,
): Promise<Result> {
  const code = { purpose: "account-code", token: plainCode(typed) } as const;
  const tries = { name: "mailed-code-guess", key: userId, limit: 5, windowSeconds: 15 * 60 };
  // Counted before the code is checked, so that concurrent guesses cannot exceed the limit.
  await consumeRateLimit(db, tries);
  if ((await peekToken(db, code))?.userId !== userId) throw wrong();
  await clearRateLimit(db, tries);
  const result = await alsoShow();
  if ((await db.transaction().execute((trx) => consumeToken(trx, code))) === null) throw wrong();
  return result;
}

const wrong = () => wrongField("currentPassword", mailedCodeWrong, { outcome: "wrong-code" });
