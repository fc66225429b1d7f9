/**
 * Sign-in credentials of a fulfilled order: encrypted at rest, and shown to who ordered, nobody else. A new tenant's administrator password
 * is nowhere else, so it is kept until it was shown, and for 7 days from then; a transfer token, which nobody is shown, for 7 days.
 */
import { type RawBuilder, sql } from "kysely";
import type { OrderId, UserId } from "#db/ids.ts";
import type { CredentialsTable } from "#db/tables/fulfilment.ts";
import type { Db } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { decrypt, encrypt } from "#server/security/cipher.ts";

const keepMs = 7 * 24 * 60 * 60 * 1000;

type Purpose = CredentialsTable["purpose"];

export interface Credentials {
  username: string;
  password: string;
}

export interface KeptCredentials extends Credentials {
  /** When they go, once they were shown. */
  until: Date;
}

/** Stores once: a second call for the same order and purpose changes nothing, so that a retry re-sends the same password. */
export async function storeCredentials(
  context: Pick<Context, "encryptionKeys">,
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
      secret_ciphertext: encrypt(context.encryptionKeys, credentials.password, `${orderId}:${purpose}`),
      expires_at: new Date(Date.now() + keepMs),
    })
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/** For our own use; showing them is showCredentials. Null when there are none, or they have expired or been dismissed. */
export async function readCredentials(
  context: Pick<Context, "encryptionKeys">,
  db: Db,
  orderId: OrderId,
  purpose: Purpose,
): Promise<KeptCredentials | null> {
  const row = await db
    .selectFrom("credentials")
    .selectAll()
    .where("order_id", "=", orderId)
    .where("purpose", "=", purpose)
    .where(sql<boolean>`not (${credentialsOver(new Date())})`)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    until: row.expires_at,
    username: row.username,
    password: decrypt(context.encryptionKeys, row.secret_ciphertext, `${orderId}:${purpose}`),
  };
}

/** As readCredentials of the sign-in, for the page or call that shows it: their 7 days begin with the first time. */
export async function showCredentials(
  context: Pick<Context, "encryptionKeys">,
  db: Db,
  orderId: OrderId,
): Promise<KeptCredentials | null> {
  const now = new Date();
  await db
    .updateTable("credentials")
    .set({ first_shown_at: now, expires_at: new Date(now.getTime() + keepMs) })
    .where("order_id", "=", orderId)
    .where("purpose", "<>", untold)
    .where("first_shown_at", "is", null)
    .execute();
  return readCredentials(context, db, orderId, "sign-in");
}

/**
 * Who ordered has noted them: they are deleted now, for good.
 * @throws DomainError forbidden for anybody else of the company
 */
export async function dismissCredentials(
  db: Db,
  order: { id: OrderId; userId: UserId | null },
  by: UserId | null,
): Promise<void> {
  if (by === null || by !== order.userId) {
    throw new DomainError("forbidden", "Only who placed this order can remove its sign-in details.");
  }
  await db.deleteFrom("credentials").where("order_id", "=", order.id).execute();
}

const untold: Purpose = "transfer-token";

/** Which credentials have had their time: nobody reads them any more, and clean-up deletes them. */
export function credentialsOver(now: Date): RawBuilder<boolean> {
  return sql`expires_at <= ${now} and (purpose = ${untold} or first_shown_at is not null)`;
}
