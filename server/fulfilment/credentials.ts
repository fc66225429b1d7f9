/** Sign-in credentials of a fulfilled order: encrypted at rest, shown to the owner for 7 days, then gone (DESIGN ruling 16). */
import type { OrderId } from "#db/ids.ts";
import type { CredentialsTable } from "#db/tables/fulfilment.ts";
import type { Db } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { decrypt, encrypt } from "#server/security/cipher.ts";

const keepMs = 7 * 24 * 60 * 60 * 1000;

type Purpose = CredentialsTable["purpose"];

export interface Credentials {
  username: string;
  password: string;
}

/** Stores once: a second call for the same order and purpose changes nothing, so that a retry re-sends the same password. */
export async function storeCredentials(
  context: Pick<Context, "encryptionKey">,
  db: Db,
  orderId: OrderId,
  purpose: Purpose,
  credentials: Credentials,
): Promise<void> {
  await db
    .insertInto("credentials")
    .values({
      order_id: orderId,
      purpose,
      username: credentials.username,
      secret_ciphertext: encrypt(context.encryptionKey, credentials.password, `${orderId}:${purpose}`),
      expires_at: new Date(Date.now() + keepMs),
    })
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/** Null when there are none, or they have expired or been dismissed. */
export async function readCredentials(
  context: Pick<Context, "encryptionKey">,
  db: Db,
  orderId: OrderId,
  purpose: Purpose,
): Promise<Credentials | null> {
  const row = await db
    .selectFrom("credentials")
    .selectAll()
    .where("order_id", "=", orderId)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", new Date())
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    username: row.username,
    password: decrypt(context.encryptionKey, row.secret_ciphertext, `${orderId}:${purpose}`),
  };
}

/** The owner has noted them: they are deleted now. */
export async function dismissCredentials(db: Db, orderId: OrderId): Promise<void> {
  await db.deleteFrom("credentials").where("order_id", "=", orderId).execute();
}
