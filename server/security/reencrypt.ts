/**
 * Moves everything that is encrypted at rest to the first encryption key, so that an older one can be thrown away. Rows are
 * taken in small batches and replaced only while they are as they were read: it may run beside the store, be broken off, and
 * be started again.
 */
import {
  type CiphertextColumn,
  ciphertextColumns,
  replaceCiphertext,
  type StoredCiphertext,
  selectOtherCiphertexts,
} from "#db/ciphertexts.ts";
import { decrypt, type EncryptedStore, encrypt, prefixOf } from "./cipher.ts";

const batchSize = 100;

export interface ReEncrypted {
  table: CiphertextColumn["table"];
  moved: number;
  /** Changed by somebody else meanwhile: the next run finds them. */
  changed: number;
  /** No live key opens them. */
  unreadable: number;
}

/**
 * @returns what was done in each table; nothing in any when all was written with the first key already
 * @throws Error when the first key has no id, since what it has written cannot be told from what others have
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
      // Counted, and told by the caller: one row that cannot be read must not keep the others.
      return null;
    }
  }
}
