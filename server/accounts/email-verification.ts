/**
 * Email verification: whether an account's holder has its mailbox. Anyone can create an account in another person's name, by
 * signing up or by ordering, and wait there for its owner. Before verification the account may order for itself but not affect
 * others. The first proof ends all access that others gained through the account.
 */
import * as customers from "#db/accounts/customers.ts";
import { deleteIdentities } from "#db/accounts/identities.ts";
import * as members from "#db/accounts/members.ts";
import * as users from "#db/accounts/users.ts";
import type { CustomerId, UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { notifyOwner } from "./account-notifications.ts";
import { revokeAllSessions } from "./sessions.ts";

export const confirmEmailFirstMessage = msg("account.confirmFirst");

/** Whether the account's mailbox is proven. */
export async function hasProvenMailbox(db: Db, userId: UserId): Promise<boolean> {
  return (await users.selectUser(db, userId))?.emailVerifiedAt != null;
}

/** @throws DomainError forbidden while nobody has proven the account's mailbox */
export async function requireVerifiedEmail(db: Db, userId: UserId): Promise<void> {
  if (!(await hasProvenMailbox(db, userId))) throw new DomainError("forbidden", confirmEmailFirstMessage);
}

export interface EmailVerification {
  /** Whether a password was removed because it was set before the account's mailbox was proven. */
  passwordRemoved: boolean;
}

/**
 * Records that the account's mailbox is proven: by a mailed link or code, or by a provider that vouches for the address. The
 * first proof ends everything that an unknown person may have set up before: sessions, the password unless it was chosen with
 * this proof, identities linked by that password, invitations the account has sent, and other people's membership in the
 * companies it founded. What others gave to this mailbox stays: membership in their company, and their invitation.
 *
 * Later proofs change nothing. Lock order: the user before companies, so call this before a company is locked.
 * @throws DomainError not_found when there is no such user
 */
export async function recordEmailVerification(
  trx: Trx,
  userId: UserId,
  { passwordChosen }: { passwordChosen: boolean },
): Promise<EmailVerification> {
  const user = await users.lockUser(trx, userId);
  if (user === null) throw notFound("account");
  const now = new Date();
  if (!(await users.markEmailVerified(trx, userId, now))) return { passwordRemoved: false };

  const passwordRemoved = !passwordChosen && user.passwordHash !== null;
  if (passwordRemoved) await users.deletePassword(trx, userId);
  await deleteIdentities(trx, userId, "password");
  await revokeAllSessions(trx, userId);
  const withdrawn = await members.withdrawInvites(trx, { sentBy: userId }, now);
  const removed: string[] = [];
  // An unproven account never joined by an invitation, because that is a proof. So it founded every company in which it was the
  // first member.
  for (const customerId of await members.selectFoundedCompanies(trx, userId)) {
    await members.lockCustomer(trx, customerId);
    withdrawn.push(...(await members.withdrawInvites(trx, { into: customerId }, now)));
    removed.push(...(await keepAlone(trx, customerId, userId)));
  }
  await recordAudit(trx, {
    userId,
    action: "email.verify",
    subject: `user:${userId}`,
    data: { membersRemoved: removed.length, invitesWithdrawn: withdrawn.length, passwordRemoved },
  });
  if (removed.length > 0 || withdrawn.length > 0 || passwordRemoved) {
    await notifyOwner(
      trx,
      { userId, email: user.email },
      {
        what: "mailbox-proven",
        membersRemoved: removed.join(", "),
        invitesWithdrawn: withdrawn.join(", "),
        passwordRemoved: passwordRemoved ? "yes" : "no",
      },
    );
  }
  return { passwordRemoved };
}

/**
 * Makes the founder the owner, regardless of later role changes, and removes all other members.
 * @returns the emails of the removed members
 */
async function keepAlone(trx: Trx, customerId: CustomerId, founder: UserId): Promise<string[]> {
  const company = await customers.selectCustomer(trx, customerId);
  await customers.upsertMember(trx, { customerId, userId: founder, role: "owner" });
  const removed = await members.deleteOtherMembers(trx, customerId, founder);
  for (const { userId: member, email } of removed) {
    await recordAudit(trx, {
      userId: founder,
      action: "member.remove",
      subject: `customer:${customerId}`,
      data: { member },
    });
    await notifyOwner(
      trx,
      { userId: member, email },
      { what: "member-removed", company: company?.name ?? "" },
    );
  }
  return removed.map(({ email }) => email);
}
