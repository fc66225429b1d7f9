/** Queries on sign-in credentials: one row per order and purpose. Callers encrypt the secret. */
import { type RawBuilder, sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { CredentialsTable } from "#db/tables/fulfilment.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export type CredentialsPurpose = CredentialsTable["purpose"];

export interface StoredCredentials {
  username: string;
  secretCiphertext: string;
  expiresAt: Date;
}

/** Never shown to the buyer, so it expires without having been shown. */
const unannounced: CredentialsPurpose = "transfer-token";

/** Returns the condition for expired credentials, which are no longer readable and which clean-up deletes. */
export function isCredentialsExpired(now: Date): RawBuilder<boolean> {
  return sql`expires_at <= ${now} and (purpose = ${unannounced} or first_shown_at is not null)`;
}

/** Stores credentials; idempotent, so that a second call for the same order and purpose changes nothing. */
export async function insertCredentials(
  db: Db,
  orderId: OrderId,
  purpose: CredentialsPurpose,
  { username, secretCiphertext, expiresAt }: StoredCredentials,
): Promise<void> {
  await db
    .insertInto("credentials")
    .values({
      order_id: orderId,
      purpose,
      username,
      secret_ciphertext: secretCiphertext,
      expires_at: expiresAt,
    })
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/** Returns null when there are none, or when they have expired. */
export async function findCredentials(
  db: Db,
  orderId: OrderId,
  purpose: CredentialsPurpose,
  now: Date,
): Promise<StoredCredentials | null> {
  const row = await db
    .selectFrom("credentials")
    .select(["username", "secret_ciphertext as secretCiphertext", "expires_at as expiresAt"])
    .where("order_id", "=", orderId)
    .where("purpose", "=", purpose)
    .where(sql<boolean>`not (${isCredentialsExpired(now)})`)
    .executeTakeFirst();
  return row ?? null;
}

/** Records when an order's credentials were first shown, which starts their expiry. */
export async function markShown(
  db: Db,
  orderId: OrderId,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await db
    .updateTable("credentials")
    .set({ first_shown_at: now, expires_at: expiresAt })
    .where("order_id", "=", orderId)
    .where("purpose", "<>", unannounced)
    .where("first_shown_at", "is", null)
    .execute();
}

/** @param purposes all when left out */
export async function deleteCredentials(
  db: Db | Trx,
  orderId: OrderId,
  purposes?: readonly CredentialsPurpose[],
): Promise<void> {
  let query = db.deleteFrom("credentials").where("order_id", "=", orderId);
  if (purposes !== undefined) query = query.where("purpose", "in", purposes);
  await query.execute();
}
