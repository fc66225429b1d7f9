/**
 * Mails that their reader may switch off: letters about renewals, and reminders of unfinished orders. Mails about money, security
 * or an order are always sent. The choice is read when a mail is sent, so it applies immediately.
 */
import type { UserId } from "#db/ids.ts";
import * as rows from "#db/mail/notifications.ts";
import type { MailKind, MailTopic } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { hashToken, newToken } from "#server/foundation/security/token.ts";

export const mailTopics = ["renewals", "reminders"] as const satisfies readonly MailTopic[];

/** A year-old letter's link still works. */
const linkDays = 400;

const topicOfKind: Partial<Record<MailKind, MailTopic>> = {
  "renewal-reminder": "renewals",
  "renewal-window": "renewals",
  "resume-order": "reminders",
};

/**
 * Returns the topic of a mail.
 * @param mail.data with `asked` for a mail that its reader, or staff for them, requested
 * @returns null for a mail that is always sent
 */
export function topicOf(mail: { kind: MailKind; data: unknown }): MailTopic | null {
  const isRequested = typeof mail.data === "object" && mail.data !== null && "asked" in mail.data;
  return isRequested ? null : (topicOfKind[mail.kind] ?? null);
}

/** Lists the topics about which a user gets mails. */
export async function listWanted(db: Db, userId: UserId): Promise<MailTopic[]> {
  const muted = await rows.selectMutedTopics(db, userId);
  return mailTopics.filter((topic) => !muted.includes(topic));
}

export async function isWanted(db: Db, userId: UserId, topic: MailTopic): Promise<boolean> {
  return !(await rows.selectMutedTopics(db, userId)).includes(topic);
}

/** Stores a user's choice: these topics, and no other. */
export async function chooseTopics(
  trx: Trx,
  userId: UserId,
  wanted: readonly MailTopic[],
  now = new Date(),
): Promise<void> {
  for (const topic of mailTopics) await choose(trx, userId, topic, wanted.includes(topic), now);
}

/** Creates the token of a mail's link. It works until it expires, and more than once: a reader may change their mind. */
export async function mintUnsubscribeToken(
  db: Db,
  userId: UserId,
  topic: MailTopic,
  now = new Date(),
): Promise<string> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + linkDays * 86_400_000);
  await rows.insertUnsubscribeLink(db, { hash: hashToken(token), userId, topic, expiresAt });
  return token;
}

/** Reader and topic of a mail's link. */
export interface Unsubscription {
  email: string;
  topic: MailTopic;
  isWanted: boolean;
}

/** @throws DomainError not_found for a link that is unknown or expired */
export async function readUnsubscription(db: Db, token: string, now = new Date()): Promise<Unsubscription> {
  const { email, topic, userId } = await findLink(db, token, now);
  return { email, topic, isWanted: await isWanted(db, userId, topic) };
}

/** Stores a reader's choice through a mail's link, without signing in. @throws DomainError not_found as readUnsubscription */
export async function chooseByLink(
  db: Db,
  { token, isWanted: wanted }: { token: string; isWanted: boolean },
  now = new Date(),
): Promise<void> {
  const { userId, topic } = await findLink(db, token, now);
  await db.transaction().execute((trx) => choose(trx, userId, topic, wanted, now));
}

async function choose(trx: Trx, userId: UserId, topic: MailTopic, wanted: boolean, now: Date): Promise<void> {
  const isNew = wanted
    ? await rows.deleteMuted(trx, userId, topic)
    : await rows.insertMuted(trx, userId, topic, now);
  if (!isNew) return;
  await recordAudit(trx, {
    userId,
    action: "notifications.choose",
    subject: `user:${userId}`,
    data: { topic, wanted },
  });
}

async function findLink(db: Db, token: string, now: Date): Promise<rows.UnsubscribeLink> {
  const link = await rows.selectUnsubscribeLink(db, hashToken(token), now);
  if (link === null) throw new DomainError("not_found", msg("access.linkOver"));
  return link;
}
