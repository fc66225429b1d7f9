/**
 * Whether an account's holder has its mailbox. Anybody can make an account in somebody else's name, by signing up or by
 * ordering, and wait there for its owner. Before a mailbox proof the account may order for itself but not affect others.
 * The first proof ends all access that others gained through the account.
 */
import * as customers from "#db/customers.ts";
import { deleteIdentities } from "#db/identities.ts";
import type { CustomerId, UserId } from "#db/ids.ts";
import * as members from "#db/members.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import * as users from "#db/users.ts";
import { DomainError, notFound } from "../errors.ts";
import { told } from "../languages/text.ts";
import { record } from "./audit.ts";
import { notifyOwner } from "./notices.ts";
import { revokeAllSessions } from "./sessions.ts";

export const confirmEmailFirst = told("account.confirmFirst");

/** @throws DomainError forbidden while nobody has proven the account's mailbox */
export async function requireProvenMailbox(db: Db, userId: UserId): Promise<void> {
  const user = await users.selectUser(db, userId);
  if (user?.emailVerifiedAt == null) throw new DomainError("forbidden", confirmEmailFirst);
}

export interface MailboxProof {
  /** True when a password was removed because it was set before anybody had proven the account's mailbox. */
  passwordRemoved: boolean;
}

/**
 * Call when somebody has proven the account's mailbox: by a mailed link or code, or by a provider that vouches for the
 * address. The first proof ends everything that an unknown person may have set up before: sessions, the password unless
 * it was chosen with this proof, outside sign-ins linked by that password, invitations the account has sent, and other
 * people's membership in the companies it founded. What others gave to this mailbox stays: membership in their company,
 * and their invitation.
 *
 * Later proofs change nothing. Lock order: the user before companies, so call this before a company is locked.
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
  // An unproven account never joined by an invitation, because that is a proof. So it founded every company in which it
  // was first.
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

/**
 * Makes the founder the owner, whatever role somebody has given them since, and removes everybody else.
 * @returns the emails of the removed members
 */
async function keepAlone(trx: Trx, customerId: CustomerId, founder: UserId): Promise<string[]> {
  const company = await customers.selectCustomer(trx, customerId);
  await customers.upsertMember(trx, { customerId, userId: founder, role: "owner" });
  const removed = await members.deleteOtherMembers(trx, customerId, founder);
  for (const { userId: member, email } of removed) {
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
