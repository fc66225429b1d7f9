/** Idempotency keys, one row per caller, path and key: claimed, then answered or released. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";

export interface IdempotencyClaim {
  keyHash: string;
  bodyHash: string;
  claim: string;
  startedAt: Date;
  expiresAt: Date;
}

/**
 * Claims a key that is free or expired, or whose run of the same body is presumed dead. A single statement, so that only one
 * of two concurrent callers succeeds.
 * @param deadBefore a run that began before this time is presumed dead
 * @returns whether the key was claimed
 */
export async function claimKey(db: Db, claim: IdempotencyClaim, deadBefore: Date): Promise<boolean> {
  const row = {
    key_hash: claim.keyHash,
    body_hash: claim.bodyHash,
    claim: claim.claim,
    status: null,
    reply_ciphertext: null,
    started_at: claim.startedAt,
    expires_at: claim.expiresAt,
  };
  const taken = await db
    .insertInto("idempotency_keys")
    .values(row)
    .onConflict((oc) =>
      oc
        .column("key_hash")
        .doUpdateSet(row)
        .where(
          sql<boolean>`idempotency_keys.expires_at <= ${claim.startedAt} or (idempotency_keys.status is null
            and idempotency_keys.started_at < ${deadBefore}
            and idempotency_keys.body_hash = excluded.body_hash)`,
        ),
    )
    .returning("claim")
    .executeTakeFirst();
  return taken !== undefined;
}

/** State of a claimed key, with its response, which is null while the run has not ended. */
export interface ClaimedKey {
  bodyHash: string;
  status: number | null;
  replyCiphertext: string | null;
}

export async function findKey(db: Db, keyHash: string): Promise<ClaimedKey | null> {
  const row = await db
    .selectFrom("idempotency_keys")
    .select(["body_hash as bodyHash", "status", "reply_ciphertext as replyCiphertext"])
    .where("key_hash", "=", keyHash)
    .executeTakeFirst();
  return row ?? null;
}

export async function completeKey(
  db: Db,
  { keyHash, claim }: IdempotencyClaim,
  answer: { status: number; replyCiphertext: string },
): Promise<void> {
  await db
    .updateTable("idempotency_keys")
    .set({ status: answer.status, reply_ciphertext: answer.replyCiphertext })
    .where("key_hash", "=", keyHash)
    .where("claim", "=", claim)
    .execute();
}

/** Releases the key of a refused run, which changed nothing. */
export async function releaseKey(db: Db, { keyHash, claim }: IdempotencyClaim): Promise<void> {
  await db
    .deleteFrom("idempotency_keys")
    .where("key_hash", "=", keyHash)
    .where("claim", "=", claim)
    .execute();
}
