/**
 * Links that are mailed and work once: set and reset a password, take up an order again, join a company. The table holds hashes only
 * (docs/decisions/security.md); a token is minted while its mail is being sent, so that no queue holds it either.
 */
import * as rows from "#db/accounts.ts";
import type { InviteId, OrderId, UserId } from "#db/ids.ts";
import { selectInviteOfToken, spendInviteToken } from "#db/members.ts";
import type { TokenPurpose } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { hashToken, newToken } from "../security/token.ts";

export interface TokenHolder {
  userId: UserId;
  /** The order a resume link leads to. */
  orderId: OrderId | null;
}

/** Both let their holder choose the password. */
export const passwordPurposes = ["set-password", "reset-password"] as const satisfies TokenPurpose[];
export type PasswordPurpose = (typeof passwordPurposes)[number];

/**
 * Tokens minted before stay good: mails cross, and the reader takes any of them.
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
    user_id: input.userId,
    order_id: input.orderId ?? null,
    expires_at: new Date(Date.now() + input.ttlSeconds * 1_000),
    used_at: null,
  });
  return token;
}

/** Whose token it is, without using it: for showing the page. `null` when it is unknown, used or expired. */
export async function peekToken(
  db: Db,
  input: { purpose: TokenPurpose; token: string },
): Promise<TokenHolder | null> {
  const row = await rows.selectLiveToken(db, input.purpose, hashToken(input.token), new Date());
  return row === undefined ? null : { userId: row.user_id, orderId: row.order_id };
}

/** Uses a token. Of several callers at once exactly one gets the holder; the others, and whoever comes later, get `null`. */
export async function consumeToken(
  trx: Trx,
  input: { purpose: TokenPurpose; token: string },
): Promise<TokenHolder | null> {
  const now = new Date();
  const hash = hashToken(input.token);
  const holder = await rows.selectLiveToken(trx, input.purpose, hash, now);
  if (holder === undefined) return null;
  // Two links of one user, used at once, would each wait for the other's row: the user's row lets one in first.
  await rows.lockUser(trx, holder.user_id);
  const row = await rows.spendToken(trx, input.purpose, hash, now);
  return row === undefined ? null : { userId: row.user_id, orderId: row.order_id };
}

/** Uses up every link that was mailed to a user: who chooses a password may have lost the mailbox for a while. */
export async function endMailedLinks(trx: Trx, userId: UserId, now: Date): Promise<void> {
  await rows.spendTokensOf(trx, userId, now);
}

/** As mintToken, for an administrator who is asked about an order: it belongs to no user, and opens nothing but that question. */
export async function mintAdministratorToken(db: Db, orderId: OrderId, expiresAt: Date): Promise<string> {
  const token = newToken();
  await rows.insertToken(db, {
    hash: hashToken(token),
    purpose: "ask-administrator",
    user_id: null,
    order_id: orderId,
    expires_at: expiresAt,
    used_at: null,
  });
  return token;
}

/** The order such a token is about. It works until it expires, since mail scanners open links too. */
export function readAdministratorToken(db: Db, token: string): Promise<OrderId | null> {
  return rows.selectOrderOfToken(db, "ask-administrator", hashToken(token), new Date());
}

/** As mintToken, for an invitation: it belongs to no user, since its reader may not be one yet. */
export async function mintInviteToken(db: Db, inviteId: InviteId, expiresAt: Date): Promise<string> {
  const token = newToken();
  await rows.insertToken(db, {
    hash: hashToken(token),
    purpose: "member-invite",
    user_id: null,
    order_id: null,
    invite_id: inviteId,
    expires_at: expiresAt,
    used_at: null,
  });
  return token;
}

/** As peekToken. */
export function peekInviteToken(db: Db, token: string): Promise<InviteId | null> {
  return selectInviteOfToken(db, hashToken(token), new Date());
}

/** As consumeToken: of several callers at once exactly one gets the invitation. */
export function consumeInviteToken(trx: Trx, token: string): Promise<InviteId | null> {
  return spendInviteToken(trx, hashToken(token), new Date());
}
