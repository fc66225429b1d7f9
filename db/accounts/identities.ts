/** Queries on outside identities and on identities that wait for a proof. No rules live here. */
import { sql } from "kysely";
import type { IdentityProofId, UserId } from "#db/ids.ts";
import type { IdentityProofKind, IdentityProviderId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** Returns the user of an identity. */
export async function selectIdentityUser(
  db: Db,
  identity: { issuer: string; subject: string },
): Promise<UserId | undefined> {
  const row = await db
    .selectFrom("identities")
    .select("user_id")
    .where("issuer", "=", identity.issuer)
    .where("subject", "=", identity.subject)
    .executeTakeFirst();
  return row?.user_id;
}

/** @returns false when the identity already belongs to an account; the transaction stays usable */
export async function insertIdentity(
  trx: Trx,
  identity: {
    provider: IdentityProviderId;
    issuer: string;
    subject: string;
    email: string | null;
    userId: UserId;
    proof: IdentityProofKind;
  },
): Promise<boolean> {
  const { provider, issuer, subject, email, userId, proof } = identity;
  const result = await trx
    .insertInto("identities")
    .values({ provider, issuer, subject, email, user_id: userId, proof })
    .onConflict((oc) => oc.columns(["issuer", "subject"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export interface StoredIdentity {
  provider: IdentityProviderId;
  issuer: string;
  subject: string;
  /**
   * Email that the provider reported when it was linked; null when it reported none, and for identities that were linked before
   * it was stored.
   */
  email: string | null;
  createdAt: Date;
}

/** Lists a user's identities, oldest first. */
export async function selectIdentities(db: Db, userId: UserId): Promise<StoredIdentity[]> {
  return db
    .selectFrom("identities")
    .select(["provider", "issuer", "subject", "email", "created_at as createdAt"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("issuer")
    .orderBy("subject")
    .execute();
}

export async function deleteIdentity(
  trx: Trx,
  userId: UserId,
  { issuer, subject }: Pick<StoredIdentity, "issuer" | "subject">,
): Promise<void> {
  await trx
    .deleteFrom("identities")
    .where("user_id", "=", userId)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .execute();
}

/** Removes every identity that a user gained through this kind of proof. */
export async function deleteIdentities(trx: Trx, userId: UserId, proof: IdentityProofKind): Promise<void> {
  await trx.deleteFrom("identities").where("user_id", "=", userId).where("proof", "=", proof).execute();
}

/** An identity that waits for the proof of its email. */
export interface IdentityProof {
  id: IdentityProofId;
  provider: IdentityProviderId;
  issuer: string;
  subject: string;
  firstName: string;
  lastName: string;
  /** Address to prove, or null until the visitor has entered one. */
  email: string | null;
  /** Only the latest code is valid. */
  codesSent: number;
  codeExpiresAt: Date | null;
  /** Path to return to after signing in. */
  returnPath: string;
}

/** Stores a proof for which no code was sent yet. */
export async function insertIdentityProof(
  trx: Trx,
  proof: Omit<IdentityProof, "codesSent" | "codeExpiresAt"> & { keyHash: string; expiresAt: Date },
): Promise<void> {
  await trx
    .insertInto("identity_proofs")
    .values({
      id: proof.id,
      key_hash: proof.keyHash,
      provider: proof.provider,
      issuer: proof.issuer,
      subject: proof.subject,
      first_name: proof.firstName,
      last_name: proof.lastName,
      email: proof.email,
      return_path: proof.returnPath,
      expires_at: proof.expiresAt,
    })
    .execute();
}

/** Returns the proof, if it is still usable at `now`. */
export async function selectLiveIdentityProof(
  db: Db,
  keyHash: string,
  now: Date,
): Promise<IdentityProof | null> {
  const row = await db
    .selectFrom("identity_proofs")
    .select([
      "id",
      "provider",
      "issuer",
      "subject",
      "first_name as firstName",
      "last_name as lastName",
      "email",
    ])
    .select(["codes_sent as codesSent", "code_expires_at as codeExpiresAt", "return_path as returnPath"])
    .where("key_hash", "=", keyHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

/** Counts another code sent to this address. @returns its number, or undefined when the proof has been used */
export async function recordCodeSent(
  trx: Trx,
  id: IdentityProofId,
  email: string,
  codeExpiresAt: Date,
): Promise<number | undefined> {
  const row = await trx
    .updateTable("identity_proofs")
    .set({ email, codes_sent: sql<number>`codes_sent + 1`, code_expires_at: codeExpiresAt })
    .where("id", "=", id)
    .where("used_at", "is", null)
    .returning("codes_sent")
    .executeTakeFirst();
  return row?.codes_sent;
}

/**
 * Uses a proof in the state in which it was read (optimistic lock): one of several concurrent callers gets true, and none does
 * once another code was sent.
 */
export async function claimIdentityProof(
  trx: Trx,
  proof: Pick<IdentityProof, "id" | "codesSent">,
  now: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable("identity_proofs")
    .set({ used_at: now })
    .where("id", "=", proof.id)
    .where("codes_sent", "=", proof.codesSent)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
