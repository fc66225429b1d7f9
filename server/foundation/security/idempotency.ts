/**
 * Runs a call that creates or charges once per Idempotency-Key, however often it is sent. The response is stored encrypted for a
 * day. The database arbitrates, so repeats may reach any process at any time.
 */
import { randomUUID } from "node:crypto";
import {
  claimKey,
  completeKey,
  findKey,
  type IdempotencyClaim,
  releaseKey,
} from "#db/platform/idempotency.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { decrypt, type EncryptedStore, encrypt } from "./cipher.ts";
import { hashToken } from "./token.ts";

const keepMs = 24 * 60 * 60 * 1_000;
/** Longer than any request takes: a run that has not ended by then died with its process. */
const deadAfterMs = 2 * 60 * 1_000;

export interface IdempotentRequest {
  /** Caller who owns the key. Two callers may use the same key. */
  who: string;
  path: string;
  key: string;
  /** The request's raw body. */
  body: string;
}

/**
 * Runs the call, or returns the response of the first run.
 * @param run its result is stored; when it throws, nothing is stored and the key is released
 * @param now for tests
 * @throws DomainError conflict when the key was already used with another body, or (with retryAfterSeconds) while the first
 *   run has not ended; and anything that `run` throws
 */
export async function runOnce(
  { db, encryptionKeys }: EncryptedStore,
  { who, path, key, body }: IdempotentRequest,
  run: () => Promise<{ status: number; text: string }>,
  now = new Date(),
): Promise<{ status: number; text: string; replayed: boolean }> {
  const claim: IdempotencyClaim = {
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
    await completeKey(db, claim, { status, replyCiphertext });
    return { status, text, replayed: false };
  }
  const first = await findKey(db, claim.keyHash);
  if (first !== null && first.bodyHash !== claim.bodyHash) {
    throw new DomainError("conflict", "This Idempotency-Key was already used with a different request.");
  }
  if (first === null || first.status === null || first.replyCiphertext === null) {
    throw new DomainError("conflict", "The same request is still in progress. Try again shortly.", {
      retryAfterSeconds: 1,
    });
  }
  return {
    status: first.status,
    text: decrypt(encryptionKeys, first.replyCiphertext, cipherContext),
    replayed: true,
  };
}
