/** Queries on sign-in credentials: one row an order and purpose, the secret encrypted by whoever writes it. */
import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { OrderId } from "./ids.ts";
import type { CredentialsTable } from "./tables/fulfilment.ts";
import type { Db, Trx } from "./tables/index.ts";

export type CredentialsPurpose = CredentialsTable["purpose"];

/** Nobody is shown it, so it is not kept until somebody was. */
const untold: CredentialsPurpose = "transfer-token";

/** Which credentials have had their time: nobody reads them any more, and clean-up deletes them. */
export function credentialsOver(now: Date): RawBuilder<boolean> {
  return sql`expires_at <= ${now} and (purpose = ${untold} or first_shown_at is not null)`;
}

/** Stores once: a second call for the same order and purpose changes nothing. */
export async function insertCredentials(db: Db, row: Insertable<CredentialsTable>): Promise<void> {
  await db
    .insertInto("credentials")
    .values(row)
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/** Null when there are none, or their time is over. */
export async function findCredentials(
  db: Db,
  orderId: OrderId,
  purpose: CredentialsPurpose,
  now: Date,
): Promise<Pick<Selectable<CredentialsTable>, "username" | "secret_ciphertext" | "expires_at"> | null> {
  const row = await db
    .selectFrom("credentials")
    .select(["username", "secret_ciphertext", "expires_at"])
    .where("order_id", "=", orderId)
    .where("purpose", "=", purpose)
    .where(sql<boolean>`not (${credentialsOver(now)})`)
    .executeTakeFirst();
  return row ?? null;
}

/** Notes the first time that an order's credentials are shown: their time begins then. */
export async function markShown(
  db: Db,
  orderId: OrderId,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await db
    .updateTable("credentials")
    .set({ first_shown_at: now, expires_at: expiresAt })
    .where("order_id", "=", orderId)
    .where("purpose", "<>", untold)
    .where("first_shown_at", "is", null)
    .execute();
}

/** @param purposes all of them unless said */
export async function deleteCredentials(
  db: Db | Trx,
  orderId: OrderId,
  purposes?: readonly CredentialsPurpose[],
): Promise<void> {
  let query = db.deleteFrom("credentials").where("order_id", "=", orderId);
  if (purposes !== undefined) query = query.where("purpose", "in", purposes);
  await query.execute();
}
