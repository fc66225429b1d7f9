/** Reads and rewrites every encrypted column in batches, for a change of the encryption key. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";

/** Each column with the expression for the context that binds a ciphertext to its row. */
const columns = [
  {
    table: "credentials",
    column: "secret_ciphertext",
    context: sql<string>`order_id::text || ':' || purpose`,
  },
  { table: "provider_secrets", column: "secret_ciphertext", context: sql<string>`provider` },
  {
    table: "idempotency_keys",
    column: "reply_ciphertext",
    context: sql<string>`'idempotency:' || key_hash`,
  },
  { table: "staff", column: "totp_ciphertext", context: sql<string>`'staff:' || id::text` },
  {
    table: "authenticator_apps",
    column: "totp_ciphertext",
    context: sql<string>`'authenticator:' || user_id::text`,
  },
  {
    table: "authenticator_set_ups",
    column: "totp_ciphertext",
    context: sql<string>`'authenticator:' || user_id::text`,
  },
  { table: "staff_links", column: "totp_ciphertext", context: sql<string>`'staff-link:' || hash` },
] as const;
export type CiphertextColumn = (typeof columns)[number];
export const ciphertextColumns: readonly CiphertextColumn[] = columns;

export interface StoredCiphertext {
  /** Physical location of the row (ctid), which changes with every update of the row. */
  place: string;
  ciphertext: string;
  context: string;
}

/**
 * Returns the next batch of ciphertexts without the prefix.
 * @param after the place of the previous batch's last row; null for the first batch
 */
export async function selectOtherCiphertexts(
  db: Db,
  { table, column, context }: CiphertextColumn,
  { prefix, after, limit }: { prefix: string; after: string | null; limit: number },
): Promise<StoredCiphertext[]> {
  const { rows } = await sql<StoredCiphertext>`
    select ctid::text as place, ${sql.ref(column)} as ciphertext, ${context} as context
    from ${sql.table(table)}
    where ctid > ${after ?? "(0,0)"}::tid and not starts_with(${sql.ref(column)}, ${prefix})
    order by ctid limit ${limit}`.execute(db);
  return rows;
}

/** Replaces a ciphertext unless the row has changed since it was read. @returns whether it did */
export async function replaceCiphertext(
  db: Db,
  { table, column }: CiphertextColumn,
  { place, ciphertext }: StoredCiphertext,
  replacement: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${replacement}
    where ctid = ${place}::tid and ${sql.ref(column)} = ${ciphertext}`.execute(db);
  return numAffectedRows === 1n;
}
