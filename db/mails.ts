/** Queries on mails: requested, sent and refused. */
import { sql } from "kysely";
import { type MailId, newId, type OrderId, type UserId } from "./ids.ts";
import type { MailKind } from "./tables/enums.ts";
import type { Db, Trx } from "./tables/index.ts";

/** A mail that was requested. */
export interface Mail {
  id: MailId;
  kind: MailKind;
  recipient: string;
  userId: UserId | null;
  orderId: OrderId | null;
  /** Facts for the text, as requested. */
  data: unknown;
  createdAt: Date;
}

/** Null when the mail was sent or permanently refused: there is nothing left to do. */
export async function findUnsentMail(db: Db, id: MailId): Promise<Mail | null> {
  const row = await db
    .selectFrom("mails")
    .select(["id", "kind", "recipient", "user_id as userId", "order_id as orderId", "data"])
    .select("created_at as createdAt")
    .where("id", "=", id)
    .where("sent_at", "is", null)
    .where("refused_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** @returns its id, or null when a mail with this key was already requested, so that nothing is written */
export async function insertMail(
  trx: Trx,
  mail: Pick<Mail, "kind" | "recipient" | "userId" | "orderId"> & {
    dedupeKey: string;
    data: Readonly<Record<string, string>>;
  },
): Promise<MailId | null> {
  const id = newId<MailId>();
  const result = await trx
    .insertInto("mails")
    .values({
      id,
      kind: mail.kind,
      dedupe_key: mail.dedupeKey,
      recipient: mail.recipient,
      user_id: mail.userId,
      order_id: mail.orderId,
      data: JSON.stringify(mail.data),
    })
    .onConflict((oc) => oc.column("dedupe_key").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n ? id : null;
}

export async function markMailSent(db: Db, id: MailId): Promise<void> {
  await db.updateTable("mails").set({ sent_at: sql`now()` }).where("id", "=", id).execute();
}

/** @param reason the recipient server's reply */
export async function markMailRefused(db: Db, id: MailId, reason: string): Promise<void> {
  await db
    .updateTable("mails")
    .set({ refused_at: sql`now()`, last_error: reason })
    .where("id", "=", id)
    .execute();
}

/** Which of these keys belong to mails that were already requested. */
export async function findMailKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db.selectFrom("mails").select("dedupe_key").where("dedupe_key", "in", keys).execute();
  return new Set(rows.map((row) => row.dedupe_key));
}
