/** Queries on outside identities and on those that wait for a proof. No rule lives here. */
import { type Insertable, sql } from "kysely";
import type { IdentityProofId, UserId } from "./ids.ts";
import type { IdentityProofKind } from "./tables/enums.ts";
import type { IdentitiesTable, IdentityProofsTable } from "./tables/identities.ts";
import type { Db, Trx } from "./tables/index.ts";

/** Whose identity it is. */
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

/** @returns false when the identity is somebody's already; the transaction stays usable */
export async function insertIdentity(trx: Trx, identity: Insertable<IdentitiesTable>): Promise<boolean> {
  const result = await trx
    .insertInto("identities")
    .values(identity)
    .onConflict((oc) => oc.columns(["issuer", "subject"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Takes from a user every identity that came in by this proof. */
export async function deleteIdentities(trx: Trx, userId: UserId, proof: IdentityProofKind): Promise<void> {
  await trx.deleteFrom("identities").where("user_id", "=", userId).where("proof", "=", proof).execute();
}

export async function insertIdentityProof(trx: Trx, proof: Insertable<IdentityProofsTable>): Promise<void> {
  await trx.insertInto("identity_proofs").values(proof).execute();
}

/** An identity that waits for the proof of an email. */
export interface IdentityProof {
  id: IdentityProofId;
  issuer: string;
  subject: string;
  firstName: string;
  lastName: string;
  /** The address to be proven; null until somebody has named one. */
  email: string | null;
  /** Only the code mailed last is good. */
  codesSent: number;
  codeExpiresAt: Date | null;
  /** Where the visitor was going. */
  returnPath: string;
}

/** While it may still be used at `now`. */
export async function selectLiveIdentityProof(
  db: Db,
  keyHash: string,
  now: Date,
): Promise<IdentityProof | null> {
  const row = await db
    .selectFrom("identity_proofs")
    .select(["id", "issuer", "subject", "first_name as firstName", "last_name as lastName", "email"])
    .select(["codes_sent as codesSent", "code_expires_at as codeExpiresAt", "return_path as returnPath"])
    .where("key_hash", "=", keyHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

/** Notes that one more code goes out, to this address. @returns its number, or undefined when the proof is used up */
export async function countCode(
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

/** Uses a proof up as it was read: of several callers at once one gets true, and none once another code was sent. */
export async function spendIdentityProof(
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
