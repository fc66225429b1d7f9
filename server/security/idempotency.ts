/**
 * A call that creates or charges, done once however often it is sent under one Idempotency-Key. The answer is kept for a
 * day, encrypted; the database arbitrates, so that repeats may reach any process at any time.
 */
import { randomUUID } from "node:crypto";
import { answerKey, type Claim, claimKey, findKey, releaseKey } from "#db/idempotency.ts";
import { DomainError } from "#server/errors.ts";
import { decrypt, type EncryptedStore, encrypt } from "./cipher.ts";
import { hashToken } from "./token.ts";

const keepMs = 24 * 60 * 60 * 1_000;
/** Longer than a request lives: a run that has not ended by then died with its process. */
const deadAfterMs = 2 * 60 * 1_000;

export interface Repeatable {
  /** Whose key it is: two askers may use the same one. */
  who: string;
  path: string;
  key: string;
  /** The request's body as it was sent. */
  body: string;
}

/**
 * Runs, or answers what the first run answered.
 * @param run what it returns is kept; when it throws nothing is, and the key is free again
 * @param now for tests
 * @throws DomainError conflict when the key came with another body before, or (with retryAfterSeconds) while the first
 *   run has not ended; and whatever `run` throws
 */
export async function once(
  { db, encryptionKeys }: EncryptedStore,
  { who, path, key, body }: Repeatable,
  run: () => Promise<{ status: number; text: string }>,
  now = new Date(),
): Promise<{ status: number; text: string; replayed: boolean }> {
  const claim: Claim = {
    keyHash: hashToken(`${who}\n${path}\n${key}`),
    bodyHash: hashToken(body),
    claim: randomUUID(),
    startedAt: now,
    expiresAt: new Date(now.getTime() + keepMs),
  };
  const cipherContext = `idempotency:${claim.keyHash}`;
  if (await claimKey(db, claim, new Date(now.getTime() - deadAfterMs))) {
    const { status, text } = await run().catch(async (error: unknown) => {
      await releaseKey(db, claim);
      throw error;
    });
    const replyCiphertext = encrypt(encryptionKeys, text, cipherContext);
    await answerKey(db, claim, { status, replyCiphertext });
    return { status, text, replayed: false };
  }
  const first = await findKey(db, claim.keyHash);
  if (first !== null && first.body_hash !== claim.bodyHash) {
    throw new DomainError("conflict", "This Idempotency-Key was sent with another request before.");
  }
  if (first === null || first.status === null || first.reply_ciphertext === null) {
    throw new DomainError("conflict", "The same request is still being worked on.", { retryAfterSeconds: 1 });
  }
  return {
    status: first.status,
    text: decrypt(encryptionKeys, first.reply_ciphertext, cipherContext),
    replayed: true,
  };
}
