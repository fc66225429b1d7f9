/**
 * Mails that their reader may switch off: letters about renewals, and reminders of what was left unfinished. Whatever is about
 * money, security or an order goes out in any case. The choice is asked for when a mail is sent, so it holds at once.
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

/** A letter of a year ago can still be stopped. */
const linkDays = 400;

const topicOfKind: Partial<Record<MailKind, MailTopic>> = {
  "renewal-reminder": "renewals",
  "renewal-window": "renewals",
  "resume-order": "reminders",
};

/**
 * What a mail counts as.
 * @param mail.data with `asked` for one that its reader, or staff for them, asked for
 * @returns null for a mail that always goes out
 */
export function topicOf(mail: { kind: MailKind; data: unknown }): MailTopic | null {
  const isRequested = typeof mail.data === "object" && mail.data !== null && "asked" in mail.data;
  return isRequested ? null : (topicOfKind[mail.kind] ?? null);
}

/** The topics that a user gets mails about. */
export async function listWanted(db: Db, userId: UserId): Promise<MailTopic[]> {
  const muted = await rows.selectMutedTopics(db, userId);
  return mailTopics.filter((topic) => !muted.includes(topic));
}

export async function isWanted(db: Db, userId: UserId, topic: MailTopic): Promise<boolean> {
  return !(await rows.selectMutedTopics(db, userId)).includes(topic);
}

/** Chooses for a user: these topics, and no other. */
export async function chooseTopics(
  trx: Trx,
  userId: UserId,
  wanted: readonly MailTopic[],
  now = new Date(),
): Promise<void> {
  for (const topic of mailTopics) await choose(trx, userId, topic, wanted.includes(topic), now);
}

/** Makes the token of a mail's link. It works until it expires, and more than once: a reader may change their mind. */
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

/** What a mail's link is about. */
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

/** By a mail's link, without signing in. @throws DomainError not_found as readUnsubscription */
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
