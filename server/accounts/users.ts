/** Users: finding and creating them, and setting their password. */

import { deleteIdentities } from "#db/accounts/identities.ts";
import { withdrawInvites } from "#db/accounts/members.ts";
import * as rows from "#db/accounts/users.ts";
import { newId, type UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { notifyOwner } from "./account-notifications.ts";
import { recordEmailVerification } from "./email-verification.ts";
import { hashNewPassword } from "./new-password.ts";
import { endMailedLinks } from "./one-time-tokens.ts";
import { revokeAllSessions } from "./sessions.ts";

/** A user without the password hash. */
export interface User extends Omit<rows.StoredUser, "passwordHash"> {
  hasPassword: boolean;
}

export interface NewUser {
  email: string;
  firstName: string;
  lastName: string;
  phone: string;
  /**
   * `null` when the account is created at checkout and its password is set by mail (docs/decisions/orders.md#checkout-account).
   */
  password: string | null;
  /** Language of the mails to the user; left out if unknown. */
  language?: LanguageId;
}

export const accountExistsMessage = msg("access.accountExists");

/** Thrown for an email that has an account. */
export class EmailTaken extends DomainError {
  constructor() {
    super("conflict", accountExistsMessage, { fields: { email: accountExistsMessage } });
  }
}

export async function findUser(db: Db, id: UserId): Promise<User | null> {
  const user = await rows.selectUser(db, id);
  return user === null ? null : toUser(user);
}

/** Finds a user by email, ignoring case and surrounding spaces. */
export async function findUserByEmail(db: Db, email: string): Promise<User | null> {
  const user = await rows.selectUserByEmail(db, email.trim());
  return user === null ? null : toUser(user);
}

/**
 * @throws DomainError conflict, on the field `email`, when the email has an account, even if another caller creates it
 * concurrently
 * @throws DomainError bad_request on the field `password` as hashNewPassword
 */
export async function createUser(trx: Trx, user: NewUser): Promise<UserId> {
  const id = newId<UserId>();
  const inserted = await rows.insertUser(trx, {
    id,
    email: user.email.trim(),
    firstName: user.firstName.trim(),
    lastName: user.lastName.trim(),
    phone: user.phone.trim(),
    passwordHash: user.password === null ? null : await hashNewPassword(user.password, user.email),
    language: user.language ?? null,
  });
  if (!inserted) throw new EmailTaken();
  await recordAudit(trx, { userId: id, action: "user.create", subject: `user:${id}` });
  return id;
}

/**
 * Sets a password and invalidates all older access: sessions, mailed links, invitations the account has sent, and identities
 * linked by the old password. This locks out an intruder, and anyone they have let in. The owner gets a mail.
 * @param options.byMailedToken true when the person used a link from the mailbox, which proves the email
 * @throws DomainError bad_request on the field `password` as hashNewPassword; not_found when there is no such user
 */
export async function setPassword(
  trx: Trx,
  userId: UserId,
  password: string,
  options: { byMailedToken: boolean },
): Promise<void> {
  const user = await rows.selectUser(trx, userId);
  if (user === null) throw notFound("account");
  // Hashed before the lock, because hashing is slow.
  const passwordHash = await hashNewPassword(password, user.email);
  await rows.lockUser(trx, userId);
  if (!(await rows.updatePassword(trx, userId, passwordHash))) throw notFound("account");
  if (options.byMailedToken) await recordEmailVerification(trx, userId, { passwordChosen: true });
  const now = new Date();
  await revokeAllSessions(trx, userId);
  await endMailedLinks(trx, userId, now);
  const withdrawn = await withdrawInvites(trx, { sentBy: userId }, now);
  await deleteIdentities(trx, userId, "password");
  await recordAudit(trx, {
    userId,
    action: "password.set",
    subject: `user:${userId}`,
    data: { byMailedToken: options.byMailedToken },
  });
  await notifyOwner(
    trx,
    { userId, email: user.email },
    {
      what: "password-set",
      invitesWithdrawn: withdrawn.join(", "),
      isFirst: user.passwordHash === null ? "yes" : "no",
    },
  );
}

function toUser({ passwordHash, ...user }: rows.StoredUser): User {
  return { ...user, hasPassword: passwordHash !== null };
}
