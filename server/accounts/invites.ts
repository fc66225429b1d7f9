/**
 * Invites people into a company by mail. The mailed link proves the mailbox: a user with that email joins with their account,
 * anyone else creates one there. An invitation works once, for 7 days, and can be withdrawn.
 */

import * as rows from "#db/accounts/members.ts";
import { type CustomerId, type InviteId, newId, type UserId } from "#db/ids.ts";
import type { MemberRole } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { notifyOwner } from "./account-notifications.ts";
import { addMember, findMembership, requireMember } from "./customers.ts";
import { recordEmailVerification } from "./email-verification.ts";
import type { SignedIn } from "./identities.ts";
import { requireNewPasswordLength } from "./new-password.ts";
import { consumeInviteToken, peekInviteToken } from "./one-time-tokens.ts";
import { rolesThatMay } from "./roles.ts";
import { createSession, type SessionSecrets } from "./sessions.ts";
import { permitThirdPartyMail } from "./third-party-mail.ts";
import { createUser, findUser, findUserByEmail } from "./users.ts";

const hour = 3600;
export const inviteSeconds = 7 * 24 * hour;

export interface MemberInvite {
  id: InviteId;
  customerId: CustomerId;
  company: string;
  email: string;
  role: MemberRole;
  /** Null when that account was deleted. */
  invitedBy: UserId | null;
  /** First and last name; empty when that account was deleted. */
  inviter: string;
  /** Null when that account was deleted. */
  inviterEmail: string | null;
  expiresAt: Date;
}

export const inviteClosedMessage = msg("members.inviteOver");

/**
 * Invites an email or renews its invitation, and mails the link. Pass `db`, not a transaction: attempts must count even
 * when nothing else is written.
 * @throws DomainError forbidden unless an owner with a proven mailbox asks; conflict on the field `email` when it belongs
 * to a member; rate_limited
 */
export async function inviteMember(
  db: Db,
  input: { customerId: CustomerId; by: UserId; email: string; role: MemberRole; now: Date },
): Promise<void> {
  const { customerId, by, role, now } = input;
  const email = input.email.trim();
  await requireMember(db, by, customerId, rolesThatMay("manage"));
  const permit = await permitThirdPartyMail(db, { userId: by, customerId }, email, now);
  await db.transaction().execute(async (trx) => {
    await rows.lockCustomer(trx, customerId);
    await requireMember(trx, by, customerId, rolesThatMay("manage"));
    const user = await findUserByEmail(trx, email);
    const membership = user === null ? null : await findMembership(trx, user.id, customerId);
    if (membership !== null) {
      const isMember = msg("members.memberAlready", { email, role: membership.role });
      throw new DomainError("conflict", isMember, { fields: { email: isMember } });
    }
    const inviteId = await rows.saveInvite(trx, {
      id: newId<InviteId>(),
      customerId,
      email,
      role,
      invitedBy: by,
      expiresAt: new Date(now.getTime() + inviteSeconds * 1_000),
    });
    await recordAudit(trx, {
      userId: by,
      action: "invite.create",
      subject: `customer:${customerId}`,
      data: { invite: inviteId, email, role },
    });
    await permit.queue(trx, {
      kind: "member-invite",
      // A repeated request sends the mail again, because the first may be lost.
      dedupeKey: `member-invite:${newId()}`,
      data: { inviteId },
    });
  });
}

/** @throws DomainError forbidden unless an owner asks; not_found when it is another company's, or no longer open */
export async function withdrawInvite(
  trx: Trx,
  input: { customerId: CustomerId; inviteId: InviteId; by: UserId; now: Date },
): Promise<void> {
  const { customerId, inviteId, by, now } = input;
  await rows.lockCustomer(trx, customerId);
  await requireMember(trx, by, customerId, rolesThatMay("manage"));
  if (!(await rows.closeInvite(trx, { id: inviteId, customerId }, { withdrawnAt: now })))
    throw notFound("invitation");
  await recordAudit(trx, {
    userId: by,
    action: "invite.withdraw",
    subject: `customer:${customerId}`,
    data: { invite: inviteId },
  });
}

/** Lists the open invitations, newest first. */
export async function listInvites(db: Db, customerId: CustomerId, now: Date): Promise<MemberInvite[]> {
  return (await rows.selectOpenInvites(db, customerId, now)).map(toInvite);
}

/** Reads an invitation for its mail; `null` once it is answered, withdrawn or expired. */
export async function findInvite(db: Db, id: InviteId, now: Date): Promise<MemberInvite | null> {
  const row = await rows.selectOpenInvite(db, id, now);
  return row === undefined ? null : toInvite(row);
}

/** Reads a link's invitation without using it; `null` when the token or the invitation is no longer valid. */
export async function readInvite(db: Db, token: string, now: Date): Promise<MemberInvite | null> {
  const id = await peekInviteToken(db, token);
  return id === null ? null : findInvite(db, id, now);
}

/** Limits attempts per network, although a token cannot be guessed. @throws DomainError rate_limited */
export async function limitInviteAnswers(db: Db, clientAddress: string): Promise<void> {
  const key = networkOf(clientAddress);
  await consumeRateLimit(db, { name: "invite-answer", key, limit: 30, windowSeconds: 600 });
}

/** An accepted invitation, and a new session for the user who accepted it. */
export interface JoinedCompany extends SignedIn {
  invite: MemberInvite;
}

/**
 * Joins the company with an existing account. A user who is already a member keeps their role. The link proves the
 * mailbox, and a first proof revokes every session, so a new session has to replace the present one.
 * @throws DomainError conflict when the invitation no longer works; forbidden for an account with another email
 */
export async function acceptInvite(
  trx: Trx,
  secrets: SessionSecrets,
  input: { token: string; userId: UserId; now: Date },
): Promise<JoinedCompany> {
  const { userId, now } = input;
  const invite = await readInvite(trx, input.token, now);
  if (invite === null) throw new DomainError("conflict", inviteClosedMessage);
  const user = await findUser(trx, userId);
  if (user === null || !isSameEmail(user.email, invite.email)) {
    throw new DomainError("forbidden", msg("members.inviteOfAnother"));
  }
  return join(trx, secrets, { ...input, invite, passwordChosen: false });
}

/**
 * Creates an account for the invitation's email, and joins with it.
 * @throws DomainError conflict when the invitation no longer works, or the email already has an account; bad_request when the
 * password is too short, or as hashNewPassword
 */
export async function acceptInviteAsNew(
  trx: Trx,
  secrets: SessionSecrets,
  input: {
    token: string;
    firstName: string;
    lastName: string;
    password: string;
    language: LanguageId;
    now: Date;
  },
): Promise<JoinedCompany> {
  const { token, firstName, lastName, password, language, now } = input;
  requireNewPasswordLength(password);
  const invite = await readInvite(trx, token, now);
  if (invite === null) throw new DomainError("conflict", inviteClosedMessage);
  // The first order asks for the phone.
  const { email } = invite;
  const userId = await createUser(trx, { email, firstName, lastName, phone: "", password, language });
  return join(trx, secrets, { invite, token, userId, now, passwordChosen: true });
}

async function join(
  trx: Trx,
  secrets: SessionSecrets,
  input: { invite: MemberInvite; token: string; userId: UserId; now: Date; passwordChosen: boolean },
): Promise<JoinedCompany> {
  const { userId, now, passwordChosen } = input;
  const { id, customerId } = input.invite;
  const proof = await recordEmailVerification(trx, userId, { passwordChosen });
  await rows.lockCustomer(trx, customerId);
  // An owner may have renewed the invitation with another role.
  const invite = await findInvite(trx, id, now);
  if (invite === null) throw new DomainError("conflict", inviteClosedMessage);
  const { role } = invite;
  const isMine =
    (await consumeInviteToken(trx, input.token)) === id &&
    (await rows.closeInvite(trx, { id, customerId }, { acceptedAt: now }));
  if (!isMine) throw new DomainError("conflict", inviteClosedMessage);
  if ((await findMembership(trx, userId, customerId)) === null) {
    await addMember(trx, { customerId, userId, role, by: userId });
    await tellInviter(trx, invite, userId);
  }
  await recordAudit(trx, {
    userId,
    action: "invite.accept",
    subject: `customer:${customerId}`,
    data: { invite: id },
  });
  // Opens a session for a new account, or replaces a session that has passed its second factor.
  const session = await createSession(trx, secrets, userId);
  return { invite, signIn: { outcome: "signed-in", session }, ...proof };
}

/** Mails the owner who sent the invitation that a member has joined, or the other owners if that user is no longer an owner. */
async function tellInviter(trx: Trx, invite: MemberInvite, joined: UserId): Promise<void> {
  const { customerId, company, email: member, role, invitedBy } = invite;
  const owners = (await rows.selectOwners(trx, customerId)).filter(({ userId }) => userId !== joined);
  const inviter = owners.filter(({ userId }) => userId === invitedBy);
  for (const { userId, email } of inviter.length > 0 ? inviter : owners) {
    await notifyOwner(trx, { userId, email }, { what: "member-joined", company, member, role });
  }
}

/** Compares emails as the unique index on users does, for the letters that an address can have. */
export function isSameEmail(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

function toInvite({ inviterFirstName, inviterLastName, ...invite }: rows.OpenInvite): MemberInvite {
  return { ...invite, inviter: `${inviterFirstName ?? ""} ${inviterLastName ?? ""}`.trim() };
}
