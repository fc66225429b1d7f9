/**
 * Re-encrypts all data encrypted at rest with the first encryption key, so that older keys can be removed. Works in small batches
 * and replaces only rows that have not changed since they were read, so it can run next to the live store, be interrupted and be
 * repeated.
 */
import {
  type CiphertextColumn,
  ciphertextColumns,
  replaceCiphertext,
  type StoredCiphertext,
  selectOtherCiphertexts,
} from "#db/platform/ciphertexts.ts";
import { decrypt, type EncryptedStore, encrypt, prefixOf } from "./cipher.ts";

const batchSize = 100;

export interface ReEncrypted {
  table: CiphertextColumn["table"];
  moved: number;
  /** Rows changed concurrently. The next run handles them. */
  changed: number;
  /** Rows that no live key can decrypt. */
  unreadable: number;
}

/**
 * @returns the counts per table; all zero when everything already uses the first key
 * @throws Error when the first key has no id, because its ciphertexts cannot be distinguished from those of other keys
 */
export async function reEncryptAll(context: EncryptedStore): Promise<readonly ReEncrypted[]> {
  if (context.encryptionKeys[0].id === null)
    throw new Error("The first encryption key needs an id: write it as id:key, such as 2027-01:…");
  const done: ReEncrypted[] = [];
  for (const column of ciphertextColumns) done.push(await reEncryptColumn(context, column));
  return done;
}

async function reEncryptColumn(
  { db, encryptionKeys }: EncryptedStore,
  column: CiphertextColumn,
): Promise<ReEncrypted> {
  const done: ReEncrypted = { table: column.table, moved: 0, changed: 0, unreadable: 0 };
  const prefix = prefixOf(encryptionKeys[0]);
  let after: string | null = null;
  while (true) {
    const batch: StoredCiphertext[] = await selectOtherCiphertexts(db, column, {
      prefix,
      after,
      limit: batchSize,
    });
    for (const stored of batch) {
      const replacement = reEncrypted(stored);
      if (replacement === null) done.unreadable += 1;
      else if (await replaceCiphertext(db, column, stored, replacement)) done.moved += 1;
      else done.changed += 1;
    }
    const last = batch.at(-1);
    if (last === undefined || batch.length < batchSize) return done;
    after = last.place;
  }

  function reEncrypted({ ciphertext, context }: StoredCiphertext): string | null {
    try {
      return encrypt(encryptionKeys, decrypt(encryptionKeys, ciphertext, context), context);
    } catch {
      // Counted, and reported by the caller: one unreadable row must not block the others.
      return null;
    }
  }
}
