import {
  type CredentialsPurpose,
  deleteCredentials,
  findCredentials,
  insertCredentials,
  markShown,
} from "#db/accounts/credentials.ts";
import type { OrderId, UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { decrypt, encrypt } from "#server/foundation/security/cipher.ts";
import type { Context } from "#server/platform/context.ts";

const dayMs = 24 * 60 * 60 * 1000;
const keepMs = 7 * dayMs;
/** A transfer token expires after 14 days (docs/providers.md, section 2.4). */
const keepTokenMs = 14 * dayMs;

export interface Credentials {
  username: string;
  password: string;
}

export interface CredentialsWithExpiry extends Credentials {
  /** Time at which they expire, counted from when they were first shown. */
  until: Date;
}

/** Stores them once: a second call for the same order and purpose changes nothing, so that a retry sends the same password. */
export async function storeCredentials(
  context: Pick<Context, "encryptionKeys">,
  db: Db,
  orderId: OrderId,
  purpose: CredentialsPurpose,
  credentials: Credentials,
): Promise<void> {
  await insertCredentials(db, orderId, purpose, {
    username: credentials.username,
    secretCiphertext: encrypt(context.encryptionKeys, credentials.password, `${orderId}:${purpose}`),
    expiresAt: new Date(Date.now() + (purpose === "transfer-token" ? keepTokenMs : keepMs)),
  });
}

/**
 * Reads credentials for internal use; showCredentials is for the buyer. Null when there are none, or they have expired or been
 * dismissed.
 */
export async function readCredentials(
  context: Pick<Context, "encryptionKeys">,
  db: Db,
  orderId: OrderId,
  purpose: CredentialsPurpose,
): Promise<CredentialsWithExpiry | null> {
  const stored = await findCredentials(db, orderId, purpose, new Date());
  if (stored === null) return null;
  return {
    until: stored.expiresAt,
    username: stored.username,
    password: decrypt(context.encryptionKeys, stored.secretCiphertext, `${orderId}:${purpose}`),
  };
}

/**
 * Returns the sign-in name of an order's new account, never the password. Null once the credentials have expired or been
 * dismissed.
 */
export async function findSignInName(db: Db, orderId: OrderId): Promise<string | null> {
  return (await findCredentials(db, orderId, "sign-in", new Date()))?.username ?? null;
}

/** Returns the sign-in credentials for the page or call that shows them. Their 7 days begin when they are first shown. */
export async function showCredentials(
  context: Pick<Context, "encryptionKeys">,
  db: Db,
  orderId: OrderId,
): Promise<CredentialsWithExpiry | null> {
  const now = new Date();
  await markShown(db, orderId, { now, expiresAt: new Date(now.getTime() + keepMs) });
  return readCredentials(context, db, orderId, "sign-in");
}

/**
 * Permanently deletes the credentials once the buyer has noted them.
 * @throws DomainError forbidden for other members of the company
 */
export async function dismissCredentials(
  db: Db,
  order: { id: OrderId; userId: UserId | null },
  by: UserId | null,
): Promise<void> {
  if (by === null || by !== order.userId) {
    throw new DomainError("forbidden", msg("refusals.onlyBuyerRemoves"));
  }
  await deleteCredentials(db, order.id);
}
