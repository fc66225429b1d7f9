/**
 * One-time tokens for mailed links and codes: set and reset a password, resume an order, join a company, decide about a renewal,
 * confirm a change. The table stores only hashes (docs/decisions/security.md#every-route). A token is created while its mail is
 * sent, so that no queue contains it either.
 */

import { claimInviteToken, selectInviteOfToken } from "#db/accounts/members.ts";
import * as rows from "#db/accounts/one-time-tokens.ts";
import { lockUser } from "#db/accounts/users.ts";
import type { InviteId, OrderId, SubscriptionId, UserId } from "#db/ids.ts";
import type { TokenPurpose } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { hashRecoveryCode, newCode } from "#server/foundation/security/recovery-codes.ts";
import { hashToken, newToken } from "#server/foundation/security/token.ts";

/** Purposes whose tokens let their holder choose the password. */
export const passwordPurposes = ["set-password", "reset-password"] as const satisfies TokenPurpose[];
export type PasswordPurpose = (typeof passwordPurposes)[number];

/**
 * Creates a token. Earlier tokens stay valid: mails overtake each other, and the reader may use any of them.
 * @param input.ttlSeconds lifetime from now
 * @returns the token, 43 characters of base64url; only ever to be put in the mail
 */
export async function mintToken(
  trx: Db,
  input: { purpose: TokenPurpose; userId: UserId; orderId?: OrderId | null; ttlSeconds: number },
): Promise<string> {
  const token = newToken();
  await rows.insertToken(trx, {
    hash: hashToken(token),
    purpose: input.purpose,
    userId: input.userId,
    orderId: input.orderId ?? null,
    expiresAt: new Date(Date.now() + input.ttlSeconds * 1_000),
  });
  return token;
}

/** Creates the token of a code that the user types: its plain characters (plainCode). Otherwise as mintToken. */
export async function mintCode(
  trx: Db,
  { purpose, userId, ttlSeconds }: { purpose: TokenPurpose; userId: UserId; ttlSeconds: number },
): Promise<string> {
  const code = newCode();
  const expiresAt = new Date(Date.now() + ttlSeconds * 1_000);
  await rows.insertToken(trx, { hash: hashRecoveryCode(code), purpose, userId, expiresAt });
  return code;
}

/** Returns a token's holder without using the token, to show the page; `null` when it is unknown, used or expired. */
export function peekToken(
  db: Db,
  input: { purpose: TokenPurpose; token: string },
): Promise<rows.TokenHolder | null> {
  return rows.selectLiveToken(db, input.purpose, hashToken(input.token), new Date());
}

/** Uses a token. Of concurrent callers exactly one gets the holder; all others, and later callers, get `null`. */
export async function consumeToken(
  trx: Trx,
  input: { purpose: TokenPurpose; token: string },
): Promise<rows.TokenHolder | null> {
  const now = new Date();
  const hash = hashToken(input.token);
  const holder = await rows.selectLiveToken(trx, input.purpose, hash, now);
  if (holder === null) return null;
  // Two concurrent links of one user could deadlock on each other's rows. Locking the user first puts them in turn.
  await lockUser(trx, holder.userId);
  return rows.claimToken(trx, input.purpose, hash, now);
}

/** Invalidates every link that was mailed to a user, since another person may have had the mailbox for a while. */
export async function endMailedLinks(trx: Trx, userId: UserId, now: Date): Promise<void> {
  await rows.revokeTokensOf(trx, userId, now);
}

/**
 * Creates the token of an administrator who is asked to approve an order. It belongs to no user, and opens only that question.
 * Otherwise as mintToken.
 */
export async function mintAdministratorToken(db: Db, orderId: OrderId, expiresAt: Date): Promise<string> {
  const token = newToken();
  await rows.insertToken(db, {
    hash: hashToken(token),
    purpose: "ask-administrator",
    orderId,
    expiresAt,
  });
  return token;
}

/** Returns the order of an administrator's token. Mail scanners open links too, so it works until it expires, not once. */
export function readAdministratorToken(db: Db, token: string): Promise<OrderId | null> {
  return rows.selectOrderOfToken(db, "ask-administrator", hashToken(token), new Date());
}

/**
 * Creates the token for a renewal choice. It opens only that choice, and works until the end of the term, not once: its reader
 * may change their mind. Otherwise as mintToken.
 */
export async function mintRenewalToken(
  trx: Db,
  { userId, subscriptionId, end }: { userId: UserId; subscriptionId: SubscriptionId; end: Date },
): Promise<string> {
  const token = newToken();
  await rows.insertToken(trx, {
    hash: hashToken(token),
    purpose: "renewal-choice",
    userId,
    subscriptionId,
    expiresAt: end,
  });
  return token;
}

/**
 * Returns the input of mintRenewalToken; null for a token that is unknown or expired, or whose reader's links were all revoked.
 */
export async function readRenewalToken(
  db: Db,
  token: string,
): Promise<{ userId: UserId; subscriptionId: SubscriptionId; end: Date } | null> {
  const found = await rows.selectSubscriptionOfToken(db, hashToken(token), new Date());
  if (found === null) return null;
  const { expiresAt: end, ...of } = found;
  return { ...of, end };
}

/**
 * Creates an invitation's token. It belongs to no user, because its reader might not have an account yet. Otherwise as mintToken.
 */
export async function mintInviteToken(db: Db, inviteId: InviteId, expiresAt: Date): Promise<string> {
  const token = newToken();
  await rows.insertToken(db, {
    hash: hashToken(token),
    purpose: "member-invite",
    inviteId,
    expiresAt,
  });
  return token;
}

/** Reads an invitation's token without using it, as peekToken does. */
export function peekInviteToken(db: Db, token: string): Promise<InviteId | null> {
  return selectInviteOfToken(db, hashToken(token), new Date());
}

/** Uses an invitation's token. Of concurrent callers exactly one gets the invitation. */
export function consumeInviteToken(trx: Trx, token: string): Promise<InviteId | null> {
  return claimInviteToken(trx, hashToken(token), new Date());
}
