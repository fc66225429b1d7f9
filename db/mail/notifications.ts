/** Queries on the mail topics that users have switched off. No rules live here. */
import type { UserId } from "#db/ids.ts";
import type { MailTopic } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";

export async function selectMutedTopics(db: Db, userId: UserId): Promise<MailTopic[]> {
  const rows = await db.selectFrom("muted_mails").select("topic").where("user_id", "=", userId).execute();
  return rows.map(({ topic }) => topic);
}

/** @returns false when it was off already; the transaction stays usable */
export async function insertMuted(db: Db, userId: UserId, topic: MailTopic, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("muted_mails")
    .values({ user_id: userId, topic, muted_at: at })
    .onConflict((oc) => oc.columns(["user_id", "topic"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** @returns false when it was on already */
export async function deleteMuted(db: Db, userId: UserId, topic: MailTopic): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("muted_mails")
    .where("user_id", "=", userId)
    .where("topic", "=", topic)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function insertUnsubscribeLink(
  db: Db,
  link: { hash: string; userId: UserId; topic: MailTopic; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto("unsubscribe_links")
    .values({ hash: link.hash, user_id: link.userId, topic: link.topic, expires_at: link.expiresAt })
    .execute();
}

export interface UnsubscribeLink {
  userId: UserId;
  email: string;
  topic: MailTopic;
}

export async function selectUnsubscribeLink(
  db: Db,
  hash: string,
  now: Date,
): Promise<UnsubscribeLink | null> {
  const row = await db
    .selectFrom("unsubscribe_links")
    .innerJoin("users", "users.id", "unsubscribe_links.user_id")
    .select(["users.id as userId", "users.email", "unsubscribe_links.topic"])
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}
