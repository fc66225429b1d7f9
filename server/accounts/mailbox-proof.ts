/**
 * Whether an account's mailbox is its holder's. Anybody may make an account in somebody else's name, by signing up or by ordering, and
 * wait there for its owner. Until somebody has shown that they read the mailbox, the account may order for itself and do nothing to
 * others; the first proof ends everything that others were given through it.
 */
import * as users from "#db/accounts.ts";
import { deleteIdentities } from "#db/identities.ts";
import type { CustomerId, UserId } from "#db/ids.ts";
import * as members from "#db/members.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { DomainError, notFound } from "../errors.ts";
import { record } from "./audit.ts";
import { notifyOwner } from "./notices.ts";
import { revokeAllSessions } from "./sessions.ts";

export const confirmEmailFirst =
  "Please confirm your email before you invite people or change what they may do. My Account mails you the link.";

/** @throws DomainError forbidden while nobody has shown that the account's mailbox is theirs */
export async function requireProvenMailbox(db: Db, userId: UserId): Promise<void> {
  const user = await users.selectUser(db, userId);
  if (user?.emailVerifiedAt == null) throw new DomainError("forbidden", confirmEmailFirst);
}

export interface MailboxProof {
  /** The account had a password that was set before anybody had proven its mailbox: it is gone. */
  passwordRemoved: boolean;
}

/**
 * Somebody has shown that the account's mailbox is theirs: by a mailed link or code, or by a provider that vouches for the address. The
 * first time, what was made before it by who knows whom ends: sessions, the password unless it was chosen with this proof, Outlook
 * sign-ins that came by that password, invitations the account has sent, and everybody else's place in the companies it founded. What
 * somebody else has given to this mailbox stays: a place in their company, and their invitation.
 *
 * Later proofs change nothing. Companies are locked after the user, so call it before a lock on one.
 * @throws DomainError not_found when there is no such user
 */
export async function proveMailbox(
  trx: Trx,
  userId: UserId,
  { passwordChosen }: { passwordChosen: boolean },
): Promise<MailboxProof> {
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
  // Who joins by an invitation has proven the mailbox by it: a company that an unproven account was first in, it has founded.
  for (const customerId of await members.selectFoundedCompanies(trx, userId)) {
    await members.lockCustomer(trx, customerId);
    withdrawn.push(...(await members.withdrawInvites(trx, { into: customerId }, now)));
    removed.push(...(await keepAlone(trx, customerId, userId)));
  }
  await record(trx, {
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

/** The founder is its owner, whatever role somebody has given them since, and alone in it. @returns the emails of who had to go */
async function keepAlone(trx: Trx, customerId: CustomerId, founder: UserId): Promise<string[]> {
  const company = await users.selectCustomer(trx, customerId);
  await users.upsertMember(trx, { customer_id: customerId, user_id: founder, role: "owner" });
  const removed = await members.deleteOtherMembers(trx, customerId, founder);
  for (const { user_id: member, email } of removed) {
    await record(trx, {
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
