/**
 * One-time tokens for mailed links and codes: set and reset a password, resume an order, join a company, decide about a renewal, confirm a change. The table holds only
 * hashes (docs/decisions/security.md). A token is made while its mail is being sent, so that no queue holds it either.
 */

import { claimInviteToken, selectInviteOfToken } from "#db/accounts/members.ts";
import * as rows from "#db/accounts/one-time-tokens.ts";
import { lockUser } from "#db/accounts/users.ts";
import type { InviteId, OrderId, SubscriptionId, UserId } from "#db/ids.ts";
import type { TokenPurpose } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { hashRecoveryCode, newCode } from "#server/foundation/security/recovery-codes.ts";
import { hashToken, newToken } from "#server/foundation/security/token.ts";

/** Tokens of either purpose let their holder choose the password. */
export const passwordPurposes = ["set-password", "reset-password"] as const satisfies TokenPurpose[];
export type PasswordPurpose = (typeof passwordPurposes)[number];

/**
 * Earlier tokens stay valid: mails overtake each other, and the reader may use any of them.
 * @param input.ttlSeconds how long it works, from now
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

/** Mints a token like mintToken, for a code that is typed: its token is the code's plain characters (plainCode). */
export async function mintCode(
  trx: Db,
  { purpose, userId, ttlSeconds }: { purpose: TokenPurpose; userId: UserId; ttlSeconds: number },
): Promise<string> {
  const code = newCode();
  const expiresAt = new Date(Date.now() + ttlSeconds * 1_000);
  await rows.insertToken(trx, { hash: hashRecoveryCode(code), purpose, userId, expiresAt });
  return code;
}

/** Reads a token's holder without using the token, to show the page. `null` when it is unknown, used or expired. */
export function peekToken(
  db: Db,
  input: { purpose: TokenPurpose; token: string },
): Promise<rows.TokenHolder | null> {
  return rows.selectLiveToken(db, input.purpose, hashToken(input.token), new Date());
}

/** Uses a token. Of concurrent callers exactly one gets the holder; the others, and any later ones, get `null`. */
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

/** Invalidates every link that was mailed to a user, since somebody else may have had the mailbox for a while. */
export async function endMailedLinks(trx: Trx, userId: UserId, now: Date): Promise<void> {
  await rows.revokeTokensOf(trx, userId, now);
}

/**
 * As mintToken, for an administrator who is asked to approve an order. The token belongs to no user, and gives access to
 * that question alone.
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

/** The order of an administrator's token. It works until it expires, not once, because mail scanners open links too. */
export function readAdministratorToken(db: Db, token: string): Promise<OrderId | null> {
  return rows.selectOrderOfToken(db, "ask-administrator", hashToken(token), new Date());
}

/**
 * As mintToken, for saying what is to become of a subscription at the end of its term. The token opens that question alone, and works until
 * that end, not once: its reader may think again.
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

/** What mintRenewalToken was given; null for a token that is unknown or over, or whose reader's links were all ended. */
export async function readRenewalToken(
  db: Db,
  token: string,
): Promise<{ userId: UserId; subscriptionId: SubscriptionId; end: Date } | null> {
  const found = await rows.selectSubscriptionOfToken(db, hashToken(token), new Date());
  if (found === null) return null;
  const { expiresAt: end, ...of } = found;
  return { ...of, end };
}

/** As mintToken, for an invitation. The token belongs to no user, because its reader may not have an account yet. */
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

/** As peekToken. */
export function peekInviteToken(db: Db, token: string): Promise<InviteId | null> {
  return selectInviteOfToken(db, hashToken(token), new Date());
}

/** As consumeToken: of concurrent callers exactly one gets the invitation. */
export function consumeInviteToken(trx: Trx, token: string): Promise<InviteId | null> {
  return claimInviteToken(trx, hashToken(token), new Date());
}
